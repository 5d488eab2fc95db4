"""Write ALFWorld's two suites of 134 tasks, in 30 steps each.

``agentboard-alfworld`` names the official valid_unseen games by their place in the
order of their paths, in which AgentBoard plays them; the numbers of games of each type
are published (Yao et al., "ReAct", table 3), and the order of the types is that of
their names. ``alfworld-generated`` has as many generated households of each type, from
the test split::

    python tools/alfworld_suites.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "aq_gym/evaluation/suites"
COUNTS = {
    "look_at_obj_in_light": 18,
    "pick_and_place_simple": 24,
    "pick_clean_then_place_in_recep": 31,
    "pick_cool_then_place_in_recep": 21,
    "pick_heat_then_place_in_recep": 23,
    "pick_two_obj_and_place": 17,
}
EASY = ("look_at_obj_in_light", "pick_and_place_simple")


SUITES = {
    "agentboard-alfworld": (
        "AgentBoard's ALFWorld: the 134 official valid_unseen games in 30 steps; "
        "get them with `aq-gym download alfworld`."
    ),
    "alfworld-generated": (
        "134 generated households of ALFWorld's test split in 30 steps, as many of "
        "each type as the official games; needs no data."
    ),
}


def main() -> None:
    """Write both."""
    types = [task for task, count in COUNTS.items() for _ in range(count)]
    official = [
        _row(task, {"split": "valid_unseen", "game": place}, {"seed": 0})
        for place, task in enumerate(types)
    ]
    generated = [
        _row(
            task,
            {"split": "generated_test", "task_type": task},
            {"seeds": list(range(count))},
        )
        for task, count in COUNTS.items()
    ]
    for (name, description), rows in zip(
        SUITES.items(), (official, generated), strict=True
    ):
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        (FOLDER / f"{name}.json").write_text(
            f'{{\n  "name": {json.dumps(name)},\n'
            f'  "description": {json.dumps(description)},\n'
            f'  "tasks": [\n{lines}\n  ]\n}}\n',
            encoding="utf-8",
        )


def _row(
    task_type: str, kwargs: dict[str, Any], seeds: dict[str, Any]
) -> dict[str, Any]:
    return {
        "id": "aq/ALFWorld-v0",
        "kwargs": kwargs,
        **seeds,
        "max_steps": 30,
        "difficulty": "easy" if task_type in EASY else "hard",
    }


if __name__ == "__main__":
    main()
