"""The packaged puzzles, and the endless instances made of them."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from aq_gym.envs.sudoku.instance import Instance
from aq_gym.envs.sudoku.logic.layout import BLANK, layout
from aq_gym.envs.sudoku.logic.symmetry import image, image_count
from aq_gym.splits import in_split

# Singles solve every 4x4 puzzle, so that there is no harder one.
BANKS = {2: ("easy",), 3: ("easy", "medium", "hard")}
_SHOW = str.maketrans("abcdefghi", "123456789")
_BLANK = str.maketrans("abcdefghi", BLANK * 9)
_TASK_ID = re.compile(r"(.*-)([0-9]{1,9})-([0-9]{1,18})")


class Bank(NamedTuple):
    """The puzzles of one size, difficulty and split.

    A puzzle belongs to a split with all its images: what makes it train or test is
    the packaged puzzle that it is an image of.

    Attributes:
        box: Rows and columns of a box.
        difficulty: "easy", "medium" or "hard".
        split: "all", "train" or "test".
    """

    box: int
    difficulty: str
    split: str

    def draw(self, rng: np.random.Generator) -> Instance:
        """Draw an image of a puzzle, each with the same chance."""
        rows = _rows(*self)
        row = rows[int(rng.integers(len(rows)))]
        return self._instance(row, int(rng.integers(image_count(layout(self.box)))))

    def find(self, task_id: object) -> Instance:
        """Make an instance again.

        Raises:
            ValueError: If the bank has none of that name.
        """
        prefix = self._prefix()
        images = image_count(layout(self.box))
        match = _TASK_ID.fullmatch(task_id) if isinstance(task_id, str) else None
        if match and match[1] == prefix:
            row, number = int(match[2]), int(match[3])
            if row in _rows(*self) and number < images:
                return self._instance(row, number)
        raise ValueError(
            f"task_id={task_id!r}: give {prefix}PUZZLE-IMAGE, where PUZZLE is below "
            f"{len(bank_lines(self.box, self.difficulty))} and belongs to "
            f"split={self.split!r}, and IMAGE is below {images}"
        )

    def _instance(self, row: int, number: int) -> Instance:
        line = bank_lines(self.box, self.difficulty)[row]
        board = image(layout(self.box), line, number)
        return Instance(
            f"{self._prefix()}{row}-{number}",
            self.difficulty,
            board.translate(_BLANK),
            board.translate(_SHOW),
        )

    def _prefix(self) -> str:
        return f"{file_stem(self.box, self.difficulty)}-"


def file_stem(box: int, difficulty: str) -> str:
    """Return the name of a packaged file without its ending, as "9x9-easy"."""
    return f"{box * box}x{box * box}-{difficulty}"


@lru_cache
def bank_lines(box: int, difficulty: str) -> tuple[str, ...]:
    """Read the packaged puzzles: the solution, with letters where it is blank."""
    file = files("aq_gym.envs.sudoku") / "data" / f"{file_stem(box, difficulty)}.txt"
    return tuple(file.read_text("ascii").split())


@lru_cache
def _rows(box: int, difficulty: str, split: str) -> tuple[int, ...]:
    lines = bank_lines(box, difficulty)
    return tuple(i for i, line in enumerate(lines) if in_split(line, split))
