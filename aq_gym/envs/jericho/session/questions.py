"""Questions of a story's parser, and lines that do not answer them."""

from __future__ import annotations

import re
from typing import NamedTuple

# No story knows this word: as an answer it makes a parser drop its question.
NONSENSE = "zzqxzz"
_ASKS = re.compile(
    r"(?:^\W*|[.!?)] )(?:which|what|whom?|where)\b[^\n.!?]*\?\W*\Z", re.I | re.M
)
_WALK = re.compile(
    r"(north|south|(?:north|south)?(?:east|west)|[nsewud]|[ns][ew]|up|down|in|out)"
    r"(?=$|[.,;]| then\b)"
)


class Question(NamedTuple):
    """A question that the parser asks in the middle of its work.

    Attributes:
        text: Its words.
        depth: How many routines deep the story reads an ordinary command.
    """

    text: str
    depth: int


def asked_back(
    text: str, depth: int, before: int, pending: Question | None
) -> Question | None:
    """Return the parser's question that a story waits to have answered, if any.

    Inform's parser asks from within, so that more routines are running than at an
    ordinary prompt. Questions that want a yes or no are the story's own.

    Args:
        text: The story's latest text.
        depth: How many routines are running.
        before: How many were, at the prompt before.
        pending: The question at that prompt.
    """
    usual = pending.depth if pending else before
    if depth <= usual:
        return None
    found = _ASKS.search(text)
    return Question(found.group(), usual) if found else pending


def is_walk(line: str, question: Question) -> bool:
    """Return whether a line begins with a direction that does not answer the question.

    A direction is an answer if the question names it, or asks for a way.
    """
    direction = _WALK.match(line)
    if direction is None:
        return False
    wanted = rf"\b(?:{direction.group(1)}|way|direction)\b"
    return not re.search(wanted, question.text, re.I)
