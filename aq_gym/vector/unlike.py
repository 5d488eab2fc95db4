"""Infos that cannot be merged together."""

from __future__ import annotations

__all__ = ["UnlikeError", "check_key", "check_name"]


class UnlikeError(Exception):
    """Raised if values cannot be merged in the fast way that was tried.

    Values of a key have different types, for instance, or a key could be that of a
    mask.
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


def check_name(name: str) -> None:
    """Raise if the name of a flag could be that of a mask or of an observation.

    Args:
        name: The name.

    Raises:
        UnlikeError: If it is not a str, begins with an underscore, or is "final_obs".
    """
    check_key(name)
    if name == "final_obs":
        raise UnlikeError
