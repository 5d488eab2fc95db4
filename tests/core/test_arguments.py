"""Arguments have the annotated types, or the error names the argument."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import gymnasium as gym
import pytest

from aq_gym.core.arguments import argument_hints, check_arguments

if TYPE_CHECKING:
    from decimal import Decimal


class Named(str, Enum):  # noqa: UP042 (what users have)
    ONE = "one"


def function(
    name: str,
    count: int | None,
    seconds: float,
    flag: bool,
    level: Literal["easy", "hard"] | None,
    kinds: str | Sequence[str],
    pair: tuple[str, float],
    whatever,
) -> None: ...


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "", "count": 3, "seconds": 2.5, "flag": True},
        {"count": None, "seconds": 2, "level": None},
        {"level": "easy", "kinds": "a"},
        {"kinds": ["a", "b"]},
        {"kinds": ("a", "b")},
        {"pair": ("a", 1.5)},
        {"pair": ["a", 2]},
        {"whatever": object(), "unheard_of": object()},
    ],
)
def test_what_fits_passes(arguments):
    check_arguments(function, arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": Path("x")}, r"name=\w+Path\('x'\) must be a str$"),
        ({"count": "3"}, "count='3' must be an int or None$"),
        ({"count": True}, "count=True must be an int or None$"),
        ({"count": 1.0}, "count=1.0 must be an int or None$"),
        ({"seconds": "1"}, "seconds='1' must be a float$"),
        ({"seconds": True}, "seconds=True must be a float$"),
        ({"flag": 1}, "flag=1 must be a bool$"),
        ({"level": 3}, "level=3 must be 'easy' or 'hard' or None$"),
        ({"kinds": ["a", 1]}, "must be a str or a list of str$"),
        ({"name": Named.ONE}, "name=<Named.ONE: 'one'> must be a str$"),
        ({"kinds": {"a": 1}}, "must be a str or a list of str$"),
        ({"pair": 0.5}, "pair=0.5 must be a list: a str, a float$"),
        ({"pair": "ab"}, "must be a list: a str, a float$"),
        ({"pair": ["a"]}, "must be a list: a str, a float$"),
        ({"pair": ["a", "b"]}, "must be a list: a str, a float$"),
    ],
)
def test_another_type_is_named(arguments, message):
    with pytest.raises(TypeError, match=message):
        check_arguments(function, arguments)


def test_another_choice_is_named():
    message = "^level='odd': choose one of easy, hard, None$"
    with pytest.raises(ValueError, match=message):
        check_arguments(function, {"level": "odd"})


def test_names_for_type_checkers_alone_are_no_error():
    def exact(amount: Decimal) -> None: ...

    check_arguments(exact, {"amount": "much"})


@pytest.mark.parametrize("name", ["ALFWorld", "BabyAI-text", "PDDL", "Sudoku"])
def test_every_environment_checks_its_own(name):
    with pytest.raises(TypeError, match=r"list_actions='no' must be a bool"):
        gym.make(f"aq/{name}-v0", list_actions="no")
    with pytest.raises(TypeError, match=r"=1\.5 must be "):
        first = {"ALFWorld": "game", "BabyAI-text": "level", "PDDL": "domain"}
        gym.make(f"aq/{name}-v0", **{first.get(name, "box"): 1.5})


class Shared(TypedDict, total=False):
    """Arguments that several functions share."""

    seed: int


def test_shared_arguments_are_unpacked():
    def both(level: str, **shared: Unpack[Shared]) -> None: ...

    hints = argument_hints(both)
    assert hints == {"level": str, "seed": int, "return": type(None)}


def test_an_argument_that_does_not_exist_is_named_with_those_that_do():
    message = "'code_lenght': it has code_length, symbols, .*, list_actions, explain"
    with pytest.raises(TypeError, match=message):
        gym.make("aq/Mastermind-v0", code_lenght=4)
