; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; Packages go by truck within a city and by airplane between airports.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    thing place city - object
    package vehicle - thing
    truck airplane - vehicle
    airport - place)
  (:predicates
    (at ?thing - thing ?place - place)
    (in ?package - package ?vehicle - vehicle)
    (in-city ?place - place ?city - city))

  (:action load-truck
    :parameters (?package - package ?truck - truck ?place - place)
    :precondition (and (at ?truck ?place) (at ?package ?place))
    :effect (and (in ?package ?truck) (not (at ?package ?place))))

  (:action unload-truck
    :parameters (?package - package ?truck - truck ?place - place)
    :precondition (and (at ?truck ?place) (in ?package ?truck))
    :effect (and (at ?package ?place) (not (in ?package ?truck))))

  (:action load-airplane
    :parameters (?package - package ?airplane - airplane ?airport - airport)
    :precondition (and (at ?airplane ?airport) (at ?package ?airport))
    :effect (and (in ?package ?airplane) (not (at ?package ?airport))))

  (:action unload-airplane
    :parameters (?package - package ?airplane - airplane ?airport - airport)
    :precondition (and (at ?airplane ?airport) (in ?package ?airplane))
    :effect (and (at ?package ?airport) (not (in ?package ?airplane))))

  (:action drive-truck
    :parameters (?truck - truck ?from - place ?to - place ?city - city)
    :precondition (and (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action fly-airplane
    :parameters (?airplane - airplane ?from - airport ?to - airport)
    :precondition (at ?airplane ?from)
    :effect (and (at ?airplane ?to) (not (at ?airplane ?from))))
)
