"""A problem instance."""

from __future__ import annotations

from dataclasses import dataclass

from aq_gym.envs.pddl.domains.problem_draft import MOST_EASY_CONDITIONS
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.words import Words


@dataclass(frozen=True)
class Instance:
    """A grounded task with its id, words and difficulty.

    Attributes:
        task_id: Its id.
        task: The grounded task.
        words: Its domain's sentence templates.
        difficulty: "easy" or "hard".
        domain_pddl: The domain's text.
        problem_pddl: The problem's text.
    """

    task_id: str
    task: Task
    words: Words
    difficulty: str
    domain_pddl: str
    problem_pddl: str


def grade(task: Task) -> str:
    """Return "hard" for more than six goal conditions, AgentBoard's cutoff."""
    return "hard" if len(task.goals) > MOST_EASY_CONDITIONS else "easy"
