"""Type checks of arguments."""

from __future__ import annotations

from collections.abc import Sequence


def check_type(
    name: str, value: object, kinds: type | tuple[type, ...], allowed: str
) -> None:
    """Raise if an argument has the wrong type; a bool is not accepted as a number.

    Args:
        name: The argument's name.
        value: Its value.
        kinds: The allowed types.
        allowed: The allowed types in words, for the message.

    Raises:
        TypeError: If the value has none of the types.
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    is_bool = isinstance(value, bool) and bool not in kinds
    if is_bool or not isinstance(value, kinds):
        raise TypeError(f"{name}={value!r:.200} must be {allowed}")


def texts(name: str, value: Sequence[str]) -> list[str]:
    """Return a list or tuple of str as a list; a single str is not accepted.

    Raises:
        TypeError: If the value is not a list or tuple of str.
    """
    if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return list(value)
    raise TypeError(f"{name}={value!r:.200} must be a list or tuple of str")
