"""Parsing of a command to the valid action that it names."""

from __future__ import annotations

import re
from functools import lru_cache

from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.rules import Action, valid
from aq_gym.envs.alfworld.text import Words, commands

__all__ = ["find_action"]

_NAME = r"\S+ \d+"
_ALWAYS = frozenset({"look", "inventory", "help"})
_PREPOSITIONS = {
    "take": " from ",
    "clean": " with ",
    "heat": " with ",
    "cool": " with ",
    "slice": " with ",
}


def find_action(
    house: House, words: Words, state: State, command: str
) -> Action | None:
    """Return the valid action of a command, or None.

    Args:
        house: The household.
        words: The phrases in which games differ.
        state: The current state.
        command: A command in the game's own form.
    """
    if not house.simple_names:
        return commands(house, words, state).get(command)
    for action in _meanings(house, words, state, command):
        if valid(house, state, action):
            return action
    return None


def _meanings(house: House, words: Words, state: State, command: str) -> list[Action]:
    """Return the actions that a command can mean, whether or not they are valid."""
    things, places = house.object_numbers, house.receptacle_numbers
    if command.startswith("go to ") and command[6:] in places:
        return [Action("go", places[command[6:]])]
    if command.startswith("take "):
        return _with_two_names(house, "take", command[5:])
    beginning, pattern = _put_pattern(words.put)
    put = pattern.fullmatch(command) if command.startswith(beginning) else None
    if put is not None and put["o"] in things and put["r"] in places:
        return [Action("put", things[put["o"]], places[put["r"]])]
    if command in _ALWAYS:
        return [Action(command)]
    verb, _, names = command.partition(" ")
    if verb in _PREPOSITIONS:
        return _with_two_names(house, verb, names)
    if names in places and verb in ("open", "close", "examine"):
        verb = "examine receptacle" if verb == "examine" else verb
        return [Action(verb, places[names])]
    if names in things and verb == "examine":
        return [Action("examine object", things[names])]
    if names in things and verb == "use":
        thing, here = things[names], house.nearby[state.location]
        spots = [spot for spot in reversed(here) if thing in state.contents[spot]]
        return [Action("use", thing, spot) for spot in spots]
    return []


def _with_two_names(house: House, verb: str, names: str) -> list[Action]:
    first, _, second = names.partition(_PREPOSITIONS[verb])
    thing = house.object_numbers.get(first)
    others = house.object_numbers if verb == "slice" else house.receptacle_numbers
    other = others.get(second)
    return [] if thing is None or other is None else [Action(verb, thing, other)]


@lru_cache(maxsize=16)
def _put_pattern(put: str) -> tuple[str, re.Pattern[str]]:
    """Return the pattern of the command for putting, and how it begins."""
    pattern = re.escape(put)
    for name in "or":
        hole = re.escape(f"{{{name}}}")
        pattern = pattern.replace(hole, rf"(?P<{name}>{_NAME})", 1)
        pattern = pattern.replace(hole, rf"(?P={name})")
    return put.partition("{")[0], re.compile(pattern)
