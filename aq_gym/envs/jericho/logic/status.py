"""The variables that a story's status line shows (section 8.2 of the standard)."""

from __future__ import annotations

_SCORE = 1
_TIME_FLAG = 0x02


def score_variable(story: bytes) -> int | None:
    """Return the number of the global variable that holds the score.

    In version 3 it is the second one, unless the status line shows the time. Later
    versions draw their status line themselves, from any variable.

    Args:
        story: The story file's content.

    Returns:
        The variable's number, the first being 0; None where there is none.
    """
    return _SCORE if story[0] == 3 and not story[1] & _TIME_FLAG else None
