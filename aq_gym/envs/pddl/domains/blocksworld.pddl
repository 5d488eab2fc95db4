; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; One arm, a table without bounds, blocks that are stacked (the four-action form).
(define (domain blocksworld)
  (:requirements :strips :typing)
  (:types block)
  (:predicates
    (on ?upper - block ?lower - block)
    (on-table ?block - block)
    (clear ?block - block)
    (holding ?block - block)
    (arm-empty))

  (:action pickup
    :parameters (?block - block)
    :precondition (and (on-table ?block) (clear ?block) (arm-empty))
    :effect (and (holding ?block)
                 (not (on-table ?block)) (not (clear ?block)) (not (arm-empty))))

  (:action putdown
    :parameters (?block - block)
    :precondition (holding ?block)
    :effect (and (on-table ?block) (clear ?block) (arm-empty)
                 (not (holding ?block))))

  (:action stack
    :parameters (?upper - block ?lower - block)
    :precondition (and (holding ?upper) (clear ?lower))
    :effect (and (on ?upper ?lower) (clear ?upper) (arm-empty)
                 (not (holding ?upper)) (not (clear ?lower))))

  (:action unstack
    :parameters (?upper - block ?lower - block)
    :precondition (and (on ?upper ?lower) (clear ?upper) (arm-empty))
    :effect (and (holding ?upper) (clear ?lower)
                 (not (on ?upper ?lower)) (not (clear ?upper)) (not (arm-empty))))
)
