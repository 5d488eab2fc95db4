"""Write the suite ``full``: every benchmark and every variant, easy and hard.

All of it is generated or ships with the package, and all of it is from the test
splits, so that what an agent learned on the train splits does not help it. Each
benchmark has 24 episodes or more; a level of BabyAI has two::

    python tools/full_suite.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aq_gym.registration import TABLE

FILE = Path(__file__).parents[1] / "aq_gym/evaluation/suites/full.json"
DESCRIPTION = (
    "Every benchmark, every BabyAI level, PDDL domain, ALFWorld task type, cipher and "
    "packaged story, easy and hard, in the library's own step caps: test splits, "
    "nothing to download."
)
DOMAINS = (
    "barman", "blocksworld", "ferry", "gripper", "hanoi", "logistics", "sokoban",
    "tyreworld",
)  # fmt: skip
TASK_TYPES = (
    "look_at_obj_in_light", "pick_and_place_simple", "pick_clean_then_place_in_recep",
    "pick_cool_then_place_in_recep", "pick_heat_then_place_in_recep",
    "pick_two_obj_and_place",
)  # fmt: skip
# Those with keys of one size, and those with easy and hard ones.
PLAIN_CIPHERS = ("caesar", "atbash", "affine")
SIZED_CIPHERS = ("vigenere", "railfence", "adfgvx")
GOALS = ((128, 10), (512, 10), (2048, 4))
STORIES = (
    "lighthouse", "keepsakes", "ferry", "clockwork", "museum", "mine", "bathyscaphe",
    "maze",
)  # fmt: skip


def main() -> None:
    """Write the file, one row per line."""
    rows = ",\n    ".join(json.dumps(row) for row in _rows())
    head = f'  "name": "full",\n  "description": {json.dumps(DESCRIPTION)},\n'
    FILE.write_text(f'{{\n{head}  "tasks": [\n    {rows}\n  ]\n}}\n')


def _rows() -> Iterator[dict[str, Any]]:
    for length in (4, 6):
        yield _row("aq/Mastermind-v0", 15, code_length=length)
    for difficulty in ("easy", "medium", "hard"):
        yield _row("aq/Sudoku-v0", 10, difficulty=difficulty)
    yield _row("aq/Sudoku-v0", 10, box=2)
    for difficulty in ("easy", "hard"):
        yield _row("aq/Hangman-v0", 12, difficulty=difficulty)
        yield _row("aq/Wordle-v0", 12, difficulty=difficulty)
    yield _row("aq/Wordle-v0", 6, hard_mode=True)
    for goal, episodes in GOALS:
        yield _row("aq/2048-v0", episodes, goal=goal)
    for row in TABLE:
        if row.family:
            yield _row(row.id, 2)
    for domain in DOMAINS:
        for difficulty in ("easy", "hard"):
            yield _row("aq/PDDL-v0", 4, domain=domain, difficulty=difficulty)
    for task_type in TASK_TYPES:
        yield _row("aq/ALFWorld-v0", 6, split="generated_test", task_type=task_type)
    for cipher in PLAIN_CIPHERS:
        yield _row("aq/Cipher-v0", 4, cipher=cipher)
    for cipher in SIZED_CIPHERS:
        for difficulty in ("easy", "hard"):
            yield _row("aq/Cipher-v0", 2, cipher=cipher, difficulty=difficulty)
    for facts in (3, 6):
        yield _row("aq/Mystery-v0", 12, facts=facts)
    for story in STORIES:
        yield _row("aq/Jericho-v0", 3, game=story)


def _row(env_id: str, episodes: int, **kwargs: Any) -> dict[str, Any]:
    kwargs = {"split": "test", **kwargs}
    return {"id": env_id, "kwargs": kwargs, "seeds": list(range(episodes))}


if __name__ == "__main__":
    main()
