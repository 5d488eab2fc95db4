"""Logistics problems: packages within and between cities."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains import ProblemDraft, numbered

SIZES = range(1, 9)


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Lay out cities with an airport, a truck and other places each.

    Easy problems have two cities and 1 to 3 packages, hard ones up to three cities
    and 7 or 8 packages. A size is the number of packages.
    """
    hard = difficulty == "hard"
    cities = numbered("city", rng.randint(2, 3) if hard else 2)
    packages = numbered("package", size or rng.randint(*((7, 8) if hard else (1, 3))))
    airports, places, init = [], [], []
    for city in cities:
        airports.append(f"{city}-airport")
        local = [f"{city}-place{i + 1}" for i in range(rng.randint(1, 2))]
        places += local
        init += [f"in-city {place} {city}" for place in [airports[-1], *local]]
        init.append(f"at {city}-truck {rng.choice([airports[-1], *local])}")
    init.append(f"at airplane1 {rng.choice(airports)}")
    goal = []
    for package in packages:
        start, target = rng.sample(airports + places, 2)
        init.append(f"at {package} {start}")
        goal.append(f"at {package} {target}")
    objects = {
        "package": packages,
        "truck": [f"{city}-truck" for city in cities],
        "airplane": ["airplane1"],
        "airport": airports,
        "place": places,
        "city": cities,
    }
    return ProblemDraft(objects, init, goal)
