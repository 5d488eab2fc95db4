"""Whether the environment's arguments are of the right kind."""

from __future__ import annotations

from typing import Any

__all__ = ["check_arguments"]

_LONGEST_LIMIT = 86_400
_SHOWN = 80


def check_arguments(arguments: dict[str, Any]) -> None:
    """Raise unless every argument is of a kind that the environment can use.

    Raises:
        TypeError: If one has the wrong type.
        ValueError: If one is out of range.
    """
    _check_text(arguments, "game", optional=False)
    _check_text(arguments, "games", optional=True)
    isolate = arguments["isolate"]
    if isolate is not None and not isinstance(isolate, bool):
        raise TypeError(f"isolate={_shown(isolate)}: give True, False or None")
    seconds = arguments["time_limit"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"time_limit={_shown(seconds)}: give seconds as a number")
    if not 0 < seconds <= _LONGEST_LIMIT:
        raise ValueError(
            f"time_limit={_shown(seconds)}: give seconds above 0, at most "
            f"{_LONGEST_LIMIT}"
        )
    score = arguments["max_score"]
    if score is not None and (isinstance(score, bool) or not isinstance(score, int)):
        raise TypeError(f"max_score={_shown(score)}: give an int, or None")
    if score is not None and score < 1:
        raise ValueError(f"max_score={score!r}: give a score above 0, or None")


def _check_text(arguments: dict[str, Any], name: str, optional: bool) -> None:
    value = arguments[name]
    if isinstance(value, str) or (optional and value is None):
        return
    # A path object would be lost where a spec is written as JSON.
    allowed = "a str or None" if optional else "a str"
    raise TypeError(f"{name}={_shown(value)}: give {allowed}; for a path, str(path)")


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
