"""A space of free text, with shared memory that works in ``AsyncVectorEnv``."""

from __future__ import annotations

import copy
import multiprocessing
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium.spaces import Text
from gymnasium.vector.utils import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)
from numpy.typing import NDArray

_LENGTH_BYTES = 4
_UTF8_BYTES_PER_CHARACTER = 4
_SAMPLE_LENGTH = 64
# string.printable, without the regular expressions that importing string compiles.
_PRINTABLE = "".join(map(chr, range(32, 127))) + "\t\n\r\v\f"


class FreeText(Text):
    """The space of every ``str`` up to a maximum length.

    Gymnasium's ``Text`` rejects whitespace, punctuation and non-ASCII characters by
    default, and inspects every character to do so; this space only checks the length.
    Two spaces are equal if their lengths are equal.

    Args:
        max_length: The maximum length in characters, at least 1.
        min_length: The minimum length in characters, from 0 to ``max_length``.
        seed: The seed of ``sample``, which draws short printable ASCII texts.

    Raises:
        ValueError: If a length is out of its range.
    """

    def __init__(
        self,
        max_length: int = 100_000,
        *,
        min_length: int = 0,
        seed: int | None = None,
    ) -> None:
        if max_length < 1:
            raise ValueError(f"max_length={max_length} must be at least 1")
        super().__init__(
            max_length, min_length=min_length, charset=_PRINTABLE, seed=seed
        )

    def contains(self, x: Any) -> bool:
        """Return whether ``x`` is a ``str`` of an allowed length."""
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length

    def sample(
        self,
        mask: tuple[int | None, NDArray[Any] | None] | None = None,
        probability: tuple[int | None, NDArray[Any] | None] | None = None,
    ) -> str:
        """Draw a short printable text; with a mask, draw as Gymnasium's ``Text``."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        longest = max(self.min_length, min(self.max_length, _SAMPLE_LENGTH))
        length = int(self.np_random.integers(self.min_length, longest + 1))
        picks = self.np_random.integers(0, len(self.character_list), length)
        return "".join(self.character_list[pick] for pick in picks)

    def __deepcopy__(self, memo: dict[int, Any]) -> FreeText:
        """Share the tables of characters, which never change."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        if self._np_random is not None:
            copied._np_random = copy.deepcopy(self._np_random, memo)
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the lengths and the generator, without the tables of characters."""
        lengths = self.max_length, self.min_length
        return _restore, (type(self), *lengths, self._np_random)

    def __repr__(self) -> str:
        return f"FreeText({self.max_length}, min_length={self.min_length})"

    def __eq__(self, other: object, /) -> bool:
        return (
            isinstance(other, FreeText)
            and self.min_length == other.min_length
            and self.max_length == other.max_length
        )

    __hash__ = None  # type: ignore[assignment]  # mutable, like every Gymnasium space


def _restore(
    space_type: type[FreeText],
    max_length: int,
    min_length: int,
    np_random: np.random.Generator | None,
) -> FreeText:
    space = space_type(max_length, min_length=min_length)
    if np_random is not None:
        space._np_random = np_random
    return space


class _SharedTexts(Sequence[str]):
    """A live view of shared memory; a deep copy is a tuple of the current texts."""

    def __init__(self, space: FreeText, memory: Any, n: int) -> None:
        self._slots = [_slot(space, memory, index) for index in range(n)]

    def __len__(self) -> int:
        return len(self._slots)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(map(_read, self._slots[index]))
        return _read(self._slots[index])

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


def _slot(space: FreeText, memory: Any, index: int) -> memoryview:
    size = _slot_size(space)
    view = memoryview(memory.get_obj()).cast("B")
    return view[index * size : (index + 1) * size]


def _slot_size(space: FreeText) -> int:
    return _LENGTH_BYTES + _UTF8_BYTES_PER_CHARACTER * space.max_length


def _read(slot: memoryview) -> str:
    length = int.from_bytes(slot[:_LENGTH_BYTES], "little")
    data = bytes(slot[_LENGTH_BYTES : _LENGTH_BYTES + length])
    return data.decode("utf-8", "surrogatepass")


@create_shared_memory.register(FreeText)
def _create(space: FreeText, n: int = 1, ctx: ModuleType = multiprocessing) -> Any:
    return ctx.Array("B", n * _slot_size(space))


@read_from_shared_memory.register(FreeText)
def _view(space: FreeText, shared_memory: Any, n: int = 1) -> _SharedTexts:
    return _SharedTexts(space, shared_memory, n)


@write_to_shared_memory.register(FreeText)
def _write(space: FreeText, index: int, value: str, shared_memory: Any) -> None:
    if len(value) > space.max_length:
        raise ValueError(
            f"observation of {len(value)} characters exceeds "
            f"max_length={space.max_length}; increase max_length of the space"
        )
    data = value.encode("utf-8", "surrogatepass")
    slot = _slot(space, shared_memory, index)
    slot[_LENGTH_BYTES : _LENGTH_BYTES + len(data)] = data
    slot[:_LENGTH_BYTES] = len(data).to_bytes(_LENGTH_BYTES, "little")
