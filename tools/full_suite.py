"""Write the suite ``full``: every benchmark and every variant, easy and hard.

All of it is generated or ships with the package, and all of it is from the test splits,
where there is one, so that what an agent learned on the train splits does not help it.
Each benchmark has 24 episodes or more; a level of BabyAI has two, and GAIA as many as
there are questions. No task is played twice in one setting::

    python tools/full_suite.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym.registration import TABLE

FILE = Path(__file__).parents[1] / "aq_gym/evaluation/suites/full.json"
DESCRIPTION = (
    "Every benchmark, every BabyAI level, PDDL domain, ALFWorld task type, cipher and "
    "packaged story, easy and hard, in the library's own step caps: test splits, "
    "nothing to download."
)
# These stories, levels and questions are too few to be divided.
_UNDIVIDED = {
    "aq/GAIA-v0",
    *("ferry", "lighthouse"),
    *("aq/BabyAI-text-GoToObjS4-v0", "aq/BabyAI-text-GoToObjS6-v0"),
}


def main() -> None:
    """Write the file, one row per line."""
    rows = ",\n    ".join(json.dumps(row) for row in _rows())
    head = f'  "name": "full",\n  "description": {json.dumps(DESCRIPTION)},\n'
    head += '  "defaults": {"max_invalid": 20},\n'
    FILE.write_text(f'{{\n{head}  "tasks": [\n    {rows}\n  ]\n}}\n')


def _rows() -> Iterator[dict[str, Any]]:
    for row in TABLE:
        for episodes, kwargs in row.suite:
            whole = {row.id, kwargs.get("game")} & _UNDIVIDED
            given = {**({} if whole else {"split": "test"}), **kwargs}
            seeds = _seeds(row.id, given, episodes)
            yield {"id": row.id, "kwargs": given, "seeds": seeds}


def _seeds(env_id: str, kwargs: dict[str, Any], count: int) -> list[int]:
    """Return the first seeds that play different tasks."""
    env = gym.make(env_id, **kwargs)
    found: dict[str, int] = {}
    for seed in range(20 * count):
        found.setdefault(env.reset(seed=seed)[1]["task_id"], seed)
        if len(found) == count:
            return [*found.values()]
    raise ValueError(f"{env_id} has only {len(found)} tasks with {kwargs}")


if __name__ == "__main__":
    main()
