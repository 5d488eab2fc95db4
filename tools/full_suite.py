"""Write the suites ``full`` and ``standard``, in which no setting has a task twice.

``full`` has every benchmark and every variant. All instances are
generated or ship with the package, and are from the test splits, where there are
splits, so that an agent can't have learned them on the train splits. Each benchmark has
24 episodes or more; a level of BabyAI has two, and GAIA as many as there are questions.

``standard`` has the settings of ``quick``, with enough tasks for a comparison::

    python tools/full_suite.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym.registration import TABLE
from aq_gym.support.data import CANARY

FOLDER = Path(__file__).parents[1] / "aq_gym/evaluation/suites"
FULL = (
    "Every benchmark, every BabyAI level, PDDL domain, ALFWorld task type, cipher and "
    "packaged story, easy and hard, in the library's own step caps: test splits, "
    "nothing to download."
)
STANDARD = (
    "Thirty episodes of each setting of quick, enough to compare agents: at most "
    "{steps:,} steps."
)
EPISODES = 30
# These stories, levels and questions are too few to be divided.
_UNDIVIDED = {
    "aq/GAIA-v0",
    *("ferry", "lighthouse"),
    *("aq/BabyAI-text-GoToObjS4-v0", "aq/BabyAI-text-GoToObjS6-v0"),
}


def main() -> None:
    """Write the files, one row per line."""
    _write("full", FULL, _full())
    quick = json.loads((FOLDER / "quick.json").read_text())["tasks"]
    rows = [
        {**row, "seeds": _seeds(row["id"], row.get("kwargs", {}), EPISODES)}
        for row in quick
    ]
    steps = EPISODES * sum(row["max_steps"] for row in quick)
    _write("standard", STANDARD.format(steps=steps), rows)


def _write(name: str, description: str, rows: Iterable[Mapping[str, Any]]) -> None:
    lines = ",\n    ".join(map(json.dumps, rows))
    head = f'  "canary": "{CANARY}",\n  "name": "{name}",\n'
    head += f'  "description": {json.dumps(description)},\n'
    head += '  "defaults": {"max_invalid": 20},\n'
    (FOLDER / f"{name}.json").write_text(
        f'{{\n{head}  "tasks": [\n    {lines}\n  ]\n}}\n'
    )


def _full() -> Iterator[dict[str, Any]]:
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
