"""Barman problems: serve ingredients and cocktails in clean shot glasses."""

from __future__ import annotations

from itertools import combinations
from random import Random

from aq_gym.envs.pddl.domains.problem_draft import ProblemDraft, numbered

__all__ = ["SIZES", "generate"]

SIZES = range(1, 9)

_LEVELS = ["l0", "l1", "l2"]


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Order drinks: easy problems have 1 to 3, hard ones 7 or 8.

    An ingredient takes some three steps, a cocktail ten; at most one is a cocktail.
    A size is the number of drinks.
    """
    hard = difficulty == "hard"
    ingredients = numbered("ingredient", 3)
    drinks = size or rng.randint(*((7, 8) if hard else (1, 3)))
    shots = numbered("shot", drinks + rng.randint(1, 3 - hard))
    mixed = rng.randint(0, 1) if hard else 1
    recipes = list(combinations(ingredients, 2))
    rng.shuffle(recipes)
    cocktails = numbered("cocktail", rng.randint(1, len(recipes)))
    served = rng.sample(cocktails, mixed)
    served += [rng.choice(ingredients) for _ in range(drinks - mixed)]
    goal = [
        f"contains {shot} {drink}"
        for shot, drink in zip(rng.sample(shots, drinks), served, strict=True)
    ]
    dispensers = numbered("dispenser", len(ingredients))
    init = _clean(["shaker1", *shots])
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
    return ProblemDraft(objects, init, goal)


def _clean(containers: list[str]) -> list[str]:
    """Return the initial facts of the bar."""
    facts = ["handempty left", "handempty right"]
    facts += ["other left right", "other right left"]
    facts += ["shaker-level shaker1 l0", "shaker-empty-level shaker1 l0"]
    facts += ["next l0 l1", "next l1 l2"]
    for container in containers:
        facts += [f"ontable {container}", f"clean {container}", f"empty {container}"]
    return facts
