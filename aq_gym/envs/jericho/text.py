"""The texts around a story: instructions, hints, explanations of invalid actions."""

from __future__ import annotations

from aq_gym.core.text import quote


def key_hint(keys: tuple[str, ...]) -> str:
    """Return the hint that the story waits for a key, with a menu's keys."""
    named = f" Here: {', '.join(keys)}." if keys else ""
    return (
        "[The story waits for a key: the first character of your next action, or "
        f"return or space.{named}]"
    )


def instructions(goal: str) -> str:
    """Return the instructions for an agent that has never seen such a game."""
    return (
        "You are playing a text adventure. Each action is one short command in plain "
        "English, as: look, inventory, north, take lamp, examine desk, open door, "
        "put coin in slot, unlock gate with key, ask guard about password. Walk with "
        "north, south, east, west, northeast, northwest, southeast, southwest, up, "
        "down, in and out. Commands about the game itself (save, restore, restart, "
        "undo, quit) are not allowed. Type check valid actions to see what would "
        "change something here.\n"
        f"Your goal: {goal}"
    )


def help_text(actions: tuple[str, ...], complete: bool) -> str:
    """Return the list of commands that would change something now."""
    listed = ", ".join(actions) if actions else "none was found"
    rest = "" if complete else " The list is partial: there was more to try."
    return (
        f"Commands that would change something now: {listed}.{rest} You can also look, "
        "examine things, take inventory and more."
    )


def not_understood(action: str, answer: str) -> str:
    """Explain a line that the story's parser rejected."""
    said = answer.splitlines()[0] if answer else "no answer"
    return (
        f"The story did not understand {quote(action)}: {said} Use a verb and things "
        "you have seen; check valid actions lists commands that work here."
    )
