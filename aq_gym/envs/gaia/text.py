"""The words of the environment."""

from __future__ import annotations

from collections.abc import Mapping

from aq_gym.core.text import plural
from aq_gym.envs.gaia.logic.desk import Question
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
    ends = (
        f"A wrong answer can be followed by another, {plural(retries, 'time')}."
        if retries
        else "Your first answer counts."
    )
    return (
        "Answer a question; files and tools help. "
        f"Each action is {calls} of a tool, as {names['calculate']}[12 * (3 + 4)] or "
        f"{names['answer']}[Lisbon]; name(argument=value) and JSON, "
        '{"name": ..., "arguments": {...}}, are read, too. '
        "An answer is a number, as few words as possible, or a list with commas: "
        "numbers in digits and without a unit, words without articles and "
        f"abbreviations, unless the question asks for them. {ends}\n"
        f"The tools:\n{tools.text()}"
    )


def opening(question: Question) -> str:
    """Return the question as the agent reads it.

    Args:
        question: The question.
    """
    attached = f"\nFile: {question.file.name}" if question.file else ""
    return f"Question: {question.question}{attached}"


def retries_left(count: int) -> str:
    """Return what follows a wrong answer.

    Args:
        count: How many more answers can be given.
    """
    if not count:
        return ""
    return f" You can answer {'once' if count == 1 else f'{count} times'} more."
