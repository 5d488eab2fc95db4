"""The goals of a task, as ScienceWorld reports them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_HEADINGS = {"Sequential Subgoals:": 0, "Unordered and Optional Subgoals:": 1}


class Goal(NamedTuple):
    """One goal."""

    name: str
    reached: bool


class Goals(NamedTuple):
    """The goals of a task.

    Attributes:
        sequential: Those that must be reached, in this order, to solve the task.
        optional: Further ones, in any order, which raise ScienceWorld's score.
    """

    sequential: tuple[Goal, ...]
    optional: tuple[Goal, ...]


def parse(report: str) -> Goals:
    """Parse ScienceWorld's report on the progress to the goal.

    Args:
        report: A heading for each of the two lists, and a line for each goal: number,
            "true" or "false", kind and description, separated by tabs.

    Raises:
        ValueError: If a line does not have this form.
    """
    lists: tuple[list[Goal], list[Goal]] = ([], [])
    current = lists[0]
    for line in report.splitlines():
        if line in _HEADINGS:
            current = lists[_HEADINGS[line]]
        elif "\t" in line:
            _, reached, kind, description = line.split("\t")
            name = description.strip() or _words(kind.strip())
            current.append(Goal(name, reached == "true"))
    distinct = tuple(_distinct([*lists[0], *lists[1]]))
    return Goals(distinct[: len(lists[0])], distinct[len(lists[0]) :])


def _words(kind: str) -> str:
    """Return the name of a kind, such as GoalIsStateOfMatter, as words."""
    letters = (f" {c.lower()}" if c.isupper() else c for c in kind)
    return "".join(letters).removeprefix(" goal").strip()


def _distinct(goals: list[Goal]) -> Iterator[Goal]:
    """Number the names that occur more than once."""
    counts = Counter(goal.name for goal in goals)
    seen: Counter[str] = Counter()
    for goal in goals:
        seen[goal.name] += 1
        if counts[goal.name] > 1:
            yield goal._replace(name=f"{goal.name} ({seen[goal.name]})")
        else:
            yield goal
