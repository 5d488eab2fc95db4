"""What a story shows while it waits for a single key: menus, and "press any key"."""

from __future__ import annotations

import re

from aq_gym.envs.jericho.outcome import tidy

__all__ = ["menu_keys", "tidy_menu"]

_KEY = re.compile(r"(RETURN|ENTER|SPACE|ESC|[A-Z]) ?= ?([a-z]+(?: [a-z]+)*)")
# The screen's places are lost: what stood far apart is told by the blanks between.
_GAP = re.compile(r" {20,}")
_CURSOR = re.compile(r"^ *>? *$", re.MULTILINE)


def menu_keys(text: str) -> tuple[str, ...]:
    """Return a menu's keys and what they do, as ``N = next subject``."""
    return tuple(f"{key} = {use}" for key, use in _KEY.findall(text))


def tidy_menu(text: str) -> str:
    """Strip what the interpreter adds, and a menu's keys, which are told apart."""
    if menu_keys(text):
        text = _KEY.sub("\n", _GAP.sub("\n", text))
    return tidy(_CURSOR.sub("", text))
