"""The actions with which an agent asks what it can do."""

from __future__ import annotations

from collections.abc import Iterable

from aq_gym.core.text import QUOTES, normalize

HELP = "check valid actions"
HELP_ACTIONS = frozenset({HELP, "check available actions", "help"})
_LONGEST = 40
# Every character for which str.isspace is true.
_SPACES = frozenset(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def help_initials(actions: Iterable[str]) -> frozenset[str]:
    """Return the first characters of all help actions.

    Checking one character avoids the full comparison for most texts.
    """
    initials = {action[0] for action in actions}
    return frozenset(initials | set(map(str.upper, initials)) | QUOTES | _SPACES)


def wants_help(text: str, actions: frozenset[str]) -> bool:
    """Return whether a text is one of the help actions."""
    bare = text.strip()
    return len(bare) <= _LONGEST and normalize(bare) in actions
