from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from aq_gym.core.results import digest


class Color(Enum):
    RED = 1


class Pair(NamedTuple):
    one: int
    two: str


@dataclass(frozen=True)
class Point:
    x: int
    seen: int = field(default=0, compare=False)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Cached:
    """A number that caches its text."""

    def __init__(self, number):
        self.number = number

    def asked(self):
        self.text = str(self.number)
        return self

    def __reduce__(self):
        return Cached, (self.number,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (True, 1),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1, 2, 3}, frozenset({3, 2, 1})),
        (Point(1, 2), Point(1, 3)),
        (Pair(1, "a"), (1, "a")),
        (np.arange(3), np.arange(3)),
        (Slots(5), Slots(5)),
        (Cached(5), Cached(5).asked()),
    ],
)
def test_equal(one, other):
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),
        ([1, 2], (1, 2)),
        ("1", 1),
        (b"a", "a"),
        (Point(1), Point(2)),
        (Slots(5), Slots(6)),
        (Cached(5), Cached(6)),
        (Color.RED, 1),
        (np.arange(3), np.arange(3.0)),
        ([], {}),
    ],
)
def test_different(one, other):
    assert digest(one) != digest(other)


def test_a_digest_never_changes():
    assert digest({"a": [1, 2.5, "x", None]}) == "d938003b9ddf6eea1404b55b5cef139a"
