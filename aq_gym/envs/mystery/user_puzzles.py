"""A user's puzzles, judged by a language model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Turn
from aq_gym.core.splits import in_split
from aq_gym.core.tasks import UserTasks
from aq_gym.core.text import plural
from aq_gym.envs.mystery import picture
from aq_gym.envs.mystery.actions import Problem, SplitAction, split_action
from aq_gym.envs.mystery.judge import Judge, JudgeError, Verdict
from aq_gym.envs.mystery.protocol import RULES, SOLVED, MysteryProtocol, answer
from aq_gym.envs.mystery.puzzles import Puzzle, PuzzleFileError, read_puzzles

_MOST_CONFIRMED = 100
_QUESTIONS = (
    "Did somebody die?",
    "Was it an accident?",
    "Was there more than one person?",
    "Is the place important?",
    "Is the job of somebody important?",
    "Did somebody make a mistake?",
    "Was somebody afraid?",
    "Did it happen at night?",
    "Is an animal involved?",
    "Was it done on purpose?",
)


class Confirmed(NamedTuple):
    """The part of an episode that changes.

    Attributes:
        questions: The questions that were answered with yes, without duplicates.
        found: For each key fact, whether it was found.
        told: Whether the whole story was told.
    """

    questions: tuple[str, ...]
    found: tuple[bool, ...]
    told: bool = False


class PuzzleGame:
    """A puzzle and the facts confirmed so far.

    Args:
        puzzle: The puzzle.
        state: The facts confirmed; None if there are none.

    Attributes:
        puzzle: The puzzle.
        state: The facts confirmed so far.
        judged: The verdicts of the last action, as JSON; "" if there were none.
    """

    def __init__(self, puzzle: Puzzle, state: Confirmed | None = None) -> None:
        self.puzzle = puzzle
        none = Confirmed((), (False,) * len(puzzle.keys))
        self.state = none if state is None else state
        self.judged = ""

    @property
    def solved(self) -> bool:
        """Whether the whole story was told."""
        return self.state.told

    def subgoals(self) -> dict[str, bool]:
        """Return whether each key fact was found and the story was told."""
        found = {f"key {i}": holds for i, holds in enumerate(self.state.found, 1)}
        return {**found, "the story": self.state.told}


_HELP = (
    "Ask a question that can be answered with yes or no, as: Was it an accident?\n"
    "Tell the story in the form: Story: <what happened>"
)


class PuzzleProtocol(MysteryProtocol[PuzzleGame, SplitAction]):
    """Puzzles from a user's file.

    Args:
        puzzles: The file.
        model: The judge's model.
        verdicts: The file of verdicts; None for a file beside the puzzles.
        split: "all", "train" or "test".

    Raises:
        ValueError: If an argument is missing, no endpoint is configured, or a file
            can't be read.
    """

    def __init__(
        self,
        puzzles: str | Path,
        model: str | None,
        verdicts: str | Path | None,
        split: str,
    ) -> None:
        if not model:
            raise ValueError(
                "puzzles are judged by a model: give judge_model=, its name, and "
                "configure its endpoint by OPENAI_BASE_URL and OPENAI_API_KEY"
            )
        path = Path(puzzles)
        every = read_puzzles(path)
        chosen = {key: one for key, one in every.items() if in_split(one.story, split)}
        if not chosen:
            raise PuzzleFileError(f"{path} has no puzzle in split={split!r}")
        file = path.with_name(f"{path.name}.verdicts.jsonl")
        self._judge = Judge(model, Path(verdicts) if verdicts else file)
        self.tasks = UserTasks(chosen, "the puzzles given")

    def opening(self, task: Puzzle, instructions: bool) -> str:
        """Return the outcome."""
        if not instructions:
            return task.story
        return (
            f"{RULES}\nThe story has {plural(len(task.keys), 'key fact')}; it is told "
            "when your questions and your telling cover them all.\n"
            f"{_HELP}\n{task.story}"
        )

    def new_game(self, task: Puzzle, state: Confirmed | None = None) -> PuzzleGame:
        """Return a game of a puzzle; a state of None is the initial one."""
        return PuzzleGame(task, state)

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a question that fits many puzzles."""
        return _QUESTIONS[int(rng.integers(len(_QUESTIONS)))]

    def read(self, game: PuzzleGame, text: str) -> SplitAction | None:
        """Read a question or a telling; the judge reads its words."""
        action = split_action(text)
        return None if isinstance(action, Problem) else action

    def write(self, game: PuzzleGame, action: SplitAction) -> str:
        """Write a question or a telling with one marker."""
        return f"{'Question' if action.asks else 'Story'}: {action.text}"

    def said(self, game: PuzzleGame, action: SplitAction) -> str:
        """Return a question or a telling without its marker."""
        return action.text

    def play(self, game: PuzzleGame, action: SplitAction) -> Turn:
        """Answer a question or a telling by the judge's verdicts."""
        # Lone surrogates can't be sent as UTF-8.
        words = action.text.encode(errors="replace").decode()
        verdicts: list[Verdict] = []
        try:
            respond = self._ask if action.asks else self._tell
            turn = respond(game, words, verdicts)
        except JudgeError as error:
            turn = Turn("The host can't answer.", error=str(error))
        game.judged = json.dumps([verdict._asdict() for verdict in verdicts])
        return turn

    def refuse(self, game: PuzzleGame, text: str) -> Turn:
        """Explain why a text is neither a question nor a telling."""
        problem = split_action(text)
        why = problem.why if isinstance(problem, Problem) else ""
        return Turn.invalid(
            f"{why} Ask a question that can be answered with yes or no, or tell the "
            "story as: Story: <what happened>"
        )

    def help(self, game: PuzzleGame) -> str:
        """Return the forms of both actions."""
        return _HELP

    def expert_action(self, game: PuzzleGame) -> str:
        """Return the answer and the key facts as a telling; privileged."""
        return f"Story: {game.puzzle.answer} {' '.join(game.puzzle.keys)}"

    def secrets(self, game: PuzzleGame) -> tuple[str, ...]:
        """Return the answer and the key facts, until the story is told."""
        return () if game.solved else (game.puzzle.answer, *game.puzzle.keys)

    def draw(self, game: PuzzleGame) -> Drawing:
        """Return the story and the confirmed questions."""
        return picture.draw_puzzle(game.puzzle.story, game.state.questions)

    def _ask(self, game: PuzzleGame, question: str, verdicts: list[Verdict]) -> Turn:
        verdicts.append(self._judge.on_question(game.puzzle, question))
        verdict = verdicts[0].verdict
        if verdict == "yes" and question not in game.state.questions:
            asked = (*game.state.questions, question)[-_MOST_CONFIRMED:]
            confirmed = "\n".join(f"Confirmed: {one}" for one in asked)
            found = self._found(game, confirmed, verdicts)
            game.state = Confirmed(asked, found, game.state.told)
        return Turn(answer(verdict))

    def _tell(self, game: PuzzleGame, telling: str, verdicts: list[Verdict]) -> Turn:
        found = self._found(game, telling, verdicts)
        game.state = game.state._replace(found=found, told=all(found))
        if game.solved:
            return Turn(SOLVED)
        return Turn("That is not the whole story yet. Keep asking.")

    def _found(
        self, game: PuzzleGame, text: str, verdicts: list[Verdict]
    ) -> tuple[bool, ...]:
        """Judge by a text which other key facts are found, and return all of them."""
        found = list(game.state.found)
        for i, key in enumerate(game.puzzle.keys):
            if not found[i]:
                verdicts.append(self._judge.on_key(game.puzzle, key, text))
                found[i] = verdicts[-1].verdict == "yes"
        return tuple(found)
