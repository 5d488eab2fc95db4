"""Measure the time that training takes, in processor time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Budget:
    """A budget of processor time, or of updates.

    A budget of updates makes a run the same each time; one of time makes methods
    comparable.

    Args:
        seconds: The processor time of this process that may be used.
        updates: The number of updates instead.
    """

    def __init__(self, seconds: float, updates: int | None = None) -> None:
        self.seconds, self.updates, self.done = seconds, updates, 0
        self._began = time.process_time()

    @property
    def used(self) -> float:
        """The processor time that was used, in seconds."""
        return time.process_time() - self._began

    @property
    def share(self) -> float:
        """The share of the budget that was used, from 0.0; 1.0 or more at its end."""
        return self.done / self.updates if self.updates else self.used / self.seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the time of the block."""
        before = time.process_time()
        yield
        self._began += time.process_time() - before
