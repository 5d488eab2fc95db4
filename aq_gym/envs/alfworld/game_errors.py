"""The errors of game files."""

from __future__ import annotations


class GameFileError(ValueError):
    """Raised for a game file that is malformed, too large or not supported."""


class UnknownGameError(GameFileError):
    """Raised for a game whose rules, wording or goal the native engine lacks."""
