"""Parse a text into a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from aq_gym.core.text import normalize
from aq_gym.envs.alfworld.text import Words

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
_BEGINNINGS = {
    "walk to ": "go to ",
    "pick up ": "take ",
    "turn on ": "use ",
}
_NUMBERED = re.compile(r"\S+ \d+")
_TAKE = re.compile(r"take (\S+ \d+)")


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
