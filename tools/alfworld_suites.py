"""Write ALFWorld's two suites of 134 tasks.

``data/suite_agentboard.json`` lists the official valid_unseen games by their index in
the order of their paths, in which the published environments play them. The number of
games of each type is published (Yao et al., "ReAct", table 3); the types are in the
order of their names. ``data/suite_generated.json`` has as many generated households of
each type, from the test split::

    python tools/alfworld_suites.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "aq_gym/envs/alfworld/data"
COUNTS = {
    "look_at_obj_in_light": 18,
    "pick_and_place_simple": 24,
    "pick_clean_then_place_in_recep": 31,
    "pick_cool_then_place_in_recep": 21,
    "pick_heat_then_place_in_recep": 23,
    "pick_two_obj_and_place": 17,
}
EASY = ("look_at_obj_in_light", "pick_and_place_simple")
# AgentBoard's own labels: only placing one object is easy.
AGENTBOARD_EASY = ("pick_and_place_simple",)


def main() -> None:
    """Write the suites."""
    types = [task for task, count in COUNTS.items() for _ in range(count)]
    official = [
        {
            **_task(
                task,
                {"split": "valid_unseen", "game": place, "protocol": "agentboard"},
                0,
                AGENTBOARD_EASY,
            ),
            "progress": "agentboard_reward",
        }
        for place, task in enumerate(types)
    ]
    generated = [
        _task(task, {"split": "generated_test", "task_type": task}, seed)
        for seed, task in enumerate(types)
    ]
    _write("suite_agentboard.json", official)
    _write("suite_generated.json", generated)


def _task(
    task_type: str, kwargs: dict[str, Any], seed: int, easy: tuple[str, ...] = EASY
) -> dict[str, Any]:
    return {
        "id": "aq/ALFWorld-v0",
        "kwargs": kwargs,
        "seed": seed,
        "max_steps": 30,
        "difficulty": "easy" if task_type in easy else "hard",
    }


def _write(name: str, tasks: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(task) for task in tasks)
    (FOLDER / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
