"""Parsing of a command to the valid action that it names."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import Action, valid
from aq_gym.envs.alfworld.text import MOVE, Words, commands

__all__ = ["find_action"]

_NAME = r"\S+ \d+"
_ALWAYS = {name: Action(name) for name in ("look", "inventory", "help")}
_PREPOSITIONS = {
    "take": " from ",
    "clean": " with ",
    "heat": " with ",
    "cool": " with ",
    "slice": " with ",
}
_ON_RECEPTACLES = {
    "open": "open",
    "close": "close",
    "examine": "examine receptacle",
}
# Like Action, but of a tuple, which takes half the time.
_action = partial(tuple.__new__, Action)


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
    places = house.receptacle_numbers
    if command[:6] == "go to ":
        spot = places.get(command[6:])
        if spot is not None:
            is_far = house.places[spot] != state.location
            return _action(("go", spot, NOTHING)) if is_far else None
    verb, _, names = command.partition(" ")
    if verb == "take":
        action = _with_two_names(house, "take", names, " from ")
    elif verb in _ON_RECEPTACLES and names in places:
        action = _action((_ON_RECEPTACLES[verb], places[names], NOTHING))
    elif verb == "use":
        # It is valid if it is found.
        return _use(house, state, names)
    else:
        action = _less_frequent(house, words, state, command)
    return action if action is not None and valid(house, state, action) else None


def _less_frequent(
    house: House, words: Words, state: State, command: str
) -> Action | None:
    verb, _, names = command.partition(" ")
    if words.put != MOVE:
        put = _put_pattern(words.put).fullmatch(command)
        if put is not None:
            return _with_two_names(house, "put", f"{put['o']}\n{put['r']}", "\n")
    elif verb == "move":
        return _with_two_names(house, "put", names, " to ")
    if verb in _PREPOSITIONS:
        return _with_two_names(house, verb, names, _PREPOSITIONS[verb])
    thing = house.object_numbers.get(names)
    if thing is not None and verb == "examine":
        return Action("examine object", thing)
    return _ALWAYS.get(command)


def _with_two_names(house: House, verb: str, names: str, between: str) -> Action | None:
    first, _, second = names.partition(between)
    thing = house.object_numbers.get(first)
    others = house.object_numbers if verb == "slice" else house.receptacle_numbers
    other = others.get(second)
    if thing is None or other is None:
        return None
    return _action((verb, thing, other))


def _use(house: House, state: State, name: str) -> Action | None:
    thing, contents = house.object_numbers.get(name), state.contents
    if thing in house.toggleable:
        for spot in reversed(house.nearby[state.location]):
            if thing in contents[spot]:
                return _action(("use", thing, spot))
    return None


@lru_cache(maxsize=16)
def _put_pattern(put: str) -> re.Pattern[str]:
    """Return the pattern of the command for putting."""
    pattern = re.escape(put)
    for name in "or":
        hole = re.escape(f"{{{name}}}")
        pattern = pattern.replace(hole, rf"(?P<{name}>{_NAME})", 1)
        pattern = pattern.replace(hole, rf"(?P={name})")
    return re.compile(pattern)
