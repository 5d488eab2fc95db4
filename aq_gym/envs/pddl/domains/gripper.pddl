; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; A robot with grippers carries balls from room to room.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball gripper)
  (:predicates
    (at-robby ?room - room)
    (at ?ball - ball ?room - room)
    (free ?gripper - gripper)
    (carry ?ball - ball ?gripper - gripper))

  (:action move
    :parameters (?from - room ?to - room)
    :precondition (at-robby ?from)
    :effect (and (at-robby ?to) (not (at-robby ?from))))

  (:action pick
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (at ?ball ?room) (at-robby ?room) (free ?gripper))
    :effect (and (carry ?ball ?gripper)
                 (not (at ?ball ?room)) (not (free ?gripper))))

  (:action drop
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (carry ?ball ?gripper) (at-robby ?room))
    :effect (and (at ?ball ?room) (free ?gripper)
                 (not (carry ?ball ?gripper))))
)
