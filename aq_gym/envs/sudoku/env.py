"""The Sudoku environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import TaskSource, UserTasks, task_of
from aq_gym.envs.sudoku import expert, picture
from aq_gym.envs.sudoku.agentquest import AgentQuestProtocol
from aq_gym.envs.sudoku.bank import BANKS, Instance, banked_tasks, own_puzzle
from aq_gym.envs.sudoku.game import SudokuGame, layout
from aq_gym.envs.sudoku.protocol import SudokuProtocol, with_board
from aq_gym.envs.sudoku.solver import Difficulty

PROTOCOLS = {"aq": SudokuProtocol, "agentquest": AgentQuestProtocol}


class SudokuEnv(TextEnv):
    """Fill the board so that no row, column or box repeats a digit.

    ## Description
    A board of 9x9 cells (``box=3``) or 4x4 cells (``box=2``) has some digits given and
    exactly one solution. Each step places one digit, which can be changed or cleared
    later. AgentQuest (NAACL 2024) has Sudoku as one of its benchmarks.

    ## Action Space
    Text: a digit for a cell, such as ``Row: 1, Column: 3, Value: 4``, ``1 3 4`` or
    ``r1c3=4``, or ``clear r1c3``; rows and columns count from 1. ``check valid
    actions`` (or ``help``) explains the form at the cost of a step. An impossible move
    changes nothing, and the answer gives the reason: givens cannot be changed, and a
    digit that is already in the same row, column or box is refused.

    ## Observation Space
    Text: at reset the rules and the form of a move, then the effect of each move;
    always with the whole board, with labelled rows and columns.

    ## Starting State
    A puzzle from the packaged bank under a random symmetry of the rules, both drawn
    from ``np_random``: digits renamed, rows and columns moved within and with their
    bands, the board transposed. "easy" puzzles need only naked and hidden singles;
    "medium" ones need naked or hidden pairs or pointing; "hard" ones need search. 4x4
    boards are all "easy". No board has more than 55 cells to fill.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of the cells to fill that hold the right digit now, so it can
    fall. AgentQuest counts the givens too, and starts near 0.57.

    ## Episode End
    Terminated when the board is solved; a wrong board can be corrected. Truncated after
    200 steps (``max_episode_steps``); the paper has 60.

    ## Information
    The keys of :class:`aq_gym.TextEnv`. ``subgoals`` has one entry per row, column and
    box ("row 1" to "box 9", boxes in reading order), true while it holds every digit;
    they reveal only what the board shows. ``task_id`` reveals the solution, so it is
    for the evaluator only. ``agentquest_progress`` is AgentQuest's progress: the share
    of all cells that are right, including givens.

    ## Arguments
    * ``box=3``: rows and columns of a box, 3 or 2.
    * ``difficulty="easy"``: "medium" or "hard" with ``box=3``; ignored with ``puzzle``,
      which is graded.
    * ``puzzle=None``: a fixed puzzle, one character per cell, ``0`` or ``.`` for an
      empty cell; in one line or in several, with or without spaces and a frame of
      ``|``, ``+`` and ``-``.
    * ``allow_conflicts=False``: whether digits that break a rule are accepted.
    * ``givens=None``: the number of givens, at most all cells but one; cells of the
      solution are added until there are that many. The puzzle is then graded again for
      ``info["difficulty"]``.
    * ``split="all"``: "train" or "test" draws from one part of the packaged puzzles,
      and all images of a puzzle are in its part.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver: rows and
      columns count from 0, a digit can be replaced but not cleared, and a full board
      ends the episode. It has only ``box=3`` without conflicts. Its texts are used if
      ``AGENTQUEST_DATA`` names a checkout.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations).

    ## Version History
    * v0: first version.

    Raises:
        ValueError: If there is no such board, or the puzzle does not have exactly one
            solution.
    """

    shared_attributes = frozenset({"_layout", "_tasks"})
    plain_arguments = frozenset(
        {"allow_conflicts", "box", "difficulty", "givens", "puzzle", "split"}
    )
    protocol: SudokuProtocol
    _game: SudokuGame

    def __init__(
        self,
        box: int = 3,
        difficulty: Difficulty = "easy",
        puzzle: str | None = None,
        allow_conflicts: bool = False,
        split: Split = "all",
        givens: int | None = None,
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        self._layout = layout(box)
        if difficulty not in BANKS[box]:
            raise ValueError(
                f"difficulty={difficulty!r}: with box={box} choose one of {BANKS[box]}"
            )
        if puzzle is not None and split != "all":
            raise ValueError(
                f"split={split!r}: a user's puzzle belongs to no split; "
                "give split='all'"
            )
        if givens is not None and (puzzle is not None or (box == 2 and split != "all")):
            raise ValueError(
                f"givens={givens} needs box=3 or split='all', and no puzzle: 4x4 "
                "boards with more givens can be equal"
            )
        self._tasks: TaskSource[Instance] = banked_tasks(box, difficulty, split, givens)
        if puzzle is not None:
            own = own_puzzle(self._layout, puzzle)
            self.source = "user"
            self._tasks = UserTasks({own.task_id: own}, "the puzzle given")
        self._set_protocol(PROTOCOLS[protocol](self._layout, allow_conflicts))

    def _reset(self, options: Mapping[str, Any]) -> Start:
        _, instance = task_of(self._tasks, options, self.np_random)
        game = SudokuGame(self._layout, instance.puzzle, instance.solution)
        self._game = game
        opening = self.protocol.opening(game, self.instructions)
        goal = self.protocol.goal()
        return Start(opening, goal, instance.task_id, instance.difficulty)

    def subgoals(self) -> dict[str, bool]:
        """Return whether each row, column and box holds every digit."""
        return self._game.complete.copy()

    def progress(self) -> float:
        """Return the share of the cells to fill that hold the right digit."""
        return self._game.correct / self._game.blanks

    def success(self) -> bool:
        """Return whether every cell holds the right digit."""
        return self._game.solved

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress: the share of all cells that are right."""
        game = self._game
        right = len(game.cells) - game.blanks + game.correct
        return {"agentquest_progress": right / len(game.cells)}

    def admissible_actions(self) -> tuple[str, ...]:
        """List every move that can be made, cell by cell."""
        return tuple(map(self._write, self.protocol.moves(self._game)))

    def expert_action(self) -> str:
        """Return the next move of the expert, which uses only the givens.

        In AgentQuest's protocol the expert is privileged: it knows the solution.
        """
        game = self._game
        return self._write(self.protocol.advice(game, *expert.best_move(game)))

    def secrets(self) -> tuple[str, ...]:
        """Return the solution, which no observation may reveal."""
        return (self._game.solution,)

    def solution(self) -> str:
        """Return the solved board, as observations show a board."""
        puzzle, solution, _ = self._get_state()
        solved = SudokuGame(self._layout, puzzle, solution, solution)
        return with_board("", solved)

    def _draw(self) -> Drawing:
        return picture.draw(self._game)

    def _get_state(self) -> tuple[str, str, str]:
        game = self._game
        return game.puzzle, game.solution, "".join(game.cells)

    def _set_state(self, world: tuple[str, str, str]) -> None:
        self._game = SudokuGame(self._layout, *world)
