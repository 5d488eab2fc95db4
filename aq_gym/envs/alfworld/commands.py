"""Read a command, and explain why a text is not a valid one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from aq_gym.core.help import WORKS
from aq_gym.core.text import listing, normalize, quote
from aq_gym.envs.alfworld.logic.house import House
from aq_gym.envs.alfworld.text import Words

# Matches a command, whether or not its names exist.
FORM = re.compile(
    r"(?:go to|open|close|examine|use) (?P<only>.+)"
    r"|(?:take (?P<taken>.+?) from|(?:clean|heat|cool|slice) (?P<treated>.+?) with"
    r"|(?:put|move) (?P<put>.+?) (?:in/on|to)) (?P<other>.+)"
    r"|look|inventory|help"
)
_PUT = re.compile(r"(?:put|move|place) (.+?) (?:in/on|into|onto|inside|in|on|to) (.+)")
# Articles are dropped, because no name in the games begins with one.
_ARTICLE = re.compile(r"(?<= )the (?=\S)")
_SYNONYMS = {
    "look around": "look",
    "check inventory": "inventory",
    "check your inventory": "inventory",
}
_BEGINNINGS = {
    "walk to ": "go to ",
    "pick up ": "take ",
    "turn on ": "use ",
}
_NUMBERED = re.compile(r"\S+ \d+")
_TAKE = re.compile(r"take (\S+ \d+)")
_PUT_VERBS = frozenset({"put", "move", "place"})
# The form of each command, by its first word.
_COMMANDS = {
    "go": "go to (receptacle)",
    "open": "open (receptacle)",
    "close": "close (receptacle)",
    "take": "take (object) from (receptacle)",
    "clean": "clean (object) with (receptacle)",
    "heat": "heat (object) with (receptacle)",
    "cool": "cool (object) with (receptacle)",
    "use": "use (object)",
    "slice": "slice (object) with (object)",
    "examine": "examine (something)",
}
_NUMBER = re.compile(r" \d+$")
# The limit of examples in a message.
_MOST = 4
_LONGEST = 200


def read(action: str, words: Words, synonyms: bool = True) -> str:
    """Normalize a command.

    Args:
        action: Any text. Case, whitespace, surrounding quotes, a final stop and "the"
            before a name don't matter; ``put``, ``move`` or ``place`` X ``in/on``,
            ``in``, ``on``, ``into``, ``onto``, ``inside`` or ``to`` Y are the same
            command.
        words: The phrases that differ between games.
        synonyms: Whether "look around", "check inventory", "walk to", "pick up" and
            "turn on" are replaced by the game's commands.

    Returns:
        The command in the game's own form; other text is only normalized.
    """
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
    """Replace ``take X`` by ``take X from Y`` if only one Y is valid.

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
        words: The phrases that differ between games.
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


def problem(
    house: House,
    words: Words,
    action: str,
    commands: Callable[[], Collection[str]],
) -> str:
    """Return why a command is invalid now.

    The answer reveals nothing that the agent has not seen, such as whether an object
    exists.

    Args:
        house: The household.
        words: The phrases that differ between games.
        action: The command as the agent wrote it.
        commands: Returns the valid commands, which complete names without a number;
            called only if they are needed.
    """
    text = read(action, words)
    quoted = quote(action)
    form = FORM.fullmatch(text)
    if form is None:
        verb = text.partition(" ")[0]
        wanted = put_form(words) if verb in _PUT_VERBS else _COMMANDS.get(verb)
        # The agent has seen all receptacles.
        places = (one for one in commands() if one.startswith("go to "))
        works = f"{WORKS}{min(places, default='look')}."
        if wanted:
            return f"{quoted} is not a command: say {wanted}. {works}"
        listed = "check valid actions lists what can be done"
        return f"{quoted} is not a command; {listed}. {works}"
    place = text.removeprefix("go to ")
    if place != text and place in house.receptacle_names:
        return f"{quoted}: you are there already."
    if place != text and not _kind(house, place):
        return f"{quoted}: there is no such place."
    # Limits the length of the name in the message.
    if len(text) <= _LONGEST and text.isprintable() and _bare(form):
        return f"{quoted} lacks a number: {_numbered(house, form, commands())}."
    return (
        f"{quoted} can't be done here and now; check valid actions lists what can be."
    )


def _bare(form: re.Match[str]) -> list[str]:
    """Return the regex groups whose names lack a number, in order."""
    return [
        group
        for group, name in form.groupdict().items()
        if name and not _NUMBER.search(name)
    ]


def _kind(house: House, name: str) -> list[str]:
    """Return the receptacles that a name without a number may refer to."""
    fitting = [
        known for known in house.receptacle_names if _NUMBER.sub("", known) == name
    ]
    return sorted(fitting, key=_number)


def _number(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name)))


def _numbered(house: House, form: re.Match[str], commands: Collection[str]) -> str:
    """Return the command with numbers, or explain how to number its names."""
    pattern, read_to = "", 0
    for group in _bare(form):
        pattern += re.escape(form.string[read_to : form.end(group)]) + r" \d+"
        read_to = form.end(group)
    pattern += re.escape(form.string[read_to:])
    matching = [each for each in commands if re.fullmatch(pattern, each)]
    if matching:
        return f"say {_some(sorted(matching, key=_number))}"
    hints = []
    for group in _bare(form):
        known = _kind(house, form[group])
        hint = _some(known) if known else "it as you see it, with its number"
        hints.append(f"for {form[group]}, say {hint}")
    return "; ".join(hints)


def _some(names: list[str]) -> str:
    if len(names) <= _MOST:
        return listing(names, "or")
    return f"{', '.join(names[:_MOST])} or another"
