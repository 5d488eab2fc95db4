"""Do AgentBoard's reference paths lead to its golden tables in our sheet?

Its workbook and its tasks are files that the user has: a checkout of
https://github.com/hkust-nlp/AgentBoard with its data, or another copy of them. The
answer sheets of the workbook are compared with the golden tables too, with merged
cells shown in each of their cells, as AgentBoard reads tables, and only in the first.
Of the to-do list, the start is compared with the golden end states.
"""

from __future__ import annotations

import argparse
import json
from typing import cast

from aq_gym.envs.tooloperation.agentboard import BoardTask, board_tasks
from aq_gym.envs.tooloperation.agentboard_sheet import SHEET_TOOLS, BoardSheet
from aq_gym.tools import Call


def path_table(task: BoardTask) -> tuple[tuple[str, ...], ...]:
    """Return the table to which the reference path of a task leads."""
    session = cast(BoardSheet, task.session())
    for step in task.route:
        result = SHEET_TOOLS.run(session, Call(step.tool, step.arguments))
        if not result.valid:
            print(f"{task.sheet}: {step.tool}: {result.text}")
    return tuple(map(tuple, session.table()))


def answer_table(task: BoardTask, merged: bool) -> tuple[tuple[str, ...], ...]:
    """Return what the answer sheet of a task shows."""
    name = task.sheet.replace("Sheet", "Answer")
    tables = dict(task.source)
    if not merged:
        grid = tables[name].grid._replace(merged=frozenset())
        tables[name] = tables[name]._replace(grid=grid)
    return tuple(map(tuple, BoardSheet(tables, name).table()))


def main() -> None:
    """Compare all tables, and print those that differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="the folder with AgentBoard's files")
    options = parser.parse_args()
    tasks = board_tasks("sheet", options.data)
    made: dict[str, list[str]] = {}
    for task_id in tasks.ids:
        task = tasks.get(task_id)
        tables = {
            "reference path": path_table(task),
            "answer sheet": answer_table(task, merged=True),
            "answer sheet, merged cells in the first only": answer_table(task, False),
        }
        for kind, table in tables.items():
            other = made.setdefault(kind, [])
            if table != task.golden:
                other.append(task.sheet)
    lists = board_tasks("todo", options.data)
    starts = [lists.get(one) for one in lists.ids]
    same = sum(
        json.dumps(one.session().status(), sort_keys=True) == one.status  # type: ignore[attr-defined]
        for one in starts
    )
    print(f"to-do list: {same} of {len(starts)} golden end states equal the start")
    for kind, names in made.items():
        equal = len(tasks.ids) - len(names)
        others = f"; not {', '.join(names)}" if names else ""
        print(f"{kind}: {equal} of {len(tasks.ids)} equal{others}")


if __name__ == "__main__":
    main()
