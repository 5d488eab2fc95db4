"""Cache answers that depend only on a story's state."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from aq_gym.envs.jericho.session.moment import Moment

T = TypeVar("T")


class Cache(Generic[T]):
    """Keeps the latest answers for all environments of a process.

    Trying out commands takes milliseconds, and copies, replays and vectors of
    environments ask the same of the same moments.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[bytes, bytes], T] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, story: bytes, moment: Moment, work_out: Callable[[], T]) -> T:
        """Return the cached answer, or compute it.

        Args:
            story: The story's digest.
            moment: The moment.
            work_out: Returns the answer where none is kept.
        """
        answer = self.get(story, moment)
        if answer is None:
            answer = work_out()
            self.keep(story, moment, answer)
        return answer

    def get(self, story: bytes, moment: Moment) -> T | None:
        """Return the cached answer, or None."""
        key = story, _digest(moment)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def keep(self, story: bytes, moment: Moment, answer: T) -> None:
        """Cache an answer."""
        with self._lock:
            self._answers[story, _digest(moment)] = answer
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)


def _digest(moment: Moment) -> bytes:
    snapshot, *fields = moment
    digest = hashlib.blake2b(repr(fields).encode(), digest_size=16)
    for part in snapshot.parts:
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()
