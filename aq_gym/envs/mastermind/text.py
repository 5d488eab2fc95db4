"""Mastermind's texts: instructions, answers, and why a text is not a guess."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.core.text import plural, quote
from aq_gym.envs.mastermind.actions import readings, write
from aq_gym.envs.mastermind.logic import Feedback, Rules


def noun(rules: Rules) -> str:
    """Return the word for one element of a code."""
    return "digit" if rules.symbols.isdecimal() else "symbol"


def example(rules: Rules) -> str:
    """Return a code that shows the form of a guess, the same for every episode."""
    size = len(rules.symbols)
    return "".join(rules.symbols[i % size] for i in range(rules.code_length))


def goal(rules: Rules) -> str:
    """Return the goal in one sentence."""
    return f"Find the secret code of {plural(rules.code_length, noun(rules))}."


def code_form(rules: Rules) -> str:
    """Describe the form of a code."""
    unit = noun(rules)
    limit = "" if rules.repeats else f", each {unit} at most once"
    return f"{plural(rules.code_length, unit)} from {rules.symbols}{limit}"


def how_to_act(rules: Rules) -> str:
    """Describe the form of a guess."""
    return f"Guess with {code_form(rules)}, in the form: {write(example(rules))}"


def instructions(rules: Rules) -> str:
    """Explain the game to an agent that has never seen it."""
    unit = noun(rules)
    size = len(rules.symbols)
    repetition = (
        f"The same {unit} can stand in several positions."
        if rules.repeats
        else f"No {unit} stands in more than one position."
    )
    return (
        "Let us play Mastermind. I have chosen a secret code of "
        f"{plural(rules.code_length, unit)}, "
        f"taken from these {size}: {rules.symbols}. {repetition}\n"
        f"After each guess I tell you how many {unit}s are correct and in the correct "
        f"position, and how many further {unit}s are correct but in the wrong "
        "position. You win when your guess is the code; use as few guesses as you can."
        f"\n{how_to_act(rules)}"
    )


def opening(rules: Rules) -> str:
    """Return the request for the first guess."""
    return f"Make your first guess of {plural(rules.code_length, noun(rules))}."


def answer(rules: Rules, guess: str, feedback: Feedback) -> str:
    """Return both counts in words, as in AgentQuest, section 2.1."""
    if feedback.exact == rules.code_length:
        return f"You won! {guess} is the secret code."
    return f"Your guess {guess} has {_counts(noun(rules), feedback)}. Keep guessing."


@lru_cache
def _counts(unit: str, feedback: Feedback) -> str:
    exact = _count(feedback.exact, unit, "correct")
    return f"{exact} and {_count(feedback.misplaced, unit, 'wrong')}"


def _count(count: int, unit: str, place: str) -> str:
    position = "position" if count == 1 else "positions"
    return f"{plural(count, f'correct {unit}')} in the {place} {position}"


def problem(rules: Rules, action: str) -> str:
    """Explain why a text is not a guess.

    Args:
        rules: The form of a code.
        action: A text for which ``read`` returns "".
    """
    why = _why_not(rules, readings(rules, action)[0])
    return f"{quote(action)} is not a guess: {why} {how_to_act(rules)}"


def _why_not(rules: Rules, guess: str) -> str:
    unit = noun(rules)
    wrong = next((s for s in guess if s not in rules.alphabet), None)
    if not guess:
        return f"it has no {unit}s."
    if wrong is not None:
        return f"{wrong!r} is not one of {rules.symbols}."
    if len(guess) != rules.code_length:
        return f"it has {plural(len(guess), unit)}, not {rules.code_length}."
    if not rules.fits(guess):
        return f"it uses a {unit} more than once."
    return ""
