"""Sources of stories, which have the same methods: generated, and a user's puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import GeneratedTasks, TaskSource, UserTasks
from aq_gym.envs.mystery import generated, text, user_puzzle
from aq_gym.envs.mystery.actions import Problem, canonical, split_action
from aq_gym.envs.mystery.judge.judge import Judge
from aq_gym.envs.mystery.logic.facts import ASPECTS, Story, draw_story, read_story
from aq_gym.envs.mystery.logic.questions import Known
from aq_gym.envs.mystery.puzzles import Puzzle, PuzzleFileError, read_puzzles

_MOST_EASY = 3


class GeneratedSource:
    """Generated stories, and how the environment presents them.

    Args:
        facts: How many facts are hidden, 1 to 6.
        split: "all", "train" or "test".

    Raises:
        ValueError: If ``facts`` is out of range.
    """

    def __init__(self, facts: int, split: str) -> None:
        if not 1 <= facts <= len(ASPECTS):
            raise ValueError(f"facts={facts} must be 1 to {len(ASPECTS)}")
        self._facts = facts
        self.tasks: TaskSource[Any] = GeneratedTasks(
            self._draw_id,
            self._story,
            f"story-OUTCOME-VALUES-HIDDEN with {facts} hidden facts",
            split,
            _outcome,
        )
        self.goal = text.GOAL
        self.difficulty = "easy" if facts <= _MOST_EASY else "hard"
        self.help_text = text.generated_help()

    def host(self, task: Story, state: Known | None) -> generated.GeneratedHost:
        """Return the host of a story; a state of None is the initial one."""
        return generated.GeneratedHost(task, state)

    def instructions(self, task: Story) -> str:
        """Explain the task."""
        return text.generated_instructions(task.hidden)

    def opening(self, task: Story) -> str:
        """Return the outcome and the facts that are known."""
        return text.opening(task)

    def draw_action(self, rng: np.random.Generator) -> str:
        """Draw a question or a telling."""
        return generated.draw_action(rng)

    def read_action(self, action: str) -> str | None:
        """Return the canonical form of a question or telling that can be judged."""
        return canonical(action)

    def _draw_id(self, rng: np.random.Generator) -> str:
        return draw_story(self._facts, rng).task_id

    def _story(self, task_id: str) -> Story | None:
        story = read_story(task_id)
        return story if story and sum(story.hidden) == self._facts else None


class UserPuzzleSource:
    """Puzzles from a user's file."""

    def __init__(self, puzzles: dict[str, Puzzle], judge: Judge) -> None:
        self._judge = judge
        self.tasks: TaskSource[Any] = UserTasks(puzzles, "the puzzles given")
        self.goal = text.GOAL
        self.difficulty = ""
        self.help_text = text.own_help()

    def host(
        self, task: Puzzle, state: user_puzzle.Confirmed | None
    ) -> user_puzzle.UserPuzzleHost:
        """Return the host of a puzzle."""
        return user_puzzle.UserPuzzleHost(task, self._judge, state)

    def instructions(self, task: Puzzle) -> str:
        """Explain the task."""
        return text.own_instructions(len(task.keys))

    def opening(self, task: Puzzle) -> str:
        """Return the outcome."""
        return task.story

    def draw_action(self, rng: np.random.Generator) -> str:
        """Draw a question that fits many puzzles."""
        return user_puzzle.draw_action(rng)

    def read_action(self, action: str) -> str | None:
        """Return a question or telling with one marker; the judge reads its words."""
        said = split_action(action)
        if isinstance(said, Problem):
            return None
        return f"{'Question' if said.asks else 'Story'}: {said.text}"


Source: TypeAlias = GeneratedSource | UserPuzzleSource


def user_source(
    puzzles: str | Path, model: str | None, verdicts: str | Path | None, split: str
) -> UserPuzzleSource:
    """Read a file of puzzles.

    Args:
        puzzles: The file.
        model: The judge's model.
        verdicts: The file of verdicts; None for one beside the puzzles.
        split: "all", "train" or "test".

    Raises:
        ValueError: If an argument is missing, no endpoint is configured, or a file
            can't be read.
    """
    if not model:
        raise ValueError(
            "puzzles are judged by a model: give judge_model=, its name, and configure "
            "its endpoint by OPENAI_BASE_URL and OPENAI_API_KEY"
        )
    path = Path(puzzles)
    every = read_puzzles(path)
    chosen = {key: one for key, one in every.items() if in_split(one.story, split)}
    if not chosen:
        raise PuzzleFileError(f"{path} has no puzzle in split={split!r}")
    file = path.with_name(f"{path.name}.verdicts.jsonl")
    return UserPuzzleSource(chosen, Judge(model, Path(verdicts) if verdicts else file))


def _outcome(story: Story) -> str:
    """Return what decides the split: where all facts are hidden, the whole opening."""
    return f"outcome-{story.outcome}"
