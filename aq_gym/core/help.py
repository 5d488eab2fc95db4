"""The actions with which an agent asks what it can do."""

from __future__ import annotations

from aq_gym.core.text import normalize

HELP = "check valid actions"
HELP_ACTIONS = frozenset({HELP, "check available actions", "help"})
_LONGEST = 40


def wants_help(text: str, actions: frozenset[str] = HELP_ACTIONS) -> bool:
    """Return whether a text is one of the help actions."""
    bare = text.strip()
    return len(bare) <= _LONGEST and normalize(bare) in actions
