"""Check arguments, and resolve functions given as ``"module:function"``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


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


class Reference:
    """A function that is copied and pickled as its name.

    The function itself need not be picklable; rapidfuzz's functions are not.
    """

    def __init__(self, name: str, argument: str) -> None:
        """Import the function.

        Args:
            name: ``"module:function"`` or ``"module:Class.method"``.
            argument: The name of the argument that holds it, for error messages.
        """
        self._name = name
        self._argument = argument
        self._function = _find(name, argument)

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self._function(*arguments)

    def __reduce__(self) -> tuple[type[Reference], tuple[str, str]]:
        """Support pickling and copying by name."""
        return Reference, (self._name, self._argument)


def resolve(function: str | Callable[..., Any], argument: str) -> Callable[..., Any]:
    """Return a callable, given directly or by its name.

    Args:
        function: A callable, which is returned unchanged, or ``"module:function"``.
        argument: The name of the argument that holds it, for error messages.

    Raises:
        TypeError: If it is neither a str nor callable, or does not name a callable.
        ValueError: If the name cannot be found.
    """
    if isinstance(function, str):
        return Reference(function, argument)
    if not callable(function):
        raise TypeError(
            f"{argument} must be a callable or 'module:function', got {function!r}"
        )
    return function


def names_module(text: str) -> bool:
    """Return whether a text has the form ``"module:name"``."""
    module, _, name = text.partition(":")
    identifiers = all(part.isidentifier() for part in module.split("."))
    return identifiers and name != "" and not name[0].isspace()


def _find(name: str, argument: str) -> Callable[..., Any]:
    module_name, _, path = name.partition(":")
    if not names_module(name):
        raise ValueError(f"{argument}={name!r} is not of the form 'module:function'")
    try:
        found: Any = importlib.import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{argument}={name!r} cannot be imported: {error}") from error
    if not callable(found):
        raise TypeError(f"{argument}={name!r} names {found!r}, not a callable")
    # Typed as Any, because only callability was checked.
    return found  # type: ignore[no-any-return]
