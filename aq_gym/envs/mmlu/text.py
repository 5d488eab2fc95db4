"""The words of the environment."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.core.text import plural, quote
from aq_gym.envs.mmlu.actions import AMBIGUOUS
from aq_gym.envs.mmlu.logic.question import LETTERS, Question

RIGHT = "Right answer."
_HOW = 'Answer with its letter, in the form "Answer: LETTER".'


def goal(question: Question) -> str:
    """State the goal in one sentence."""
    return f"Choose the right answer to a question about {_named(question)}."


def instructions(retries: int) -> str:
    """Explain the task to an agent that has never seen it.

    Args:
        retries: How many wrong answers can be followed by another.
    """
    counts = (
        f"After a wrong answer you can answer again, {plural(retries, 'time')} at most."
        if retries
        else "Your first answer counts."
    )
    return f"The question has four options, and one is right. {_HOW} {counts}"


def examples(questions: Sequence[Question]) -> str:
    """Write questions with their answers.

    Args:
        questions: One or more questions of one subject.
    """
    parts = (f"{shown(one)}\nAnswer: {one.letter}" for one in questions)
    head = f"Examples about {_named(questions[0])}, with their answers:"
    return "\n\n".join((head, *parts))


def shown(question: Question) -> str:
    """Write a question with its options."""
    options = zip(LETTERS, question.options, strict=True)
    lines = (f"{letter}. {option}" for letter, option in options)
    return "\n".join((f"Question: {question.text}", *lines))


def wrong(left: int) -> str:
    """Answer a wrong answer."""
    if not left:
        return "Wrong answer."
    times = "once" if left == 1 else f"{left} times"
    return f"Wrong answer. You can answer {times} more."


def not_an_answer(action: str, read: str) -> str:
    """Explain that a text is not an answer.

    Args:
        action: The text.
        read: What was read: "" or ``AMBIGUOUS``.
    """
    if read == AMBIGUOUS:
        return f"{quote(action)} is the text of more than one option. {_HOW}"
    return f"{quote(action)} is not one of the options. {_HOW}"


def _named(question: Question) -> str:
    return question.subject.replace("_", " ")
