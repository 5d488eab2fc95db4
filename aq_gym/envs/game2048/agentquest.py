"""AgentQuest's protocol of 2048, written from its published code."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.game2048.game import Board, Direction, Game2048, moved
from aq_gym.envs.game2048.protocol import Game2048Protocol
from aq_gym.papers.agentquest import tutorial, words

_MOVE = re.compile(r"move:\s*([wasd])")
_DIRECTIONS: dict[str, Direction] = {
    "w": "up",
    "s": "down",
    "a": "left",
    "d": "right",
}
_KEYS = {direction: key for key, direction in _DIRECTIONS.items()}
_FORM = "Write a move in this form: Move: <w|a|s|d>"
# Our texts, used if there is no checkout with AgentQuest's.
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


class AgentQuestProtocol(Game2048Protocol):
    """AgentQuest's protocol: a move is a key, and the board has 4x4 cells.

    The sentences are read from the user's checkout of AgentQuest; without a checkout
    our own are used.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True
    prefix: ClassVar[str] = "Move: "

    def __init__(self, size: int) -> None:
        super().__init__(size)
        if size != 4:
            raise ValueError(f"protocol='agentquest' needs size=4, not {size}")
        self._words = words("twothousandfortyeight", _OURS)

    def opening(self, game: Game2048, instructions: bool) -> str:
        """Return the first observation, which always explains the game."""
        (rules,) = self._words["get_initial_instructions"]
        return rules.fill() + _drawn(game.board)

    def read(self, game: Game2048, text: str) -> Direction | None:
        """Find a key anywhere in an answer."""
        return _DIRECTIONS[key] if (key := _key_in(text)) else None

    def write(self, game: Game2048, action: Direction) -> str:
        """Write a move as an agent would."""
        return self.prefix + _KEYS[action]

    def move(
        self, game: Game2048, direction: Direction, rng: np.random.Generator
    ) -> Turn:
        """Make a move, unless it changes nothing."""
        same, won, lost, next_move = self._words["step"]
        # The winning answer shows the board before a tile is added.
        before_tile, _ = moved(game.board, direction)
        if game.play(direction, rng) is None:
            return Turn.invalid(same.fill(_drawn(game.board)))
        if game.solved:
            return Turn(won.fill(_drawn(before_tile)))
        answer = (lost if game.over else next_move).fill(_drawn(game.board))
        return Turn(answer, terminated=game.over)

    def refuse(self, game: Game2048, text: str) -> Turn:
        """Describe the form of a move, and show the board."""
        form = self._words["parse_agent_output"][0].fill()
        return Turn.invalid(form + _drawn(game.board))

    def prompt(self, game: Game2048) -> PublishedPrompt | None:
        """Return the message of AgentQuest's tutorial, None without a checkout."""
        path = "agentquest/tutorial/2048-tutorial-langchain.ipynb"
        return tutorial(path, self._words, _key_in)


def _key_in(text: str) -> str:
    match = _MOVE.search(text.lower())
    return match[1] if match else ""


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
