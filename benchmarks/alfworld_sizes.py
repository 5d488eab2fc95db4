"""Do generated households contain as much as the official games?

Reads the ``game.tw-pddl`` files of a folder. Each floor plan of an official game is
compared with the generated households of this floor plan; p is that of a permutation
test: the difference of each floor plan keeps or changes its sign. Games of one floor
plan have most of their objects in common, so they count as one.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from aq_gym.envs.alfworld.floor_plans import facts
from aq_gym.envs.alfworld.households import generate
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.logic.house import TASK_TYPES, House
from aq_gym.envs.alfworld.official import load_game

COUNTS = ("receptacles", "objects in receptacles", "all objects")
SIGNS = 20_000


def counts(house: House) -> tuple[int, int, int]:
    """Return the three counts of a household."""
    inside = sum(map(len, house.start.contents))
    return len(house.receptacles), inside, len(house.objects)


def generated(number: int) -> dict[int, list[tuple[int, int, int]]]:
    """Return the counts of the first households of each type, by floor plan."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for task_type, place in itertools.product(TASK_TYPES, range(number)):
        draft = generate(task_type, place)
        house = build_house(draft.atoms, draft.goal)
        found.setdefault(draft.plan, []).append(counts(house))
    return found


def official(folder: Path) -> dict[int, list[tuple[int, int, int]]]:
    """Return the counts of official games, by floor plan."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for path in sorted(folder.glob("**/game.tw-pddl")):
        plan = int(path.parts[-3].rpartition("-")[2])
        found.setdefault(plan, []).append(counts(load_game(path).house))
    return found


def room_of(plan: int) -> str:
    """Return the type of room of a floor plan."""
    rooms: dict[str, dict[str, Any]] = facts()["rooms"]
    return next(name for name, room in rooms.items() if str(plan) in room["plans"])


def p_value(differences: list[float]) -> float:
    """Return the share of changes of sign with as large a mean difference."""
    signs = np.random.default_rng(0).choice((-1, 1), (SIGNS, len(differences)))
    means = np.abs((signs * differences).mean(axis=1))
    return float((means >= abs(mean(differences)) - 1e-9).mean())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=Path, required=True, help="official games")
    parser.add_argument("--households", type=int, default=1000, help="of each type")
    options = parser.parse_args()
    theirs, ours = official(options.games), generated(options.households)
    print("| room | floor plans | games | count | official | generated | p |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: |")
    for room in sorted({room_of(plan) for plan in theirs}):
        plans = [plan for plan in theirs if plan in ours and room_of(plan) == room]
        games = sum(len(theirs[plan]) for plan in plans)
        for place, name in enumerate(COUNTS):
            known, made = (
                [mean(count[place] for count in some[plan]) for plan in plans]
                for some in (theirs, ours)
            )
            p = p_value([a - b for a, b in zip(made, known, strict=True)])
            row = f"{mean(known):.1f} | {mean(made):.1f} | {p:.3f}"
            print(f"| {room} | {len(plans)} | {games} | {name} | {row} |")
    missing = sorted(set(theirs) - set(ours))
    print(f"floor plans without a household: {missing}")


if __name__ == "__main__":
    main()
