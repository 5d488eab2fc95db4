"""Private random numbers for packages that use the process's global generators."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np

__all__ = ["PrivateRandomness"]

# The generators of the process are swapped, so one thread at a time may do it.
_LOCK = RLock()


class PrivateRandomness:
    """A private state for the generators of ``random`` and ``numpy.random``.

    Within :meth:`active` the generators of the process have this state; afterwards they
    have their own again, so that neither an environment nor its user changes the random
    numbers of the other. Other threads that draw from them meanwhile are not protected.
    """

    def __init__(self) -> None:
        self._python: Any = random.Random(0).getstate()
        self._numpy: Any = np.random.RandomState(0).get_state()

    def seed(self, seed: int) -> None:
        """Seed both generators.

        Args:
            seed: The seed, from 0 to 2**32 - 1.
        """
        self._python = random.Random(seed).getstate()
        self._numpy = np.random.RandomState(seed).get_state()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Use the private state until the end of the block."""
        with _LOCK:
            python, numpy = random.getstate(), np.random.get_state()
            random.setstate(self._python)
            np.random.set_state(self._numpy)
            try:
                yield
            finally:
                self._python, self._numpy = random.getstate(), np.random.get_state()
                random.setstate(python)
                np.random.set_state(numpy)
