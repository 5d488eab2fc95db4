"""Have generated households as much in them as the official games?

Reads the ``game.tw-pddl`` files of a folder. For each of them, households of its type
of task and room are generated, and the means are compared by a permutation test: each
game's difference from the mean of its households keeps or changes its sign.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from aq_gym.envs.alfworld.generator import generate
from aq_gym.envs.alfworld.generator.facts import facts
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.logic.house import House
from aq_gym.envs.alfworld.official import load_game

COUNTS = ("receptacles", "objects in receptacles", "all objects")
SIGNS = 20_000


def counts(house: House) -> tuple[int, int, int]:
    """Return the three counts of a household."""
    inside = sum(map(len, house.start.contents))
    return len(house.receptacles), inside, len(house.objects)


def generated(task_type: str, room: str) -> Iterator[tuple[int, int, int]]:
    """Yield the counts of the households of a type of task in a room."""
    for number in itertools.count():
        draft = generate(task_type, number)
        if room_of(draft.plan) == room:
            yield counts(build_house(draft.atoms, draft.goal))


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
    parser.add_argument("--households", type=int, default=40, help="for each game")
    options = parser.parse_args()
    pairs: dict[str, list[tuple[tuple[int, ...], list[float]]]] = {}
    for path in sorted(options.games.glob("**/game.tw-pddl")):
        house = load_game(path).house
        room = room_of(int(path.parts[-3].rpartition("-")[2]))
        made = generated(house.goal.task_type, room)
        some = list(itertools.islice(made, options.households))
        average = [mean(column) for column in zip(*some, strict=True)]
        pairs.setdefault(room, []).append((counts(house), average))
    print("| room | games | count | official | generated | p |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for room, games in pairs.items():
        for place, name in enumerate(COUNTS):
            ours = [average[place] for _, average in games]
            theirs = [count[place] for count, _ in games]
            p = p_value([a - b for a, b in zip(ours, theirs, strict=True)])
            row = f"{mean(theirs):.1f} | {mean(ours):.1f} | {p:.2f}"
            print(f"| {room} | {len(games)} | {name} | {row} |")


if __name__ == "__main__":
    main()
