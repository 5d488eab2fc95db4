"""The packaged puzzles, and the instances made from them by symmetry."""

from __future__ import annotations

from functools import lru_cache, partial
from importlib.resources import files

from aq_gym.core.tasks import BankedTasks
from aq_gym.envs.sudoku.instance import Instance
from aq_gym.envs.sudoku.logic.layout import BLANK, layout
from aq_gym.envs.sudoku.logic.symmetry import image, image_count

# Singles solve every 4x4 puzzle, so there are no harder ones.
BANKS = {2: ("easy",), 3: ("easy", "medium", "hard")}
_SHOW = str.maketrans("abcdefghi", "123456789")
_BLANK = str.maketrans("abcdefghi", BLANK * 9)


def banked_tasks(box: int, difficulty: str, split: str) -> BankedTasks[Instance]:
    """Return the packaged puzzles of one size, difficulty and split, with all images.

    A puzzle belongs to a split with all its images.

    Args:
        box: Rows and columns of a box, 2 or 3.
        difficulty: "easy", "medium" or "hard".
        split: "all", "train" or "test".
    """
    return BankedTasks(
        bank_lines(box, difficulty),
        image_count(layout(box)),
        partial(_image, box, difficulty),
        file_stem(box, difficulty),
        split,
    )


def _image(box: int, difficulty: str, task_id: str, row: int, number: int) -> Instance:
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
