"""An array that grows by columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from aq_gym.wrappers._letters import Numbers

_FEWEST = 64


class Columns:
    """An array to which columns are appended, in a constant time on average."""

    def __init__(self, rows: int, dtype: type[np.generic]) -> None:
        """Start without columns.

        Args:
            rows: The number of rows.
            dtype: The type of the numbers.
        """
        self._array: Numbers = np.zeros((rows, _FEWEST), dtype)
        self._size = 0

    def append(self, column: Any) -> None:
        """Append a column.

        Args:
            column: The numbers, one for each row, or one for all.
        """
        rows, capacity = self._array.shape
        if self._size == capacity:
            more = np.zeros((rows, capacity // 2), self._array.dtype)
            self._array = np.concatenate([self._array, more], axis=1)
        self._array[:, self._size] = column
        self._size += 1

    @property
    def values(self) -> Numbers:
        """The columns so far, as a view."""
        return self._array[:, : self._size]
