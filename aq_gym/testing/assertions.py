"""Assertions whose messages name the check, the environment and the step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_BEFORE = 20
_SHOWN = 120


class ContractError(AssertionError):
    """Raised if a check of the contract fails."""


def expect(condition: object, message: str) -> None:
    """Raise if a condition is false; unlike ``assert``, also under ``python -O``.

    Raises:
        ContractError: If the condition is false.
    """
    if not condition:
        raise ContractError(message)


def expect_raises(
    error: type[Exception], call: Callable[[], object], description: str
) -> None:
    """Raise if a call does not raise an error of a type.

    Raises:
        ContractError: If the call raises nothing.
    """
    try:
        call()
    except error:
        return
    raise ContractError(f"{description} did not raise {error.__name__}")


@contextmanager
def at(place: object) -> Iterator[None]:
    """Prefix the messages of errors raised inside with a place."""
    try:
        yield
    except ContractError as error:
        error.args = (f"{place}: {error}",)
        raise


def difference(first: str, second: str) -> str:
    """Return excerpts of two texts around their first difference."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    first_difference = next((place for place, (a, b) in pairs if a != b), shorter)
    start = max(0, first_difference - _BEFORE)
    end = start + _SHOWN
    dots = "..." if start else ""
    return f"{dots}{first[start:end]} and {dots}{second[start:end]}"
