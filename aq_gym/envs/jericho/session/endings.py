"""Recognize the end of a story, and a story that is won, by its words."""

from __future__ import annotations

import re

# After the end a story offers these three, or another game, and nothing else.
_OFFERS = (
    re.compile(r"\b(?:restart|start over)\b", re.IGNORECASE),
    re.compile(r"\brestore\b", re.IGNORECASE),
    re.compile(r"\b(?:quit|end this session)\b", re.IGNORECASE),
)
_LONGEST_OFFER = 400
_LONGEST_TAIL = 80
_AGAIN = re.compile(
    r"\b(?:another game|play again|start the game again)\b[^\n?]*\?[^\n]{0,30}\Z|"
    r"-end of session-+\Z",
    re.IGNORECASE,
)
_WON = re.compile(
    r"\*{2,}\s*(?:you have won|you win|you won)|"
    # The last words of stories with other endings, as far as Jericho lists them.
    r"\b(?:finished|completed) (?:the story of|your mission)|"
    r"bring pig back to farm|triumph to the land of heroes|saved the traveling circus|"
    r"good job, matey|ends the first chapter of the enchanter|our plan worked|"
    r"step onto the landing ramp|\*\*\* it's over \*\*\*|will discover your bones|"
    r"can i have my key back|left las mesas|saved your job|the game's totally over|"
    r"holmes, we find ourselves in your debt|you have snacked|"
    r"matchless service to the guild|so it can also produce absolute evil|"
    r"-end of session-",
    re.IGNORECASE,
)


def asks_to_restart(text: str) -> bool:
    """Return whether a text ends with the question that a story asks after its end.

    It asks whether to restart, restore or quit, in any order and with other choices, or
    whether to play again. One story waits for a last key.

    Args:
        text: The story's text, with or without its prompt.
    """
    end = text.rstrip("> \n\t")[-_LONGEST_OFFER:]
    if _AGAIN.search(end):
        return True
    offers = [[found.end() for found in offer.finditer(end)] for offer in _OFFERS]
    if not all(offers):
        return False
    tail = end[max(map(max, offers)) :]
    return len(tail) <= _LONGEST_TAIL and "\n\n" not in tail


def says_won(text: str) -> bool:
    """Return whether the last text of a story says that it is won."""
    return _WON.search(" ".join(text.split())) is not None
