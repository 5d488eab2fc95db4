"""Parse a text into a command, and find the valid action that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache, partial

from aq_gym.core.text import normalize
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import Action, valid
from aq_gym.envs.alfworld.text import MOVE, Words, commands

__all__ = ["FORM", "completed", "find_action", "put_form", "read", "understands"]

# A command, whether or not its names exist.
FORM = re.compile(
    r"(?:go to|open|close|examine|use) (?P<only>.+)"
    r"|(?:take (?P<taken>.+?) from|(?:clean|heat|cool|slice) (?P<treated>.+?) with"
    r"|(?:put|move) (?P<put>.+?) (?:in/on|to)) (?P<other>.+)"
    r"|look|inventory|help"
)
_PUT = re.compile(r"(?:put|move|place) (.+?) (?:in/on|into|onto|inside|in|on|to) (.+)")
# No name in the games begins with an article.
_ARTICLE = re.compile(r"(?<= )the (?=\S)")
_SYNONYMS = {
    "look around": "look",
    "check inventory": "inventory",
    "check your inventory": "inventory",
}
# A command that needs no normalizing, as most are.
_PLAIN = re.compile(
    r"(?:go to|open|close|examine|use) (?!the )[a-z]+ [0-9]+"
    r"|(?:take|clean|heat|cool) (?!the )[a-z]+ [0-9]+ (?:from|with) (?!the )[a-z]+ "
    r"[0-9]+|look|inventory|help"
)
_PLAIN_MOVE = re.compile(r"move (?!the )[a-z]+ [0-9]+ to (?!the )[a-z]+ [0-9]+")
_BEGINNINGS = {
    "walk to ": "go to ",
    "pick up ": "take ",
    "turn on ": "use ",
}
_NUMBERED = re.compile(r"\S+ \d+")
_TAKE = re.compile(r"take (\S+ \d+)")
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


def read(action: str, words: Words, synonyms: bool = True) -> str:
    """Normalize a command.

    Args:
        action: Any text. Case, whitespace, surrounding quotes, a final stop and "the"
            before a name don't matter; ``put``, ``move`` or ``place`` X ``in/on``,
            ``in``, ``on``, ``into``, ``onto``, ``inside`` or ``to`` Y are the same
            command.
        words: The phrases in which games differ.
        synonyms: Whether "look around", "check inventory", "walk to", "pick up" and
            "turn on" are replaced by the game's commands.

    Returns:
        The command in the game's own form; other text, normalized.
    """
    if _PLAIN.fullmatch(action):
        return action
    if words.put == MOVE and _PLAIN_MOVE.fullmatch(action):
        return action
    text = _ARTICLE.sub("", normalize(action))
    if synonyms:
        text = _SYNONYMS.get(text, text)
        for beginning, verb in _BEGINNINGS.items():
            if text.startswith(beginning):
                text = verb + text.removeprefix(beginning)
    put = _PUT.fullmatch(text)
    if put is None:
        return text
    return words.put.replace("{o}", put[1]).replace("{r}", put[2])


def completed(command: str, commands: Callable[[], Collection[str]]) -> str:
    """Return the only valid ``take X from Y`` for ``take X``, else the command.

    Args:
        command: A normalized command.
        commands: Returns the valid commands; called only if they are needed.
    """
    if _TAKE.fullmatch(command) is None:
        return command
    fitting = [one for one in commands() if one.startswith(f"{command} from ")]
    return fitting[0] if len(fitting) == 1 else command


def understands(command: str, words: Words, receptacles: Collection[str]) -> bool:
    """Return whether a normalized text is a command, whether or not it is valid.

    Args:
        command: A text as ``read`` returns it.
        words: The phrases in which games differ.
        receptacles: The names of the receptacles, which may lack their numbers.
    """
    form = FORM.fullmatch(command)
    if form is not None:
        names = [name for name in form.groupdict().values() if name]
    elif _TAKE.fullmatch(command):
        return True
    else:
        put = re.escape(words.put).replace(r"\{o\}", "(.+?)").replace(r"\{r\}", "(.+)")
        found = re.fullmatch(put, command)
        names = list(found.groups()) if found else [""]
    others = [name for name in names if not _NUMBERED.fullmatch(name)]
    if not others:
        return True
    kinds = {name.rpartition(" ")[0] for name in receptacles}
    return kinds.issuperset(others)


def put_form(words: Words) -> str:
    """Return the form of the command for putting an object into a receptacle."""
    return words.put.replace("{o}", "(object)").replace("{r}", "(receptacle)")


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
