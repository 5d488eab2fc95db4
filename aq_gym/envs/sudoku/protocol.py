"""AgentQuest's rules for texts, moves and answers.

Written from its published code. Its sentences are read from the user's checkout;
without one the texts are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.sudoku.logic.game import SudokuGame
from aq_gym.envs.sudoku.logic.layout import BLANK
from aq_gym.papers.agentquest import tutorial, words

_MOVE = re.compile(r"row:\s*(\d+),\s*column:\s*(\d+),\s*value:\s*(\d+)")
_FORM = "Write a move in this form: Row: <0-8>, Column: <0-8>, Value: <1-9>"
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


class AgentQuest:
    """AgentQuest's driver of Sudoku.

    Rows and columns are counted from 0. A digit can be replaced, but not cleared, and a
    full board ends the game.
    """

    def __init__(self) -> None:
        self._words = words("sudoku", _OURS)

    def opening(self, game: SudokuGame) -> str:
        """Return the first text."""
        (rules,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(rules.fill(), _shown(game))

    def prompt(self) -> PublishedPrompt | None:
        """Return the message of its tutorial, None without a checkout."""

        def played(answer: str) -> str:
            move = self.read(answer)
            fits = move and max(move[:2]) <= 8 and 1 <= move[2] <= 9
            return str(move[2]) if move and fits else ""

        path = "agentquest/tutorial/sudoku-tutorial-langchain.ipynb"
        return tutorial(path, self._words, played)

    def read(self, action: str) -> tuple[int, int, int] | None:
        """Return row, column and value in a text."""
        match = _MOVE.search(action.lower())
        if match is None:
            return None
        return _number(match[1]), _number(match[2]), _number(match[3])

    def canonical(self, action: str) -> str | None:
        """Return the move in a text as its numbers, None if it has none."""
        move = self.read(action)
        return move and "Row: {}, Column: {}, Value: {}".format(*move)

    def write(self, cell: int, digit: str) -> str:
        """Return a move as an action."""
        return f"Row: {cell // 9}, Column: {cell % 9}, Value: {digit}"

    def play(self, game: SudokuGame, action: str) -> Turn:
        """Make a move."""
        move = self.read(action)
        if move is None:
            return Turn.invalid(self._words["parse_agent_output"][0].fill())
        row, column, value = move
        if not 1 <= value <= 9:
            return Turn.invalid(self._words["check_value"][0].fill())
        if max(row, column) > 8:
            return Turn.invalid(self._words["check_row_column"][0].fill())
        *_, won, lost = self._words["step"]
        if refusal := self.refusal(game, 9 * row + column, str(value)):
            return Turn.invalid(refusal)
        game.put(9 * row + column, str(value))
        if game.empty:
            return Turn(_shown(game))
        return Turn((won if game.solved else lost).fill(), terminated=True)

    def refusal(self, game: SudokuGame, cell: int, digit: str) -> str:
        """Return why a digit is refused in a cell, "" if it is not."""
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

    def moves(self, game: SudokuGame) -> Iterator[str]:
        """Yield the moves that are not refused."""
        for cell in range(81):
            for digit in "123456789":
                if not self.refusal(game, cell, digit):
                    yield self.write(cell, digit)

    def expert(self, game: SudokuGame) -> str:
        """Return a move to the solution, one that is not refused if there is one."""
        wrong = [k for k, now in enumerate(game.cells) if now != game.solution[k]]
        moves = [(cell, game.solution[cell]) for cell in wrong]
        free = (one for one in moves if not self.refusal(game, *one))
        return self.write(*next(free, moves[0]))


def _number(text: str) -> int:
    # Longer numbers are out of range, and int() refuses very long ones.
    return int(text) if len(text) < 999 else 999


def _shown(game: SudokuGame) -> str:
    cells = [cell if cell != BLANK else "*" for cell in game.cells]
    return str([cells[k : k + 9] for k in range(0, 81, 9)])


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
