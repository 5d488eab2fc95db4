; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; Sokoban: a player pushes boxes onto target cells, one at a time, and never pulls.
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell box direction)
  (:predicates
    (player-at ?cell - cell)
    (box-at ?box - box ?cell - cell)
    (clear ?cell - cell)
    (stored ?box - box)
    (target ?cell - cell)
    (plain ?cell - cell)
    (leads ?from - cell ?direction - direction ?to - cell))

  (:action move
    :parameters (?from - cell ?to - cell ?direction - direction)
    :precondition (and (player-at ?from) (clear ?to) (leads ?from ?direction ?to))
    :effect (and (player-at ?to) (clear ?from)
                 (not (player-at ?from)) (not (clear ?to))))

  (:action push-to-target
    :parameters (?box - box ?player - cell ?from - cell ?to - cell
                 ?direction - direction)
    :precondition (and (player-at ?player) (box-at ?box ?from) (clear ?to)
                       (leads ?player ?direction ?from) (leads ?from ?direction ?to)
                       (target ?to))
    :effect (and (player-at ?from) (box-at ?box ?to) (clear ?player) (stored ?box)
                 (not (player-at ?player)) (not (box-at ?box ?from))
                 (not (clear ?to))))

  (:action push-to-plain
    :parameters (?box - box ?player - cell ?from - cell ?to - cell
                 ?direction - direction)
    :precondition (and (player-at ?player) (box-at ?box ?from) (clear ?to)
                       (leads ?player ?direction ?from) (leads ?from ?direction ?to)
                       (plain ?to))
    :effect (and (player-at ?from) (box-at ?box ?to) (clear ?player)
                 (not (player-at ?player)) (not (box-at ?box ?from))
                 (not (clear ?to)) (not (stored ?box))))
)
