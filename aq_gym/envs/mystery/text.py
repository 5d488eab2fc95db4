"""Mystery's words: instructions, answers and the form of actions."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.core.text import listing, plural
from aq_gym.envs.mystery.logic.facts import ASPECTS, Story, aspects, load
from aq_gym.envs.mystery.logic.questions import Telling, question_limit

GOAL = "Find out by yes/no questions what happened, and tell the story."
SOLVED = "That is the whole story!"
NOT_THE_STORY = "That is not the whole story yet. Keep asking."
_ABOUT = {
    "person": "who was behind it",
    "place": "where it was prepared",
    "object": "what was used",
    "motive": "why it was done",
    "weather": "what the weather or nature was like",
    "helper": "who or what helped",
}
_RULES = (
    "Solve a mystery. You are told how a story ended, and you find out what happened "
    "by asking questions that can be answered with yes or no, one at a time. I answer "
    "'Yes.', 'No.' or 'Irrelevant.'. When you know what happened, tell the story."
)


def generated_instructions(hidden: tuple[bool, ...]) -> str:
    """Explain a generated story to an agent that has never seen one."""
    names = [name for name, hides in zip(ASPECTS, hidden, strict=True) if hides]
    lines = "\n".join(f"  the {name}: {_ABOUT[name]}" for name in names)
    what = "this fact" if len(names) == 1 else f"these {len(names)} facts"
    limit = f"You have {question_limit(len(names))} questions; a telling counts as one."
    return f"{_RULES}\nYou need to find {what}:\n{lines}\n{limit}\n{_forms()}"


def own_instructions(keys: int) -> str:
    """Explain a user's puzzle to an agent that has never seen one."""
    return (
        f"{_RULES}\nThe story has {plural(keys, 'key fact')}; it is told when your "
        f"questions and your telling cover them all.\n{own_help()}"
    )


def _forms() -> str:
    return (
        "Ask in the form: Was the person a sailor or a teacher?\n"
        "Tell the story in the form: Story: <what happened, with all its facts>\n"
        "'check valid actions' lists what each fact can be."
    )


def own_help() -> str:
    """Return the forms of both actions for a user's puzzle."""
    return (
        "Ask a question that can be answered with yes or no, as: Was it an accident?\n"
        "Tell the story in the form: Story: <what happened>"
    )


@lru_cache(maxsize=1)
def generated_help() -> str:
    """Return the forms of both actions for a generated story, and all values."""
    lines = [
        f"  the {aspect.name}: {listing(aspect.values, 'or')}; also "
        f"{listing(tuple(aspect.categories), 'or')}"
        for aspect in aspects()
    ]
    return "\n".join((_forms().rpartition("\n")[0], "What each fact can be:", *lines))


@lru_cache(maxsize=1)
def _outcomes() -> tuple[str, ...]:
    return tuple(load("outcomes.json"))


def opening(story: Story) -> str:
    """Return the outcome of a generated story and what is known of it."""
    given = [
        f"the {aspect.name} was {aspect.values[value]}"
        for aspect, value, hides in zip(
            aspects(), story.values, story.hidden, strict=True
        )
        if not hides
    ]
    text = _outcomes()[story.outcome]
    return f"{text}\nThis much is known: {listing(given)}." if given else text


def known(story: Story) -> str:
    """Return what happened in a generated story."""
    person, place, object_, motive, weather, helper = (
        aspect.values[value]
        for aspect, value in zip(aspects(), story.values, strict=True)
    )
    return (
        f"Behind it was {person}, because of {motive}. It was prepared at {place}, "
        f"with {object_}, during {weather}, and {helper} helped."
    )


def goal_names(hidden: tuple[bool, ...]) -> list[str]:
    """Return the names of the subgoals: the hidden facts, and telling the story."""
    names = [name for name, hides in zip(ASPECTS, hidden, strict=True) if hides]
    return [*(f"the {name}" for name in names), "the story"]


def question(aspect: int, names: list[str]) -> str:
    """Write a question in the documented form.

    Args:
        aspect: The index of the fact.
        names: Values, or the name of one category.
    """
    return f"Was the {ASPECTS[aspect]} {listing(names, 'or')}?"


def telling(values: tuple[tuple[int, int], ...]) -> str:
    """Write the facts of a story as a telling.

    Args:
        values: Pairs of an aspect's index and the number of its value.
    """
    parts = [
        f"the {ASPECTS[aspect]} was {aspects()[aspect].values[value]}"
        for aspect, value in values
    ]
    return f"Story: {listing(parts)}."


def answer(verdict: str) -> str:
    """Write a verdict, "yes", "no" or "irrelevant", as an answer."""
    return f"{verdict.capitalize()}."


def remaining(left: int) -> str:
    """Return what to append to an answer when few questions are left, else ""."""
    if left > 1:
        return ""
    if left:
        return " One question is left: tell the story."
    return " That was your last question. The game is over."


def unfinished(told: Telling, hidden: tuple[bool, ...]) -> str:
    """Answer a telling that is not the whole story."""
    said = {aspect for aspect, _ in told.values}
    left_out = [
        f"the {name}" for i, name in enumerate(ASPECTS) if hidden[i] and i not in said
    ]
    if left_out:
        return f"Your story leaves out {listing(left_out)}."
    return "Not everything in your story is true."


def problem(why: str) -> str:
    """Explain why a text is neither a question nor a telling."""
    return (
        f"{why} Ask as: Was the person a sailor or a teacher? Or tell it as: "
        "Story: <what happened>"
    )


def own_problem(why: str) -> str:
    """Explain why a text is neither a question nor a telling, for a user's puzzle."""
    return (
        f"{why} Ask a question that can be answered with yes or no, or tell the story "
        "as: Story: <what happened>"
    )
