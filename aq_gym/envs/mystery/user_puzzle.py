"""A user's puzzle, judged by a language model."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from aq_gym.core.results import Turn
from aq_gym.envs.mystery import text
from aq_gym.envs.mystery.actions import Problem, split_action
from aq_gym.envs.mystery.judge.judge import Judge, JudgeError, Verdict
from aq_gym.envs.mystery.puzzles import Puzzle

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
        questions: Those that were answered with yes, each once.
        found: For each key fact whether it was found.
        told: Whether the whole story was told.
    """

    questions: tuple[str, ...]
    found: tuple[bool, ...]
    told: bool = False


class UserPuzzleHost:
    """Answers questions about one puzzle of the user.

    Args:
        puzzle: The puzzle.
        judge: The judge.
        state: What was confirmed so far.

    Attributes:
        judged: The verdicts of the last action, as JSON; "" if there were none.
    """

    def __init__(
        self, puzzle: Puzzle, judge: Judge, state: Confirmed | None = None
    ) -> None:
        self._puzzle = puzzle
        self._judge = judge
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

    def progress(self) -> float:
        """Return the share of the subgoals that are reached."""
        return (sum(self.state.found) + self.state.told) / (len(self.state.found) + 1)

    def respond(self, action: str) -> Turn:
        """Answer a question or a telling."""
        said = split_action(action)
        if isinstance(said, Problem):
            return Turn.invalid(text.own_problem(said.why))
        # What can't be written as UTF-8 can't be sent.
        words = said.text.encode(errors="replace").decode()
        verdicts: list[Verdict] = []
        try:
            answer = self._ask if said.asks else self._tell
            turn = answer(words, verdicts)
        except JudgeError as error:
            turn = Turn("The host can't answer.", error=str(error))
        self.judged = json.dumps([verdict._asdict() for verdict in verdicts])
        return turn

    def _ask(self, question: str, verdicts: list[Verdict]) -> Turn:
        verdicts.append(self._judge.on_question(self._puzzle, question))
        verdict = verdicts[0].verdict
        if verdict == "yes" and question not in self.state.questions:
            asked = (*self.state.questions, question)[-_MOST_CONFIRMED:]
            said = "\n".join(f"Confirmed: {one}" for one in asked)
            found = self._found(said, verdicts)
            self.state = Confirmed(asked, found, self.state.told)
        return Turn(text.answer(verdict))

    def _tell(self, telling: str, verdicts: list[Verdict]) -> Turn:
        found = self._found(telling, verdicts)
        self.state = self.state._replace(found=found, told=all(found))
        if self.state.told:
            return Turn(text.SOLVED)
        return Turn(text.NOT_THE_STORY)

    def _found(self, said: str, verdicts: list[Verdict]) -> tuple[bool, ...]:
        """Return which key facts are found, after judging those that were not."""
        found = list(self.state.found)
        for i, key in enumerate(self._puzzle.keys):
            if not found[i]:
                verdicts.append(self._judge.on_key(self._puzzle, key, said))
                found[i] = verdicts[-1].verdict == "yes"
        return tuple(found)

    def expert_action(self) -> str:
        """Return the answer and the key facts as a telling; privileged."""
        return f"Story: {self._puzzle.answer} {' '.join(self._puzzle.keys)}"

    def secrets(self) -> tuple[str, ...]:
        """Return the answer and the key facts, until the story is told."""
        return () if self.state.told else (self._puzzle.answer, *self._puzzle.keys)


def draw_action(rng: np.random.Generator) -> str:
    """Draw a question that fits many puzzles."""
    return _QUESTIONS[int(rng.integers(len(_QUESTIONS)))]
