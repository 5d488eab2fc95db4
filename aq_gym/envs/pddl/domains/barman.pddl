; aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
; A barman with two hands mixes cocktails of two ingredients in a shaker and serves
; them in shot glasses (International Planning Competition 2011).
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    hand level beverage dispenser container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (ontable ?container - container)
    (holding ?hand - hand ?container - container)
    (handempty ?hand - hand)
    (other ?hand - hand ?other - hand)
    (empty ?container - container)
    (contains ?container - container ?beverage - beverage)
    (clean ?container - container)
    (used ?container - container ?beverage - beverage)
    (dispenses ?dispenser - dispenser ?ingredient - ingredient)
    (shaker-empty-level ?shaker - shaker ?level - level)
    (shaker-level ?shaker - shaker ?level - level)
    (next ?lower - level ?upper - level)
    (unshaked ?shaker - shaker)
    (shaked ?shaker - shaker)
    (cocktail-part1 ?cocktail - cocktail ?ingredient - ingredient)
    (cocktail-part2 ?cocktail - cocktail ?ingredient - ingredient))

  (:action grasp
    :parameters (?hand - hand ?container - container)
    :precondition (and (ontable ?container) (handempty ?hand))
    :effect (and (holding ?hand ?container)
                 (not (ontable ?container)) (not (handempty ?hand))))

  (:action leave
    :parameters (?hand - hand ?container - container)
    :precondition (holding ?hand ?container)
    :effect (and (ontable ?container) (handempty ?hand)
                 (not (holding ?hand ?container))))

  (:action fill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand - hand
                 ?other - hand ?dispenser - dispenser)
    :precondition (and (holding ?hand ?shot)
                       (other ?hand ?other) (handempty ?other)
                       (dispenses ?dispenser ?ingredient)
                       (empty ?shot) (clean ?shot))
    :effect (and (contains ?shot ?ingredient) (used ?shot ?ingredient)
                 (not (empty ?shot)) (not (clean ?shot))))

  (:action refill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand - hand
                 ?other - hand ?dispenser - dispenser)
    :precondition (and (holding ?hand ?shot)
                       (other ?hand ?other) (handempty ?other)
                       (dispenses ?dispenser ?ingredient)
                       (empty ?shot) (used ?shot ?ingredient))
    :effect (and (contains ?shot ?ingredient)
                 (not (empty ?shot))))

  (:action empty-shot
    :parameters (?hand - hand ?shot - shot ?beverage - beverage)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?beverage))
    :effect (and (empty ?shot)
                 (not (contains ?shot ?beverage))))

  (:action clean-shot
    :parameters (?shot - shot ?beverage - beverage ?hand - hand ?other - hand)
    :precondition (and (holding ?hand ?shot)
                       (other ?hand ?other) (handempty ?other)
                       (empty ?shot) (used ?shot ?beverage))
    :effect (and (clean ?shot)
                 (not (used ?shot ?beverage))))

  (:action pour-shot-to-clean-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand
                 ?level - level ?above - level)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?ingredient)
                       (empty ?shaker) (clean ?shaker)
                       (shaker-level ?shaker ?level) (next ?level ?above))
    :effect (and (empty ?shot) (contains ?shaker ?ingredient) (unshaked ?shaker)
                 (shaker-level ?shaker ?above)
                 (not (contains ?shot ?ingredient)) (not (empty ?shaker))
                 (not (clean ?shaker)) (not (shaker-level ?shaker ?level))))

  (:action pour-shot-to-used-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand
                 ?level - level ?above - level)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?ingredient)
                       (unshaked ?shaker)
                       (shaker-level ?shaker ?level) (next ?level ?above))
    :effect (and (empty ?shot) (contains ?shaker ?ingredient)
                 (shaker-level ?shaker ?above)
                 (not (contains ?shot ?ingredient))
                 (not (shaker-level ?shaker ?level))))

  (:action empty-shaker
    :parameters (?hand - hand ?shaker - shaker ?cocktail - cocktail
                 ?level - level ?bottom - level)
    :precondition (and (holding ?hand ?shaker) (contains ?shaker ?cocktail)
                       (shaked ?shaker) (shaker-level ?shaker ?level)
                       (shaker-empty-level ?shaker ?bottom))
    :effect (and (empty ?shaker) (shaker-level ?shaker ?bottom)
                 (not (shaked ?shaker)) (not (contains ?shaker ?cocktail))
                 (not (shaker-level ?shaker ?level))))

  (:action clean-shaker
    :parameters (?hand - hand ?other - hand ?shaker - shaker)
    :precondition (and (holding ?hand ?shaker)
                       (other ?hand ?other) (handempty ?other)
                       (empty ?shaker))
    :effect (clean ?shaker))

  (:action shake
    :parameters (?cocktail - cocktail ?first - ingredient ?second - ingredient
                 ?shaker - shaker ?hand - hand ?other - hand)
    :precondition (and (holding ?hand ?shaker)
                       (other ?hand ?other) (handempty ?other)
                       (contains ?shaker ?first) (contains ?shaker ?second)
                       (cocktail-part1 ?cocktail ?first)
                       (cocktail-part2 ?cocktail ?second)
                       (unshaked ?shaker))
    :effect (and (shaked ?shaker) (contains ?shaker ?cocktail)
                 (not (unshaked ?shaker)) (not (contains ?shaker ?first))
                 (not (contains ?shaker ?second))))

  (:action pour-shaker-to-shot
    :parameters (?beverage - beverage ?shot - shot ?hand - hand ?shaker - shaker
                 ?level - level ?below - level)
    :precondition (and (holding ?hand ?shaker) (shaked ?shaker)
                       (empty ?shot) (clean ?shot) (contains ?shaker ?beverage)
                       (shaker-level ?shaker ?level) (next ?below ?level))
    :effect (and (contains ?shot ?beverage) (shaker-level ?shaker ?below)
                 (not (clean ?shot)) (not (empty ?shot))
                 (not (shaker-level ?shaker ?level))))
)
