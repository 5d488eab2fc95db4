"""Replies of a story to what was typed."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.zmachine import Answer, Status


class StoryFailedError(RuntimeError):
    """Raised if a story fails or exceeds its instruction budget."""


class Reply(NamedTuple):
    """A story's reply to a line.

    Attributes:
        text: The story's words, without the prompt.
        understood: Whether the parser understood the line.
    """

    text: str
    understood: bool


def checked(answer: Answer) -> Answer:
    """Return an answer.

    Raises:
        StoryFailedError: If the story failed.
    """
    if answer.status is Status.FAILED:
        raise StoryFailedError(answer.error)
    return answer
