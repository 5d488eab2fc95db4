"""The actions with which an agent asks what it can do."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.core.text import normalize

HELP = "check valid actions"
HELP_ACTIONS = frozenset({HELP, "check available actions", "help"})
_LONGEST = 40


def wants_help(text: str, actions: frozenset[str] = HELP_ACTIONS) -> bool:
    """Return whether a text is one of the help actions."""
    letter = _shared_letter(actions)
    if letter not in text and letter.upper() not in text:
        return False
    bare = text.strip()
    return len(bare) <= _LONGEST and normalize(bare) in actions


@lru_cache(maxsize=64)
def _shared_letter(actions: frozenset[str]) -> str:
    """Return a letter that all actions have, "" without one: most texts lack it."""
    # No other character than A to Z is one of a to z in lower case, except for k.
    return max(set("abcdefghijlmnopqrstuvwxyz").intersection(*actions), default="")
