"""The host of a generated story, who judges by its facts."""

from __future__ import annotations

import numpy as np

from aq_gym.core.results import Turn
from aq_gym.envs.mystery import expert, text
from aq_gym.envs.mystery.actions import Problem, read
from aq_gym.envs.mystery.logic.facts import ASPECTS, VALUES, Story, aspects
from aq_gym.envs.mystery.logic.questions import Known, Telling, question_limit

_ALL = (1 << VALUES) - 1


class GeneratedHost:
    """Answers questions about one generated story.

    Args:
        story: The story.
        known: What is known of it; nothing by default but what the opening says.

    Attributes:
        judged: Always "", because the story's facts are the judge.
    """

    judged = ""

    def __init__(self, story: Story, known: Known | None = None) -> None:
        self._story = story
        if known is None:
            facts = list(zip(story.values, story.hidden, strict=True))
            possible = tuple(_ALL if hides else 1 << value for value, hides in facts)
            known = Known(possible, tuple(not hides for _, hides in facts))
        self.state = known
        # The index of the last one, the story, is -1.
        self._names = tuple(text.goal_names(story.hidden))
        indices = [i for i, hides in enumerate(story.hidden) if hides]
        self._indices = tuple(zip(self._names, (*indices, -1), strict=True))
        self._limit = question_limit(len(indices))

    @property
    def solved(self) -> bool:
        """Whether the whole story was told."""
        return self.state.told

    def subgoals(self) -> dict[str, bool]:
        """Return for each hidden fact whether it was found, and for the story."""
        found, told = self.state.found, self.state.told
        return {name: told if i < 0 else found[i] for name, i in self._indices}

    def progress(self) -> float:
        """Return the share of the subgoals that are reached."""
        # Facts that the opening tells count as found, but are not subgoals.
        told = len(self.state.found) + 1 - len(self._names)
        return (sum(self.state.found) - told + self.state.told) / len(self._names)

    def respond(self, action: str) -> Turn:
        """Answer a question or a telling."""
        said = read(action)
        if isinstance(said, Problem):
            return Turn.invalid(text.problem(said.why))
        if isinstance(said, Telling):
            self.state = self.state.after_telling(said, self._story)
            if self.state.told:
                return Turn(text.SOLVED)
            answer = text.unfinished(said, self._story.hidden)
        else:
            verdict = said.answer(self._story)
            self.state = self.state.after_answer(said, verdict)
            answer = text.answer(verdict)
        return Turn(answer + text.remaining(self._left), terminated=not self._left)

    @property
    def _left(self) -> int:
        return self._limit - self.state.asked

    def expert_action(self) -> str:
        """Return the most informative question, or the story once it is known."""
        for aspect, possible in enumerate(self.state.possible):
            if possible & (possible - 1) and self._left > 1:
                names = expert.best_names(aspect, possible)
                return text.question(aspect, list(names))
        values = enumerate(mask.bit_length() - 1 for mask in self.state.possible)
        return text.telling(tuple(values))

    def secrets(self) -> tuple[str, ...]:
        """Return the solution, until it has been told."""
        return () if self.state.told else (text.known(self._story),)


def draw_action(rng: np.random.Generator) -> str:
    """Draw a question about one fact, or a telling."""
    if rng.random() < 0.1:
        drawn = rng.integers(VALUES, size=len(ASPECTS)).tolist()
        return text.telling(tuple(enumerate(drawn)))
    aspect = int(rng.integers(len(ASPECTS)))
    values = aspects()[aspect].values
    picks = sorted(rng.permutation(VALUES)[: int(rng.integers(1, 5))].tolist())
    return text.question(aspect, [values[pick] for pick in picks])
