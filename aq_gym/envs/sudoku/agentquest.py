"""AgentQuest's protocol of Sudoku, written from its published code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.sudoku.game import BLANK, Layout, SudokuGame
from aq_gym.envs.sudoku.protocol import Move, SudokuProtocol
from aq_gym.papers.agentquest import tutorial, words

_MOVE = re.compile(r"row:\s*(\d+),\s*column:\s*(\d+),\s*value:\s*(\d+)")
_FORM = "Write a move in this form: Row: <0-8>, Column: <0-8>, Value: <1-9>"
# Our texts, used if there is no checkout with AgentQuest's.
_OURS = {
    "get_initial_instructions": (f"Fill the Sudoku. {_FORM}\n",),
    "reset": ("{}The board now:\n{}",),
    "step": (
        "Refused: the box has {} already.",
        "Refused: {} is already in row {}.",
        "Refused: {} is already in column {}.",
        "Refused: this digit was given at the start.",
        "You have solved it!",
        "The board is full, but wrong.",
    ),
    "parse_agent_output": (f"That is not a move. {_FORM}",),
    "check_value": ("values go from 1 to 9", "values go from 1 to 9"),
    "check_row_column": ("rows and columns go from 0 to 8",),
}


class AgentQuestProtocol(SudokuProtocol):
    """AgentQuest's protocol: counting starts at 0, and a full board ends the game.

    A digit can be replaced, but not cleared. The sentences are read from the user's
    checkout of AgentQuest; without a checkout our own are used.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True

    def __init__(self, layout: Layout, allow_conflicts: bool) -> None:
        super().__init__(layout, allow_conflicts)
        if layout.box != 3 or allow_conflicts:
            raise ValueError(
                "protocol='agentquest' needs box=3 and allow_conflicts=False"
            )
        self._words = words("sudoku", _OURS)

    def opening(self, game: SudokuGame, instructions: bool) -> str:
        """Return the first observation, which always explains the game."""
        (rules,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(rules.fill(), _shown(game))

    def moves(self, game: SudokuGame) -> Iterator[Move]:
        """Yield the moves that are not refused."""
        for cell in range(81):
            for digit in "123456789":
                if not self._refusal(game, cell, digit):
                    yield _move_to(cell, digit)

    def advice(self, game: SudokuGame, cell: int, symbol: str) -> Move:
        """Return a move towards the solution, if possible one that is not refused."""
        wrong = [k for k, now in enumerate(game.cells) if now != game.solution[k]]
        moves = [(k, game.solution[k]) for k in wrong]
        free = (move for move in moves if not self._refusal(game, *move))
        return _move_to(*next(free, moves[0]))

    def read(self, game: SudokuGame, text: str) -> Move | None:
        """Find a move anywhere in an answer."""
        return _move_in(text)

    def play(self, game: SudokuGame, move: Move) -> Turn:
        """Make a move, unless it is out of range or breaks a rule."""
        row, column, value = move
        if value is None or not 1 <= value <= 9:
            return Turn.invalid(self._words["check_value"][0].fill())
        if max(row, column) > 8:
            return Turn.invalid(self._words["check_row_column"][0].fill())
        *_, won, lost = self._words["step"]
        if refusal := self._refusal(game, 9 * row + column, str(value)):
            return Turn.invalid(refusal)
        game.put(9 * row + column, str(value))
        if game.empty:
            return Turn(_shown(game))
        return Turn((won if game.solved else lost).fill(), terminated=True)

    def refuse(self, game: SudokuGame, text: str) -> Turn:
        """Describe the form of a move."""
        return Turn.invalid(self._words["parse_agent_output"][0].fill())

    def prompt(self, game: SudokuGame) -> PublishedPrompt | None:
        """Return the message of AgentQuest's tutorial, None without a checkout."""

        def played(answer: str) -> str:
            move = _move_in(answer)
            fits = move and max(move[:2]) <= 8 and 1 <= (move.value or 0) <= 9
            return str(move.value) if move and fits else ""

        path = "agentquest/tutorial/sudoku-tutorial-langchain.ipynb"
        return tutorial(path, self._words, played)

    def _refusal(self, game: SudokuGame, cell: int, digit: str) -> str:
        """Explain why a digit is refused in a cell; "" if it is not."""
        in_box, in_row, in_column, given, *_ = self._words["step"]
        row, column = divmod(cell, 9)
        corner = cell - 9 * (row % 3) - column % 3
        if any(digit in game.cells[k : k + 3] for k in range(corner, corner + 27, 9)):
            return in_box.fill(digit)
        if digit in game.cells[9 * row : 9 * row + 9]:
            return in_row.fill(digit, row)
        if digit in game.cells[column::9]:
            return in_column.fill(digit, column)
        return given.fill() if game.is_given(cell) else ""


def _move_in(text: str) -> Move | None:
    match = _MOVE.search(text.lower())
    return Move(*map(_number, match.groups())) if match else None


def _number(text: str) -> int:
    # Longer numbers are out of range, and int() refuses very long ones.
    return int(text) if len(text) < 999 else 999


def _move_to(cell: int, digit: str) -> Move:
    return Move(cell // 9, cell % 9, int(digit))


def _shown(game: SudokuGame) -> str:
    cells = [cell if cell != BLANK else "*" for cell in game.cells]
    return str([cells[k : k + 9] for k in range(0, 81, 9)])
