"""Conditions on a story's state, written as lists in the annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from aq_gym.envs.jericho.logic import Memory

Symbols: TypeAlias = Mapping[str, Mapping[str, int]]


class View(NamedTuple):
    """The state that a predicate is evaluated on.

    Attributes:
        memory: The story's current memory.
        score: The current score.
        won: Whether the story says that it is won.
    """

    memory: Memory
    score: int
    won: bool


Predicate: TypeAlias = Callable[[View], bool]


def compile_predicate(
    when: Sequence[Any], player: int, symbols: Symbols | None = None
) -> Predicate:
    """Make a predicate from its list.

    The forms are the following; objects, attributes and globals are numbers, or names
    in the symbols: ``[at, room]``, ``[held, thing]`` (its parent *is* the player),
    ``[worn, thing, attribute]``, ``[in, thing, container]``, ``[not in, thing,
    container]``, ``[here, thing]`` and ``[gone, thing]`` (whether it is anywhere),
    ``[has, thing, attribute]``, ``[lacks, thing, attribute]``, ``[score, least]``,
    ``[global, variable, value]``, ``[won]``, ``[and, ...]``, ``[or, ...]``, ``[not,
    ...]``.

    Args:
        when: The list.
        player: The player's object.
        symbols: Numbers by name, for ``objects``, ``attributes`` and ``globals``.

    Raises:
        ValueError: If the list has none of these forms.
    """
    form, *arguments = when
    if form in _COMBINED:
        parts = [compile_predicate(part, player, symbols) for part in arguments]
        return _COMBINED[form](parts)
    if form not in _FORMS:
        known = ", ".join(sorted({*_FORMS, *_COMBINED}))
        raise ValueError(f"when={list(when)!r}: the form is one of {known}")
    kinds, make = _FORMS[form]
    if len(arguments) != len(kinds):
        raise ValueError(f"when={list(when)!r}: {form!r} takes {len(kinds)} arguments")
    numbers = [_number(a, k, symbols) for a, k in zip(arguments, kinds, strict=True)]
    return make(player, *numbers)


def _number(argument: Any, kind: str, symbols: Symbols | None) -> int:
    if isinstance(argument, int):
        return argument
    if symbols is None or not kind or argument not in symbols[kind]:
        raise ValueError(f"{argument!r} is not one of the story's {kind or 'numbers'}")
    return symbols[kind][argument]


def _at(player: int, room: int) -> Predicate:
    return lambda view: view.memory.is_in(player, room)


def _held(player: int, thing: int) -> Predicate:
    return lambda view: view.memory.parent(thing) == player


def _worn(player: int, thing: int, attribute: int) -> Predicate:
    return lambda view: (
        view.memory.parent(thing) == player and view.memory.attribute(thing, attribute)
    )


def _in(player: int, thing: int, container: int) -> Predicate:
    return lambda view: view.memory.parent(thing) == container


def _not_in(player: int, thing: int, container: int) -> Predicate:
    return lambda view: view.memory.parent(thing) != container


def _here(player: int, thing: int) -> Predicate:
    return lambda view: view.memory.parent(thing) != 0


def _gone(player: int, thing: int) -> Predicate:
    return lambda view: view.memory.parent(thing) == 0


def _has(player: int, thing: int, attribute: int) -> Predicate:
    return lambda view: view.memory.attribute(thing, attribute)


def _lacks(player: int, thing: int, attribute: int) -> Predicate:
    return lambda view: not view.memory.attribute(thing, attribute)


def _score(player: int, least: int) -> Predicate:
    return lambda view: view.score >= least


def _global(player: int, variable: int, value: int) -> Predicate:
    return lambda view: view.memory.variable(variable) == value


def _won(player: int) -> Predicate:
    return lambda view: view.won


def _all(parts: list[Predicate]) -> Predicate:
    return lambda view: all(part(view) for part in parts)


def _any(parts: list[Predicate]) -> Predicate:
    return lambda view: any(part(view) for part in parts)


def _none(parts: list[Predicate]) -> Predicate:
    return lambda view: not any(part(view) for part in parts)


_COMBINED: dict[str, Callable[[list[Predicate]], Predicate]] = {
    "and": _all,
    "or": _any,
    "not": _none,
}
_OBJECT, _ATTRIBUTE, _GLOBAL, _VALUE = "objects", "attributes", "globals", ""
_FORMS: dict[str, tuple[tuple[str, ...], Callable[..., Predicate]]] = {
    "at": ((_OBJECT,), _at),
    "held": ((_OBJECT,), _held),
    "worn": ((_OBJECT, _ATTRIBUTE), _worn),
    "in": ((_OBJECT, _OBJECT), _in),
    "not in": ((_OBJECT, _OBJECT), _not_in),
    "here": ((_OBJECT,), _here),
    "gone": ((_OBJECT,), _gone),
    "has": ((_OBJECT, _ATTRIBUTE), _has),
    "lacks": ((_OBJECT, _ATTRIBUTE), _lacks),
    "score": ((_VALUE,), _score),
    "global": ((_GLOBAL, _VALUE), _global),
    "won": ((), _won),
}
