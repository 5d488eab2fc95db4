"""The reference policy."""

from __future__ import annotations

from aq_gym.envs.mmlu.actions import write
from aq_gym.envs.mmlu.logic.question import Question


def best_action(question: Question) -> str:
    """Return the right answer, which is privileged knowledge."""
    return write(question.letter)
