"""Infos that cannot be merged together."""

from __future__ import annotations

__all__ = ["UnlikeError", "check_key"]


class UnlikeError(Exception):
    """Raised if infos must be merged in Gymnasium's way.

    This is if values of a key have different types, or a key could be that of a mask.
    """


def check_key(key: object) -> None:
    """Raise if a key could be that of a mask.

    Args:
        key: The key.

    Raises:
        UnlikeError: If it is not a str, or begins with an underscore.
    """
    if type(key) is not str or key[:1] == "_":
        raise UnlikeError
