"""Menus, and other moments at which a story waits for a single key."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aq_gym.envs.jericho.session.responses import tidy

_KEY = re.compile(r"(RETURN|ENTER|SPACE|ESC|[A-Z]) ?= ?([a-z]+(?: [a-z]+)*)")
# Menus are laid out for a screen of a fixed width.
_GAP = re.compile(r" {10,}")


def menu_keys(text: str) -> tuple[str, ...]:
    """Return a menu's keys and their uses, as ``N = next subject``."""
    return tuple(f"{key} = {use}" for key, use in _KEY.findall(text))


def menu_text(rows: Sequence[str], text: str) -> str:
    """Return the text to show while a story waits for a key.

    Args:
        rows: The upper window. A menu is drawn there, and shown without its keys;
            a status line is left out where there is other text.
        text: The lower window's new text.
    """
    menu = "\n".join(rows)
    if menu_keys(menu) or not text.strip():
        text = f"{_GAP.sub('', _KEY.sub('', menu))}\n\n{text}"
    return tidy(text)
