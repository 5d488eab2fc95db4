"""Barman problems: serve ingredients and cocktails in clean shot glasses."""

from __future__ import annotations

from itertools import combinations
from random import Random

from aq_gym.envs.pddl.domains import ProblemDraft, numbered

SIZES = range(1, 9)

_LEVELS = ["l0", "l1", "l2"]


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Order drinks: easy problems have 1 to 3, hard ones 7 or 8.

    At most one drink is a cocktail. An ingredient takes about three steps, a cocktail
    about ten. Some glasses are dirty or still full at the start. A size is the number
    of drinks.
    """
    hard = difficulty == "hard"
    ingredients = numbered("ingredient", rng.randint(3, 4))
    drinks = size or rng.randint(*((7, 8) if hard else (1, 3)))
    shots = numbered("shot", drinks + rng.randint(1, 3 - hard))
    mixed = rng.randint(0, 1) if hard else 1
    recipes = list(combinations(ingredients, 2))
    rng.shuffle(recipes)
    cocktails = numbered("cocktail", rng.randint(1, 3))
    served = rng.sample(cocktails, mixed)
    served += [rng.choice(ingredients) for _ in range(drinks - mixed)]
    wanted = dict(zip(rng.sample(shots, drinks), served, strict=True))
    dispensers = numbered("dispenser", len(ingredients))
    init = _bar() + _clean(["shaker1"])
    for shot in shots:
        init += _glass(
            rng, shot, [one for one in ingredients if one != wanted.get(shot)]
        )
    for dispenser, ingredient in zip(dispensers, ingredients, strict=True):
        init.append(f"dispenses {dispenser} {ingredient}")
    for cocktail, (first, second) in zip(cocktails, recipes, strict=False):
        init.append(f"cocktail-part1 {cocktail} {first}")
        init.append(f"cocktail-part2 {cocktail} {second}")
    objects = {
        "hand": ["left", "right"],
        "shaker": ["shaker1"],
        "shot": shots,
        "ingredient": ingredients,
        "cocktail": cocktails,
        "dispenser": dispensers,
        "level": _LEVELS,
    }
    goal = [f"contains {shot} {drink}" for shot, drink in wanted.items()]
    return ProblemDraft(objects, init, goal)


def _bar() -> list[str]:
    """Return the initial facts of the hands and the levels of the shaker."""
    facts = ["handempty left", "handempty right"]
    facts += ["other left right", "other right left"]
    facts += ["shaker-level shaker1 l0", "shaker-empty-level shaker1 l0"]
    facts += ["next l0 l1", "next l1 l2"]
    return facts


def _clean(containers: list[str]) -> list[str]:
    return [
        fact
        for one in containers
        for fact in (f"ontable {one}", f"clean {one}", f"empty {one}")
    ]


def _glass(rng: Random, shot: str, leftovers: list[str]) -> list[str]:
    """Return the initial facts of a glass; some glasses were used, or are full."""
    if rng.random() < 0.75:
        return _clean([shot])
    left = rng.choice(leftovers)
    full = f"contains {shot} {left}" if rng.random() < 0.5 else f"empty {shot}"
    return [f"ontable {shot}", full, f"used {shot} {left}"]
