"""The reference policy: it reads the file, calculates, and answers."""

from __future__ import annotations

from typing import Any

from aq_gym.envs.gaia.desk import Desk
from aq_gym.envs.gaia.files import PAGE, UnreadableFileError, read_text
from aq_gym.envs.gaia.milestones import Milestone, numbers_in


def next_call(desk: Desk) -> tuple[str, dict[str, Any]]:
    """Return the name of a tool and its arguments.

    The policy is privileged: it knows the annotated steps and the answer. It reads the
    first page of every file and each page with a value of a step, carries out the
    calculations in the steps, and gives the answer.
    """
    left = [
        one for at, one in enumerate(desk.question.milestones) if at not in desk.reached
    ]
    for name in _readable_names(desk):
        for page in _worth_reading(desk, name, left):
            if (name, page) not in desk.pages_read:
                given = {"name": name, "page": page}
                return "read_file", given if page > 1 else {"name": name}
    for one in left:
        if one.expression:
            return "calculate", {"expression": one.expression}
    return "answer", {"answer": desk.question.answer or "unknown"}


def _readable_names(desk: Desk) -> tuple[str, ...]:
    try:
        return desk.names()
    except UnreadableFileError:  # The archive is damaged.
        return ()


def _worth_reading(desk: Desk, name: str, left: list[Milestone]) -> list[int]:
    assert desk.question.file is not None
    try:
        text = read_text(desk.question.file, name)
    except UnreadableFileError:
        return []
    pages = [1]
    for start in range(PAGE, len(text), PAGE):
        part = text[start : start + PAGE]
        folded, numbers = part.casefold(), numbers_in(part)
        if any(one.is_in(folded, numbers) for one in left):
            pages.append(start // PAGE + 1)
    return pages
