"""The words of the environment."""

from __future__ import annotations

TASK = "Solve a word problem step by step."
RULES = (
    "What counts is each value on the way, when you calculate or state it on its own, "
    "and the right answer."
)


def opening(question: str) -> str:
    """Return the question as the agent reads it."""
    return f"Problem: {question}"
