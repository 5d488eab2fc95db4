"""ScienceWorld's texts: instructions, help, and why an action is refused."""

from __future__ import annotations

from aq_gym.core.text import quote

# ScienceWorld's own answer.
NO_MATCH = "No known action matches that input."

_INSTRUCTIONS = """\
You are in a house with a workshop, a greenhouse, a foundry and a garden, where you \
do an experiment or find something out. Write each action in one of these forms, where \
OBJ is the name of a thing, a substance, a door or a place as in the answers:
{forms}
"focus on OBJ" names the object that the task asks about: focus on it only where the \
task says so, because a wrong one fails the task. "wait" lets ten units of time pass, \
"wait1" one. Where an action can mean several things you are asked for a number. \
"check valid actions" lists the forms and what is in sight."""


def instructions(forms: tuple[str, ...]) -> str:
    """Return the text before the first observation."""
    return _INSTRUCTIONS.format(forms=", ".join(forms))


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
    """Return why a text is not an action."""
    return (
        f"{quote(action)} has no form of an action. "
        f"Write one of: {', '.join(forms)}, or 'check valid actions'."
    )


def no_match(action: str, objects: tuple[str, ...]) -> str:
    """Return why an action names nothing that can be done."""
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
