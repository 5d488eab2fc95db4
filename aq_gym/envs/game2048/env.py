"""The 2048 environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_gym.envs.game2048 import expert, picture
from aq_gym.envs.game2048.agentquest import AgentQuestProtocol
from aq_gym.envs.game2048.game import DIRECTIONS, Board, Direction, Game2048, deal
from aq_gym.envs.game2048.protocol import Game2048Protocol

PROTOCOLS = {"aq": Game2048Protocol, "agentquest": AgentQuestProtocol}
_SIZES = range(3, 6)
_SMALLEST_GOAL = 8
_LARGEST_LEVEL = 15
# The largest goal that counts as easy, by size; the expert always reached it.
_EASY_LEVELS = {3: 6, 4: 9, 5: 11}
_DEALS = 2**63
_DIGITS = len(str(_DEALS))


class Game2048Env(TextEnv):
    """Slide tiles and merge equal ones until one has the value of the goal.

    ## Description
    A board of 4x4 cells holds tiles of 2, 4, 8 and so on. A move slides all tiles as
    far as they go in one direction; two equal tiles that meet merge into one of twice
    the value; each tile merges at most once per move. Then a 2 (nine times in ten) or a
    4 appears in a random empty cell. AgentQuest's second version has 2048 with the
    rules of the original.

    ## Action Space
    Text: ``up``, ``down``, ``left`` or ``right``, or ``w``, ``s``, ``a``, ``d``, also
    as ``move up`` or ``Move: w``. A move that changes nothing is invalid.
    ``check valid actions`` (or ``help``) lists the moves that change the board, at the
    cost of a step. Other text changes nothing, and the answer explains what is wrong.

    ## Observation Space
    Text: the rules and the form of a move at reset, then what the move did; always
    with the board, a dot for an empty cell.

    ## Starting State
    Two tiles in random cells, drawn like the later tiles. ``np_random`` draws the
    number of a deal and is then seeded with it. So the number determines the first
    tiles and, given the same moves, every later tile.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    With m the largest tile now, s the largest tile at the start and g the goal,
    progress is (log2 m - log2 s) / (log2 g - log2 s), so that it begins at 0. It never
    falls.

    ## Episode End
    Terminated by a tile of the goal, or when no move changes the board. Truncated
    after 2,000 steps (``max_episode_steps``); 2048 takes about 1,000 moves, 128 about
    70.

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``score``: the sum of all merged tiles;
    ``largest_tile``; ``agentquest_progress``: log2(largest tile) / log2(goal), rounded
    to two digits, AgentQuest's progress, which begins above 0. ``subgoals`` has one
    entry per tile value, from the first value above the largest tile at the start up to
    the goal; ``task_id`` is the number of the deal; ``difficulty`` is "easy" up to a
    goal of 512, else "hard" (64 on 3x3 cells, 2048 on 5x5).

    ## Arguments
    * ``goal=2048``: the tile to make: a power of 2, 8 to 32768, and at most 1024 on
      3x3 cells, where larger ones do not fit.
    * ``size=4``: rows and columns, 3 to 5.
    * ``split="all"``: "train" or "test" draws from one part of the deals.
    * ``protocol="aq"``: "agentquest" has the texts of AgentQuest's driver, where
      ``AGENTQUEST_DATA`` names a checkout of it, for 4x4 cells; a key follows
      ``Move:``.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations). G. Cirulli, 2048, 2014,
    https://github.com/gabrielecirulli/2048.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If there is no such board, or the goal cannot be reached on it.
    """

    protocol: Game2048Protocol
    _game: Game2048

    def __init__(
        self,
        goal: int = 2048,
        size: int = 4,
        split: Split = "all",
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if size not in _SIZES:
            raise ValueError(f"size={size!r}: give {_SIZES[0]} to {_SIZES[-1]}")
        # The largest tile of a full board: one level per cell, starting with a new 4.
        largest = 1 << min(_LARGEST_LEVEL, size * size + 1)
        if goal.bit_count() != 1 or not _SMALLEST_GOAL <= goal <= largest:
            raise ValueError(
                f"goal={goal!r}: with size={size} give a power of 2, "
                f"{_SMALLEST_GOAL} to {largest}"
            )
        self._set_protocol(PROTOCOLS[protocol](size))
        self._size = size
        self._goal = goal.bit_length() - 1
        self._tasks = GeneratedTasks(
            _draw_deal, _deal_of, f"the number of a deal, 0 to {_DEALS - 1}", split
        )
        self._difficulty = "easy" if self._goal <= _EASY_LEVELS[size] else "hard"

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, number = task_of(self._tasks, options, self.np_random)
        # The rest of the game depends only on the deal. ``np_random_seed`` is still the
        # seed given to reset.
        self._np_random = np.random.Generator(np.random.PCG64(number))
        game = self._game = Game2048(deal(self._size, self.np_random), self._goal)
        opening = self.protocol.opening(game, self.instructions)
        return Start(opening, self.protocol.goal(game), task_id, self._difficulty)

    def _step(self, action: Direction) -> Turn:
        return self.protocol.move(self._game, action, self.np_random)

    def subgoals(self) -> dict[str, bool]:
        """Return whether each tile larger than the first ones was made."""
        game = self._game
        return _subgoals(game.start, game.goal)[game.level].copy()

    def success(self) -> bool:
        """Return whether the goal is reached."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List the moves that change the board."""
        return tuple(map(self._write, self._game.moves))

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a direction, which may change nothing."""
        return self._write(DIRECTIONS[int(rng.integers(len(DIRECTIONS)))])

    def expert_action(self) -> str | None:
        """Return the move with the highest expected value; None if no move is left."""
        game = self._game
        if game.over:
            return None
        return self._write(expert.best_move(game.board))

    def extra_info(self) -> dict[str, Any]:
        """Return the score, the largest tile and AgentQuest's own progress."""
        game = self._game
        return {
            "score": game.score,
            "largest_tile": 1 << game.level,
            "agentquest_progress": round(game.level / game.goal, 2),
        }

    def _draw(self) -> Drawing:
        return picture.draw(self._game)

    def _get_state(self) -> tuple[Board, int, int]:
        game = self._game
        return game.board, game.start, game.score

    def _set_state(self, world: tuple[Board, int, int]) -> None:
        board, start, score = world
        self._game = Game2048(board, self._goal, start, score)


def _draw_deal(rng: np.random.Generator) -> str:
    return str(rng.integers(_DEALS))


def _deal_of(task_id: str) -> int | None:
    if not (task_id.isascii() and task_id.isdecimal() and len(task_id) <= _DIGITS):
        return None
    number = int(task_id)
    # Only the canonical spelling of a number is accepted, so that it has one hash.
    return number if number < _DEALS and str(number) == task_id else None


@cache
def _subgoals(start: int, goal: int) -> tuple[dict[str, bool], ...]:
    """Return the subgoals for each level that can be reached, which callers copy."""
    levels = range(start + 1, goal + 1)
    return tuple(
        {f"tile {1 << needed}": level >= needed for needed in levels}
        for level in range(goal + 1)
    )
