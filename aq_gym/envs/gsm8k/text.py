"""The words of the environment."""

from __future__ import annotations

from collections.abc import Mapping

from aq_gym.core.text import plural
from aq_gym.tools import Toolbox

__all__ = ["instructions", "opening", "retries_left"]


def instructions(
    tools: Toolbox, names: Mapping[str, str], retries: int, parallel: bool
) -> str:
    """Return the explanation of the task, with the tools.

    Args:
        tools: The tools.
        names: The names of the tools in this episode by their original names.
        retries: How many wrong answers can be followed by another.
        parallel: Whether several calls can be made in one step.
    """
    calls = "one or more calls" if parallel else "one call"
    first, last = names["calculate"], names["answer"]
    ends = (
        f"A wrong answer can be followed by another, {plural(retries, 'time')}."
        if retries
        else "Your first answer counts."
    )
    return (
        "Solve a word problem step by step. "
        f"Each action is {calls} of a tool, as {first}[12 * (3 + 4)] or {last}[84]; "
        "name(argument=value) and JSON, "
        '{"name": ..., "arguments": {...}}, are read, too. '
        f"What counts is each value on the way, when you calculate or state it on its "
        f"own, and the right answer. {ends}\nThe tools:\n{tools.text()}"
    )


def opening(question: str) -> str:
    """Return the question as the agent reads it."""
    return f"Problem: {question}"


def retries_left(count: int) -> str:
    """Return what follows a wrong answer."""
    if not count:
        return ""
    return f" You can answer {'once' if count == 1 else f'{count} times'} more."
