"""AgentQuest's rules for texts, moves and answers.

Written from its published code. Its sentences are read from the user's checkout;
without one the texts are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from aq_gym.core.prompt import PublishedChat
from aq_gym.core.results import Turn
from aq_gym.envs.game2048.logic.board import Board, Direction, moved
from aq_gym.envs.game2048.logic.game import Game2048
from aq_gym.papers.agentquest import tutorial, words

_MOVE = re.compile(r"move:\s*([wasd])")
_KEYS: dict[str, Direction] = {"w": "up", "s": "down", "a": "left", "d": "right"}
_FORM = "Write a move in this form: Move: <w|a|s|d>"
_OURS = {
    "get_initial_instructions": (f"Slide and merge the tiles up to 2048. {_FORM}\n",),
    "step": (
        "The move changes nothing.\n\n{}",
        "You have made the tile.\n\n{}",
        "You have lost: no move is left.\n\n{}",
        "Your next move:\n\n{}",
    ),
    "parse_agent_output": (f"That is not a move. {_FORM}",),
}


class AgentQuest:
    """AgentQuest's driver of 2048, which has 4x4 cells."""

    def __init__(self) -> None:
        self._words = words("twothousandfortyeight", _OURS)

    def opening(self, game: Game2048) -> str:
        """Return the first text."""
        (rules,) = self._words["get_initial_instructions"]
        return rules.fill() + _drawn(game.board)

    def read(self, action: str) -> str:
        """Return the key in a text, "" if it has none."""
        match = _MOVE.search(action.lower())
        return match[1] if match else ""

    def write(self, direction: str) -> str:
        """Return a move as an action."""
        return f"Move: {next(k for k, name in _KEYS.items() if name == direction)}"

    def play(self, game: Game2048, rng: np.random.Generator, action: str) -> Turn:
        """Make a move."""
        key = self.read(action)
        if not key:
            said = self._words["parse_agent_output"][0].fill()
            return Turn.invalid(said + _drawn(game.board))
        same, won, lost, on = self._words["step"]
        # Without the tile that is added, which it leaves out after the last move.
        board, _ = moved(game.board, _KEYS[key])
        if game.play(_KEYS[key], rng) is None:
            return Turn.invalid(same.fill(_drawn(game.board)))
        if game.solved:
            return Turn(won.fill(_drawn(board)))
        said = (lost if game.over else on).fill(_drawn(game.board))
        return Turn(said, terminated=game.over)

    def prompt(self) -> PublishedChat | None:
        """Return the message of its tutorial, None without a checkout."""
        path = "agentquest/tutorial/2048-tutorial-langchain.ipynb"
        return tutorial(path, self._words, self.read)


def _drawn(board: Board) -> str:
    line = "\u2550" * 6
    rows = [
        "\u2551".join(f"{1 << level:^6}" if level else " " * 6 for level in row)
        for row in board
    ]
    between = "\n\u2560" + "\u256c".join([line] * 4) + "\u2563\n"
    top = "\u2554" + "\u2566".join([line] * 4) + "\u2557\n"
    bottom = "\n\u255a" + "\u2569".join([line] * 4) + "\u255d\n"
    return top + between.join(f"\u2551{row}\u2551" for row in rows) + bottom


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
