"""The Sudoku environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import TaskSource, UserTasks, task_of
from aq_gym.envs.sudoku import actions, expert, picture, text
from aq_gym.envs.sudoku.bank import BANKS, Instance, banked_tasks, own_puzzle
from aq_gym.envs.sudoku.logic.game import SudokuGame
from aq_gym.envs.sudoku.logic.layout import layout
from aq_gym.envs.sudoku.logic.techniques import Difficulty
from aq_gym.envs.sudoku.protocol import DRIVERS


class SudokuEnv(TextEnv):
    """Fill the board so that no row, column or box repeats a digit.

    ## Description
    A board of 9x9 cells (``box=3``) or 4x4 cells (``box=2``) has some digits given and
    exactly one solution. Each step places one digit, which can be changed or cleared
    later. AgentQuest (NAACL 2024) has Sudoku as one of its benchmarks.

    ## Action Space
    Text: a digit for a cell, such as ``Row: 1, Column: 3, Value: 4``, ``1 3 4`` or
    ``r1c3=4``, or ``clear r1c3``; rows and columns count from 1. ``check valid
    actions`` (or ``help``) explains the form at the cost of a step. For an impossible
    move the answer gives the reason, and nothing changes: givens cannot be changed, and
    a digit that is already in the same row, column or box is refused.

    ## Observation Space
    Text: the rules and the form of a move at reset, then what the move did; always
    with the whole board, rows and columns labelled.

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
    for the evaluator only. ``agentquest_progress`` is AgentQuest's: the share of all
    cells that are right, givens included.

    ## Arguments
    * ``box=3``: rows and columns of a box, 3 or 2.
    * ``difficulty="easy"``: "medium" or "hard" with ``box=3``; ignored with
      ``puzzle``, which is graded itself.
    * ``puzzle=None``: a fixed puzzle, one character per cell, ``0`` or ``.`` for an
      empty one.
    * ``allow_conflicts=False``: whether digits that break a rule are accepted.
    * ``givens=None``: the number of givens; more of the solution is given until there
      are that many, at most all cells but one. ``difficulty`` in info is then graded
      anew.
    * ``split="all"``: "train" or "test" draws from one part of the packaged puzzles,
      and all images of a puzzle are in its part.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver, and its
      texts where ``AGENTQUEST_DATA`` names a checkout of it: rows and columns count
      from 0, a digit can be replaced but not cleared, and a full board ends the
      episode. It has only ``box=3`` without conflicts.
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

    shared_attributes = frozenset({"_layout", "_tasks", "_theirs"})
    plain_arguments = frozenset(
        {"allow_conflicts", "box", "difficulty", "givens", "puzzle", "split"}
    )

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
            self._tasks = UserTasks({own.task_id: own}, "the puzzle given")
        self._allow_conflicts = allow_conflicts
        self._theirs = DRIVERS[protocol]()
        self.parses_free_text = self._theirs is not None
        if self._theirs:
            if box != 3 or allow_conflicts:
                raise ValueError(
                    f"protocol={protocol!r} needs box=3 and allow_conflicts=False"
                )
            self.help_actions = frozenset()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        _, instance = task_of(self._tasks, options, self.np_random)
        self._game = SudokuGame(self._layout, instance.puzzle, instance.solution)
        opening = text.opening(self._game)
        if self._theirs:
            opening = self._theirs.opening(self._game)
        elif self.instructions:
            rules = text.instructions(self._layout, self._allow_conflicts)
            opening = f"{rules}\n{opening}"
        return Start(
            opening, text.goal(self._layout), instance.task_id, instance.difficulty
        )

    def _step(self, action: str) -> Turn:
        game = self._game
        if self._theirs:
            return self._theirs.play(game, action)
        move = actions.read(action)
        problem = self._problem(move) if move else text.not_a_move(action)
        if move is None or problem:
            said = text.with_board(problem, game)
            return Turn(said, action_valid=False, feedback=problem)
        game.put(self._layout.at(move.row, move.column), move.symbol)
        return Turn(text.with_board(text.answer(game, move), game))

    def subgoals(self) -> dict[str, bool]:
        """Return for each row, column and box whether it holds every digit."""
        return self._game.complete.copy()

    def progress(self) -> float:
        """Return the share of the cells to fill that hold the right digit."""
        return self._game.correct / self._game.blanks

    def published_prompt(self) -> PublishedPrompt | None:
        """Return the message of AgentQuest's tutorial in its protocol."""
        return self._theirs.prompt() if self._theirs else None

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress: the share of all cells that are right."""
        game = self._game
        right = len(game.cells) - game.blanks + game.correct
        return {"agentquest_progress": right / len(game.cells)}

    def success(self) -> bool:
        """Return whether every cell holds the right digit."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List every move that can be made, cell by cell."""
        if self._theirs:
            return tuple(self._theirs.moves(self._game))
        return tuple(
            actions.write(self._layout, cell, symbol)
            for cell, symbols in self._game.options(self._allow_conflicts).items()
            for symbol in symbols
        )

    def help(self) -> str:
        """Return the form of a move, the digits each cell can take, and the board."""
        options = self._game.options(self._allow_conflicts)
        return text.with_board(text.moves(self._layout, options), self._game)

    def _read_action(self, action: str) -> str | None:
        if self._theirs:
            return self._theirs.canonical(action)
        move = actions.read(action)
        return move.text if move else None

    def expert_action(self) -> str:
        """Return the next move of the expert, which uses only the givens.

        In AgentQuest's protocol it knows the solution.
        """
        if self._theirs:
            return self._theirs.expert(self._game)
        return actions.write(self._layout, *expert.best_move(self._game))

    @staticmethod
    def grid(observation: str) -> list[list[str]] | None:
        """Return the board in an observation row by row, None if it has none."""
        return text.read_board(observation)

    def secrets(self) -> tuple[str, ...]:
        """Return the solution, which no observation may reveal."""
        return (self._game.solution,)

    def _draw(self) -> Drawing:
        return picture.draw(self._game)

    def _get_state(self) -> tuple[str, str, str]:
        game = self._game
        return game.puzzle, game.solution, "".join(game.cells)

    def _set_state(self, world: tuple[str, str, str]) -> None:
        self._game = SudokuGame(self._layout, *world)

    def _problem(self, move: actions.Move) -> str:
        """Explain why a move can't be made; "" if it can."""
        game = self._game
        if problem := text.out_of_range(self._layout, move):
            return problem
        cell = self._layout.at(move.row, move.column)
        if problem := text.no_change(game, move, cell):
            return problem
        free = self._allow_conflicts or move.value is None
        if not free and game.breaks_rule(cell, move.symbol):
            return text.conflict(game, move, cell)
        return ""
