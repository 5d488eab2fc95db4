"""The sentences of ScienceWorld's env, and the grammar of its actions."""

from __future__ import annotations

import re

from aq_gym.core.text import normalize, quote
from aq_gym.envs.scienceworld.logic.instances import Instance

__all__ = [
    "NO_MATCH",
    "choose",
    "forms",
    "help_text",
    "instructions",
    "no_match",
    "read",
    "unknown",
]

# ScienceWorld's own answer.
NO_MATCH = "No known action matches that input."

# As ScienceWorld lists them.
_FORMS = (
    "activate OBJ",
    "close OBJ",
    "connect OBJ to OBJ",
    "deactivate OBJ",
    "disconnect OBJ",
    "dunk OBJ in OBJ",
    "eat OBJ",
    "flush OBJ",
    "focus on OBJ",
    "go OBJ",
    "inventory",
    "look around",
    "look at OBJ",
    "look in OBJ",
    "mix OBJ",
    "move OBJ to OBJ",
    "open OBJ",
    "pick up OBJ",
    "pour OBJ in OBJ",
    "put down OBJ",
    "read OBJ",
    "reset task",
    "task",
    "use OBJ on OBJ",
    "wait",
    "wait1",
)
_INSTRUCTIONS = """\
You are in a house with a workshop, a greenhouse, a foundry and a garden, where you \
do an experiment or find something out. Write each action in one of these forms, where \
OBJ is the name of a thing, a substance, a door or a place as in the answers:
{forms}
"focus on OBJ" names the object that the task asks about: focus on it only where the \
task says so, because a wrong one fails the task. "wait" lets ten units of time pass, \
"wait1" one. Where an action can mean several things you are asked for a number. \
"check valid actions" lists the forms and what is in sight."""
# All words that ScienceWorld accepts for these actions, besides those that it lists.
_ALONE = "inventory|look around|look|task|objects|reset task|wait|wait1"
_ONE = (
    "activate|turn on|deactivate|turn off|disconnect|eat|consume|flush|focus on|focus|"
    "look at|look on|examine|look in|mix|stir|pick up|get|take|put down|drop|open|"
    "close|read|go through|go to|go into|go|walk through|walk to|move through|move to|"
    "move into|teleport to|teleport into|teleport"
)
_TWO = (
    ("connect", "to|in|into"),
    ("move|put", "to|into|in|on"),
    ("pour", "into|in|on|to"),
    ("dunk", "into|in"),
    ("use", "on|with"),
)
# No object has a longer name; 110 characters are the longest action of a gold path.
_NAME = r"[a-z0-9(][a-z0-9()' -]{0,120}"
_GRAMMAR = re.compile(
    "|".join(
        (
            _ALONE,
            r"\d{1,3}",
            f"(?:{_ONE}) {_NAME}",
            *(f"(?:{verb}) {_NAME} (?:{word}) {_NAME}" for verb, word in _TWO),
        )
    )
)
# They make a sentence, and no name has them.
_SENTENCE = re.compile(
    r"\b(?:i|we|you|it|my|me|he|they|because|so|should|will|would|could|can|then|now|that"
    r"|which|first|next|please|need|want|let|let's|is|are|was|be|if|but|before|after"
    r"|again|try|think|here|there|this|using|order)\b"
)


def forms(instance: Instance) -> tuple[str, ...]:
    """Return the forms of the actions of an instance.

    Args:
        instance: Its simplifications add or remove forms.
    """
    enabled = instance.enabled
    listed = [
        f for f in _FORMS if "noElectricalAction" not in enabled or "connect" not in f
    ]
    return (*listed, "teleport OBJ") if "teleportAction" in enabled else tuple(listed)


def instructions(forms: tuple[str, ...]) -> str:
    """Return the text before the first observation.

    Args:
        forms: The forms of actions.
    """
    return _INSTRUCTIONS.format(forms=", ".join(forms))


def read(action: str) -> str | None:
    """Return an action in ScienceWorld's words, None if it has none of its forms.

    Case, whitespace, surrounding quotes and a final full stop do not matter.

    Args:
        action: The text of an agent.
    """
    text = normalize(action)
    if _GRAMMAR.fullmatch(text) is None or _SENTENCE.search(text):
        return None
    return text


def help_text(forms: tuple[str, ...], objects: tuple[str, ...], choices: int) -> str:
    """Return the answer to ``check valid actions``.

    Args:
        forms: The forms of actions.
        objects: The names of what is in sight.
        choices: The number of meanings to choose from, 0 if nothing was asked.
    """
    lines = [f"Actions have one of these forms: {', '.join(forms)}."]
    if objects:
        lines.append(f"OBJ can be: {', '.join(objects)}.")
    if choices:
        lines.insert(0, _choices(choices))
    return "\n".join(lines)


def unknown(action: str, forms: tuple[str, ...]) -> str:
    """Return why a text is not an action.

    Args:
        action: The text of an agent.
        forms: The forms of actions.
    """
    return (
        f"{quote(action)} has no form of an action. "
        f"Write one of: {', '.join(forms)}, or 'check valid actions'."
    )


def no_match(action: str, objects: tuple[str, ...]) -> str:
    """Return why an action names nothing that can be done.

    Args:
        action: The action.
        objects: The names of what is in sight.
    """
    return (
        f"{quote(action)} names something that is not here, or that cannot be used so. "
        f"OBJ can be: {', '.join(objects)}."
    )


def choose(number: str, choices: int) -> str:
    """Return why a number is not an action.

    Args:
        number: The number.
        choices: The number of meanings to choose from, 0 if nothing was asked.
    """
    if not choices:
        return f"{quote(number)}: a number only answers a question, and none was asked."
    return f"{quote(number)} is not one of the choices. {_choices(choices)}"


def _choices(choices: int) -> str:
    return f"Enter a number from 0 to {choices - 1}, or another action."
