; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; Replace flat tyres: tools and spare wheels lie in the boot (Russell's flat-tyre world).
(define (domain tyreworld)
  (:requirements :strips :typing)
  (:types
    item container hub - object
    tool wheel nut - item)
  (:constants wrench jack pump - tool)
  (:predicates
    (isopen ?container - container)
    (closed ?container - container)
    (unlocked ?container - container)
    (have ?item - item)
    (in ?item - item ?container - container)
    (loose ?nut - nut ?hub - hub)
    (tight ?nut - nut ?hub - hub)
    (on-ground ?hub - hub)
    (not-on-ground ?hub - hub)
    (fastened ?hub - hub)
    (unfastened ?hub - hub)
    (free ?hub - hub)
    (on ?wheel - wheel ?hub - hub)
    (intact ?wheel - wheel)
    (inflated ?wheel - wheel)
    (not-inflated ?wheel - wheel))

  (:action open
    :parameters (?container - container)
    :precondition (and (unlocked ?container) (closed ?container))
    :effect (and (isopen ?container) (not (closed ?container))))

  (:action close
    :parameters (?container - container)
    :precondition (isopen ?container)
    :effect (and (closed ?container) (not (isopen ?container))))

  (:action fetch
    :parameters (?item - item ?container - container)
    :precondition (and (in ?item ?container) (isopen ?container))
    :effect (and (have ?item) (not (in ?item ?container))))

  (:action put-away
    :parameters (?item - item ?container - container)
    :precondition (and (have ?item) (isopen ?container))
    :effect (and (in ?item ?container) (not (have ?item))))

  (:action loosen
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (tight ?nut ?hub) (on-ground ?hub))
    :effect (and (loose ?nut ?hub) (not (tight ?nut ?hub))))

  (:action tighten
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (loose ?nut ?hub) (on-ground ?hub))
    :effect (and (tight ?nut ?hub) (not (loose ?nut ?hub))))

  (:action jack-up
    :parameters (?hub - hub)
    :precondition (and (on-ground ?hub) (have jack))
    :effect (and (not-on-ground ?hub)
                 (not (on-ground ?hub)) (not (have jack))))

  (:action jack-down
    :parameters (?hub - hub)
    :precondition (not-on-ground ?hub)
    :effect (and (on-ground ?hub) (have jack)
                 (not (not-on-ground ?hub))))

  (:action undo
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (loose ?nut ?hub)
                       (not-on-ground ?hub) (fastened ?hub))
    :effect (and (have ?nut) (unfastened ?hub)
                 (not (fastened ?hub)) (not (loose ?nut ?hub))))

  (:action do-up
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (have ?nut)
                       (not-on-ground ?hub) (unfastened ?hub))
    :effect (and (loose ?nut ?hub) (fastened ?hub)
                 (not (unfastened ?hub)) (not (have ?nut))))

  (:action remove-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (on ?wheel ?hub) (not-on-ground ?hub) (unfastened ?hub))
    :effect (and (have ?wheel) (free ?hub)
                 (not (on ?wheel ?hub))))

  (:action put-on-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (have ?wheel) (free ?hub)
                       (not-on-ground ?hub) (unfastened ?hub))
    :effect (and (on ?wheel ?hub)
                 (not (have ?wheel)) (not (free ?hub))))

  (:action inflate
    :parameters (?wheel - wheel)
    :precondition (and (have pump) (not-inflated ?wheel) (intact ?wheel))
    :effect (and (inflated ?wheel) (not (not-inflated ?wheel))))
)
