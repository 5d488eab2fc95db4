"""Play ALFWorld games with the native engine and TextWorld, side by side.

After every command of a partly random walk, compare the answer, the valid commands, the
whole state and whether the task is solved. Needs the extra ``alfworld``; a game takes
about 2 seconds, and a step 0.05::

    python -m tests.envs.alfworld.compare --split valid_unseen --steps 40
    python -m tests.envs.alfworld.compare --split generated --games 60 --planner

With ``--planner`` TextWorld's planner solves every game as well. It searches breadth
first, without a heuristic: most games take seconds, large kitchens a minute or more.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from aq_gym.envs.alfworld.engine import Engine
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.logic.rules import solved
from aq_gym.envs.alfworld.official import parse_game
from aq_gym.envs.alfworld.sources import (
    GENERATED,
    generated_games,
    official_games,
)

from .textworld_engine import TextworldEngine

SIGHTSEEING = {"examine", "go", "help", "inventory", "look"}


def remember_translations() -> None:
    """Cache TextWorld's translation, which it computes four times for each problem."""
    fast_downward: Any = importlib.import_module("fast_downward")
    translate = fast_downward.pddl2sas
    if not hasattr(translate, "cache_info"):
        fast_downward.pddl2sas = lru_cache(maxsize=4)(translate)


def differences(texts: Mapping[str, Any], steps: int, rng: random.Random) -> list[str]:
    """Return the first difference of a walk, or an empty list.

    Args:
        texts: The game in the official format.
        steps: The length of the walk.
        rng: The source of randomness.
    """
    native = Engine(parse_game(texts))
    reference = TextworldEngine(texts)
    found = _compare("opening", native.opening(), reference.opening())
    found += _compare_states(native, reference)
    solution = list(texts.get("walkthrough") or ())
    follow = rng.choice((0, len(solution) // 2, len(solution)))
    for number in range(steps):
        if found:
            break
        if number < follow:
            command = solution[number]
        else:
            command = _command(native.commands(), rng)
        answers = native.step(command), reference.step(command)
        found = _compare(f"answer to {command!r}", *answers)
        found += _compare_states(native, reference)
    return found


def _command(commands: tuple[str, ...], rng: random.Random) -> str:
    """Draw a command: mostly one that changes the state, sometimes invalid ones."""
    doing = [text for text in commands if text.split()[0] not in SIGHTSEEING]
    chance = rng.random()
    if chance < 0.03:
        return "dance on countertop 1"
    if doing and chance < 0.6:
        return rng.choice(doing)
    return rng.choice(commands)


def _compare(name: str, native: object, reference: object) -> list[str]:
    if native == reference:
        return []
    return [f"{name}: native {native!r}, TextWorld {reference!r}"]


def _compare_states(native: Engine, reference: TextworldEngine) -> list[str]:
    found = _compare("commands", native.commands(), reference.commands())
    found += _compare("state", native.state, reference.state)
    won = solved(native.house, native.state)
    return found + _compare("solved", won, reference.won)


def planned(texts: Mapping[str, Any]) -> tuple[list[str], float]:
    """Solve a game with TextWorld's planner, and play its plan with both engines.

    Args:
        texts: The game in the official format.

    Returns:
        The errors of the plan, empty if it solves the game in as few steps as our own;
        and the planner's processor time in seconds.
    """
    native = Engine(parse_game(texts))
    reference = TextworldEngine(texts)
    ours = plan(native.house, native.state) or ()
    begin = time.process_time()
    theirs = reference.plan()
    seconds = time.process_time() - begin
    found = _compare("length of the plan", len(ours), len(theirs))
    for command in theirs:
        answers = native.step(command), reference.step(command)
        found += _compare(f"answer to {command!r}", *answers)
    won = solved(native.house, native.state), reference.won
    return found + _compare("solved by the planner", won, (True, True)), seconds


def main() -> None:
    """Compare the games given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="generated")
    parser.add_argument("--games", type=int, default=0, help="0: all; generated: 60")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--planner", action="store_true")
    given = parser.parse_args()
    remember_translations()
    rng = random.Random(given.seed)
    if given.split in GENERATED:
        source: Any = generated_games(given.split, TASK_TYPES)
        ids = [
            f"{given.split}/{TASK_TYPES[number % 6]}/{given.seed + number // 6}"
            for number in range(given.games or 60)
        ]
    else:
        source = official_games(given.split, TASK_TYPES)
        ids = list(source.ids)
        if given.games:
            ids = sorted(rng.sample(ids, min(given.games, len(ids))))
    bad = 0
    times: dict[str, list[float]] = defaultdict(list)
    for task_id in ids:
        texts = source.get(task_id).texts()
        found = differences(texts, given.steps, rng)
        took = ""
        if given.planner and not found:
            found, seconds = planned(texts)
            times[task_id.split("/")[1].partition("-")[0]].append(seconds)
            took = f" planned in {seconds:.2f} s"
        bad += bool(found)
        head = "DIFFERENT" if found else "equal"
        print(f"{head:10}{task_id}{took}", *found, flush=True)
    for task_type, seconds_each in times.items():
        median, most = statistics.median(seconds_each), max(seconds_each)
        print(f"{task_type}: {len(seconds_each)} planned, {median:.2f} s, {most:.2f} s")
    print(f"{len(ids)} games, {given.steps} steps each: {bad} with a difference")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
