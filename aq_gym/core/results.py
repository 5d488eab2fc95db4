"""The results of a benchmark's reset and step, and the state of an episode."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np


class Start(NamedTuple):
    """The result of a benchmark's ``_reset``.

    Attributes:
        observation: The first observation, with everything an agent needs to begin.
        goal: The goal in one sentence.
        task_id: The name of the instance, which ``reset(options={"task_id": ...})``
            accepts. It may reveal a secret, so it is for the evaluator only.
        difficulty: "easy" or "hard" by the paper's cutoff, or the benchmark's own
            grade; "" if there is none.
        labels: The groups of the instance, such as ``{"subject": "anatomy"}``: the
            summary of a run has scores for each group. Every instance of an env has the
            same keys. If there are none, ``info`` has no ``labels``.
    """

    observation: str
    goal: str
    task_id: str
    difficulty: str = ""
    labels: Mapping[str, str] = MappingProxyType({})


class Turn(NamedTuple):
    """The result of a benchmark's ``_step``.

    Attributes:
        observation: The next observation.
        action_valid: Whether the action could be carried out (grounding accuracy
            is its mean). An invalid action does not change the state.
        terminated: Whether the game itself is over; success always terminates.
        truncated: Whether the engine cannot continue; an error always truncates.
        feedback: The reason why the action is invalid and what would be valid; "" for
            a valid action.
        error: The reason why the engine failed, or ""; an error is never counted as a
            score.
    """

    observation: str
    action_valid: bool = True
    terminated: bool = False
    truncated: bool = False
    feedback: str = ""
    error: str = ""

    @classmethod
    def invalid(cls, why: str) -> Turn:
        """Return the result of an invalid action, with the reason as observation."""
        return cls(why, action_valid=False, feedback=why)


@dataclass(frozen=True, eq=False)
class EnvState:
    """The complete state of an episode: picklable, comparable and hashable.

    Attributes:
        identity: The class and constructor arguments of the env that returned it.
        random: The state of the bit generator, and the seed of ``np_random``.
        best_progress: The highest progress so far.
        over: Whether the episode has ended.
        world: The benchmark's own state.
        observation: The last observation, which ``render`` returns. An invalid action
            changes only this, so it is ignored by ``==``.
        memory: What the agent has seen so far, for pictures; ignored by ``==`` too.
    """

    identity: tuple[str, str]
    random: tuple[Mapping[str, Any], int]
    best_progress: float
    over: bool
    world: Any
    observation: str
    memory: Any = None

    @cached_property
    def key(self) -> str:
        """A digest that is the same for equal states, in every process."""
        return digest(self._compared())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnvState):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        try:
            generator = frozenset(self.random[0]["state"].items())
            return hash((self.best_progress, self.over, self.world, generator))
        except TypeError:
            # Some part can't be hashed, such as an array.
            return hash(self.key)

    def _compared(self) -> tuple[Any, ...]:
        return self.identity, self.random, self.best_progress, self.over, self.world


def digest(value: object) -> str:
    """Return a digest of a value, as 32 hexadecimal digits.

    Equal values have the same digest, if a class compares its attributes, or the values
    that its ``__reduce__`` returns.

    Args:
        value: Numbers, texts, bytes, arrays, containers, dataclasses, enums and objects
            whose attributes, or arguments in ``__reduce__``, are of these types.
    """
    parts = "".join(_parts(value))
    return hashlib.blake2b(
        parts.encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def _parts(value: object) -> Iterator[str]:
    """Yield an unambiguous text: every part has a length or an end mark."""
    if value is None:
        yield "n;"
    elif isinstance(value, Enum):
        yield f"e{type(value).__name__}.{value.name};"
    elif isinstance(value, str):
        yield f"s{len(value)}:{value}"
    elif isinstance(value, bool | int | np.bool_ | np.integer):
        yield f"i{int(value)};"
    elif isinstance(value, float | np.floating):
        # Equal numbers must have equal digests, and 1.0 equals 1.
        number = float(value)
        yield f"i{int(number)};" if number.is_integer() else f"f{number!r};"
    elif isinstance(value, bytes | bytearray | memoryview):
        yield f"b{bytes(value).hex()};"
    elif isinstance(value, np.ndarray):
        yield f"a{value.dtype.str}{value.shape}"
        yield from _parts(value.tolist() if value.dtype.hasobject else value.tobytes())
    else:
        yield from _container_parts(value)


def _container_parts(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        yield f"{'l' if isinstance(value, list) else 't'}{len(value)}:"
        for item in value:
            yield from _parts(item)
    elif isinstance(value, Mapping):
        pairs = ("".join([*_parts(key), *_parts(item)]) for key, item in value.items())
        yield f"m{len(value)}:{''.join(sorted(pairs))}"
    elif isinstance(value, Set):
        yield f"u{len(value)}:{''.join(sorted(''.join(_parts(v)) for v in value))}"
    else:
        yield f"o{type(value).__qualname__}:"
        if type(value).__reduce__ is object.__reduce__:
            yield from _parts(_attributes(value))
        else:
            # Its attributes may be caches, which can differ between equal values.
            yield from _parts(value.__reduce__()[1:])


def _attributes(value: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.compare]
    else:
        slots = (getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
        names = [name for group in slots for name in _names(group)]
        names += getattr(value, "__dict__", {})
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _names(slots: str | tuple[str, ...]) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)
