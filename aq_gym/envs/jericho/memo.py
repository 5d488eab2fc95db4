"""Answers that depend on a story's moment alone, worked out once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from aq_gym.envs.jericho.session import Moment

__all__ = ["Memo"]

T = TypeVar("T")


class Memo(Generic[T]):
    """Remembers the latest answers for all environments of a process.

    Trying out commands takes many milliseconds, and copies, replays and vectors of
    environments ask the same of the same moments.

    Args:
        most: How many answers are kept.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[bytes, bytes], T] = OrderedDict()

    def answer(self, story: bytes, moment: Moment, work_out: Callable[[], T]) -> T:
        """Return what is remembered, or work it out."""
        ram, stack, *registers = moment.snapshot
        digest = hashlib.blake2b(ram, digest_size=16)
        digest.update(stack)
        digest.update(repr((registers, moment[1:])).encode())
        key = story, digest.digest()
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = work_out()
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return found
