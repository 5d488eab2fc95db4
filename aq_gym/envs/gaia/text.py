"""The words of the environment."""

from __future__ import annotations

from aq_gym.envs.gaia.logic.desk import Question

TASK = "Answer a question; files and tools help."
RULES = (
    "An answer is a number, as few words as possible, or a list with commas: "
    "numbers in digits and without a unit, words without articles and "
    "abbreviations, unless the question asks for them."
)


def opening(question: Question) -> str:
    """Return the question as the agent reads it."""
    attached = f"\nFile: {question.file.name}" if question.file else ""
    return f"Question: {question.question}{attached}"
