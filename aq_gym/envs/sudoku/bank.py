"""The packaged puzzles, and the instances made from them by symmetry."""

from __future__ import annotations

from functools import lru_cache, partial
from importlib.resources import files

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import NumberedTasks
from aq_gym.envs.sudoku.instance import Instance
from aq_gym.envs.sudoku.logic.layout import BLANK, layout
from aq_gym.envs.sudoku.logic.symmetry import image, image_count

# Singles solve every 4x4 puzzle, so there are no harder ones.
BANKS = {2: ("easy",), 3: ("easy", "medium", "hard")}
_SHOW = str.maketrans("abcdefghi", "123456789")
_BLANK = str.maketrans("abcdefghi", BLANK * 9)


def banked_tasks(box: int, difficulty: str, split: str) -> NumberedTasks[Instance]:
    """Return the packaged puzzles of one size, difficulty and split, with all images.

    A puzzle belongs to a split with all its images.

    Args:
        box: Rows and columns of a box, 2 or 3.
        difficulty: "easy", "medium" or "hard".
        split: "all", "train" or "test".
    """
    images = range(image_count(layout(box)))
    puzzles = {
        f"{file_stem(box, difficulty)}-{row}": images
        for row, puzzle in enumerate(bank_lines(box, difficulty))
        if in_split(puzzle, split)
    }
    make = partial(_image, box, difficulty)
    return NumberedTasks(puzzles, make, split, evenly=True)


def _image(
    box: int, difficulty: str, task_id: str, puzzle: str, number: int
) -> Instance:
    row = int(puzzle.rpartition("-")[2])
    board = image(layout(box), bank_lines(box, difficulty)[row], number)
    return Instance(
        task_id, difficulty, board.translate(_BLANK), board.translate(_SHOW)
    )


def file_stem(box: int, difficulty: str) -> str:
    """Return the name of a packaged file without its ending, as "9x9-easy"."""
    return f"{box * box}x{box * box}-{difficulty}"


@lru_cache
def bank_lines(box: int, difficulty: str) -> tuple[str, ...]:
    """Read the packaged puzzles: solutions, with letters where the puzzle is blank."""
    file = files("aq_gym.envs.sudoku") / "data" / f"{file_stem(box, difficulty)}.txt"
    return tuple(file.read_text("ascii").split())
