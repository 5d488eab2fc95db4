; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; The Tower of Hanoi: discs on pegs, never a larger disc on a smaller one.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types
    place - object
    disc peg - place)
  (:predicates
    (on ?disc - disc ?place - place)
    (clear ?place - place)
    (smaller ?disc - disc ?place - place))

  (:action move
    :parameters (?disc - disc ?from - place ?to - place)
    :precondition (and (on ?disc ?from) (clear ?disc) (clear ?to) (smaller ?disc ?to))
    :effect (and (on ?disc ?to) (clear ?from)
                 (not (on ?disc ?from)) (not (clear ?to))))
)
