r"""Are AgentQuest's own instances judged here as by its own drivers?

Plays the suite ``agentquest-official`` in both, with the same actions, and counts the
steps at which success, the end (``can_proceed``), the progress or the refusal of a move
differ, and the episodes whose repetition rate differs from that of ``metrics.export``.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein
    python benchmarks/agentquest_official.py agentquest
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from agentquest_games import GAMES, load

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.evaluation import Suite, Task
from aq_gym.wrappers import RepetitionRate

MIXES = {"random": 0.0, "mixed": 0.6, "expert": 1.0}
REPEATED = 0.1
STEPS = 60


def driver_of(task: Task, checkout: Path, env: Any) -> tuple[Any, Any]:
    """Make AgentQuest's driver of a task, and the class of its actions."""
    name = task.id.removeprefix("aq/").removesuffix("-v0")
    if name in GAMES:
        make_driver, make_action = load(checkout, GAMES[name])
        (goal,) = env.unwrapped.secrets()
        return make_driver(goal), make_action
    from agentquest.benchmarks.sudoku.driver import (  # type: ignore[import-not-found]
        SudokuAction,
        SudokuDriver,
    )

    (solution,) = env.unwrapped.secrets()
    start = task.kwargs["puzzle"].replace(".", "*")
    return SudokuDriver(rows_of(solution), rows_of(start)), SudokuAction


def rows_of(board: str) -> list[list[str]]:
    """Return a board of 81 cells as AgentQuest has it."""
    return [list(board[k : k + 9]) for k in range(0, 81, 9)]


def action_of(task: Task, action: str, make: Any) -> Any:
    """Return an action for AgentQuest, None where it has none."""
    if task.id != "aq/Sudoku-v0":
        valid = GAMES[task.id.removeprefix("aq/").removesuffix("-v0")].valid
        said = action.lower().removeprefix("guess").strip(": ")
        return make(value=said) if re.fullmatch(valid_of(task, valid), said) else None
    numbers = re.findall(r"\d+", action)
    if len(numbers) != 3:
        return None
    row, column, value = map(int, numbers)
    return make(row=row - 1, column=column - 1, value=str(value))


def valid_of(task: Task, pattern: str) -> str:
    """Return the pattern of an action: codes have several lengths."""
    return r"\d+" if task.id == "aq/Mastermind-v0" else pattern


def drawn(task: Task, env: Any, rng: np.random.Generator) -> str:
    """Draw an action; in Sudoku any digit in any cell, so that many are refused."""
    if task.id != "aq/Sudoku-v0":
        return str(env.unwrapped.sample_action(rng))
    row, column, value = (int(n) for n in rng.integers(1, 10, size=3))
    return f"Row: {row}, Column: {column}, Value: {value}"


def walk(task: Task, checkout: Path, expert: float, number: int) -> Counter[str]:
    """Play one task in both, and count the differences."""
    env: Any = RepetitionRate(gym.make(task.id, **task.kwargs), compare_to="all")
    _, info = env.reset(seed=0)
    driver, make = driver_of(task, checkout, env)
    driver.reset()
    rng = np.random.default_rng(number)
    key = task.progress
    counts: Counter[str] = Counter(episodes=1)
    start = driver.metrics.progress_function(driver.current_state)
    counts["start"] += key != "progress" and abs(info[key] - start) > 1e-9
    said: list[str] = []
    actions: list[Any] = []
    for _ in range(STEPS):
        if said and rng.random() < REPEATED:
            text = said[int(rng.integers(len(said)))]
        elif rng.random() < expert:
            text = env.unwrapped.expert_action()
        else:
            text = drawn(task, env, rng)
        action = action_of(task, text, make)
        if action is None:
            continue
        said.append(text)
        actions.append(action)
        _, _, over, _, info = env.step(text)
        theirs = driver.step(action)
        counts["steps"] += 1
        if task.id == "aq/Sudoku-v0":
            refused = theirs.output.startswith("Inadmissible")
            counts["refusal"] += info["action_valid"] == refused
        progress = driver.metrics.progress_function(driver.current_state)
        counts["progress"] += abs(info[key] - progress) > 1e-9
        counts["end"] += over == theirs.can_proceed
        counts["success"] += info["success"] != theirs.success
        if over or not theirs.can_proceed:
            break
    theirs_repeated = driver.metrics.repetition_function(theta_a=1.0, actions=actions)
    counts["repetitions"] += info["repetitions"] != theirs_repeated
    counts["successes"] += info["success"]
    env.close()
    return counts


def main() -> None:
    """Play the suite and print the counts of each benchmark and mix."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    parser.add_argument("--limit", type=int, default=160, help="how many instances")
    options = parser.parse_args()
    os.environ["AGENTQUEST_DATA"] = str(options.checkout)
    tasks = Suite.load("agentquest-official").tasks[: options.limit]
    for name in dict.fromkeys(task.id for task in tasks):
        for mix, share in MIXES.items():
            total: Counter[str] = Counter()
            for number, task in enumerate(tasks):
                if task.id == name:
                    total += walk(task, options.checkout, share, number)
            print(name, mix, dict(total), flush=True)


if __name__ == "__main__":
    main()
