; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; A ferry carries one car at a time between ports.
(define (domain ferry)
  (:requirements :strips :typing)
  (:types car port)
  (:predicates
    (ferry-at ?port - port)
    (at ?car - car ?port - port)
    (aboard ?car - car)
    (ferry-empty))

  (:action sail
    :parameters (?from - port ?to - port)
    :precondition (ferry-at ?from)
    :effect (and (ferry-at ?to) (not (ferry-at ?from))))

  (:action board
    :parameters (?car - car ?port - port)
    :precondition (and (at ?car ?port) (ferry-at ?port) (ferry-empty))
    :effect (and (aboard ?car)
                 (not (at ?car ?port)) (not (ferry-empty))))

  (:action debark
    :parameters (?car - car ?port - port)
    :precondition (and (aboard ?car) (ferry-at ?port))
    :effect (and (at ?car ?port) (ferry-empty)
                 (not (aboard ?car))))
)
