"""The actions with which an agent asks what it can do."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.core.text import QUOTES, normalize

HELP = "check valid actions"
HELP_ACTIONS = frozenset({HELP, "check available actions", "help"})
# Before an action that can be imitated, where forms have placeholders.
WORKS = "What works now: "
_LONGEST = 40


def wants_help(text: str, actions: frozenset[str] = HELP_ACTIONS) -> bool:
    """Return whether a text is one of the help actions."""
    bare = text.strip()
    if bare[:1].lower() not in _beginnings(actions):
        return False
    return len(bare) <= _LONGEST and normalize(bare) in actions


@lru_cache(maxsize=64)
def _beginnings(actions: frozenset[str]) -> frozenset[str]:
    """Return the first characters of help actions, for a quick test of most texts."""
    return QUOTES.union(action[:1] for action in actions)
