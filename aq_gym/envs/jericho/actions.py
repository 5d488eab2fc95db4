"""Parse a text as a safe line or a key, or give the reason why it is neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.text import normalize, quote
from aq_gym.envs.jericho.logic import Dictionary

LONGEST_LINE = 100

# Commands about the session rather than the world. They would end or rewind the game
# without the environment's knowledge, or change the length of later answers.
_REWINDING = ("restart", "restore", "quit", "q")
_RECORDING = ("record", "recording", "unrecord", "replay", "playback", "command")
_LIBRARY = (
    "save", "die", "verify", "script", "unscript", "noscript", "transcript", "brief",
    "superbrief", "short", "normal", "verbose", "long", "notify",
)  # fmt: skip
# Words for the parser itself or for testing; no story uses them for anything else.
_RESERVED = (
    "undo", "oops", "o", "purloin", "abstract", "gonear", "goto", "scope", "showobj",
    "showverb", "showdict", "tree", "trace", "changes", "routines", "messages",
    "actions", "timers", "daemons", "random", "glklist",
)  # fmt: skip
_SESSION = (*_REWINDING, *_RECORDING, *_LIBRARY, *_RESERVED)
_REASON = "it is about the session, not the story, and is not allowed here."

_FOLD = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "}
    | {"\u2013": "-", "\u2014": "-", "\u2026": "."}
)
_UNSAFE = re.compile(r"[^ -\[\]-~]")
# Parsers begin a new command after these; a comma can also follow a name, as in "Ann,
# go".
_CLAUSE = re.compile(r"[.,;:!?\"]|\bthen\b|\band\b")
_NAMED_KEYS = {"return": "", "enter": "", "space": " "}
# Characters at the end of a command that parsers don't accept.
_TAIL = "!?;:, "
_WORD = re.compile(r"[a-z0-9'-]+")
# Markdown before a line, as in "- look" or "> look", and around it, as in "**look**".
_BEFORE = re.compile(r"\A(?:[-+#] +|> *)+")
_OPENING, _CLOSING = "*_~`\"'([{<", "*_~`\"')]}>.!?"
_STARS = re.compile(r"\A\*+ *")
_DEBUG = re.compile(r"\s*([#$]\S*)")


class Line(NamedTuple):
    """An agent's text as a safe line; either ``text`` or ``problem`` is empty."""

    text: str
    problem: str = ""


def read_command(action: str, dictionary: Dictionary) -> Line:
    """Make one line of an agent's text safe, without Markdown before and around it.

    A star at the start is also Markdown if the story knows all words of the line. Other
    lines with a star are kept, because many stories read them as comments.
    """
    text = _BEFORE.sub("", _first_line(action))
    line = read_line(_inside(text), dictionary)
    bare = _STARS.sub("", line.text)
    if bare != line.text and _is_known(bare, dictionary):
        return read_line(bare, dictionary)
    return line


def _inside(text: str) -> str:
    """Return a line without Markdown around it, if there is Markdown on both sides."""
    opened = text.lstrip(_OPENING)
    closed = opened.rstrip(_CLOSING)
    inside = closed.strip(" ")
    around = len(closed) < len(opened) < len(text)
    return inside if around and (inside[:1].isalnum() or inside[:1] == "_") else text


def read_line(action: str, dictionary: Dictionary) -> Line:
    """Make one line of an agent's text safe for a story's parser.

    Args:
        action: Any text.
        dictionary: The story's words.
    """
    text = normalize(_first_line(action)).rstrip(_TAIL)
    if not _WORD.search(text):
        return Line("", f"{quote(action)} has no words: type a command, like look.")
    if len(text) > LONGEST_LINE:
        return Line(
            "",
            f"That command has {len(text)} characters; at most {LONGEST_LINE} "
            "are read.",
        )
    return Line("", problem) if (problem := _problem(text, dictionary)) else Line(text)


def read_key(action: str) -> str:
    """Return the key to press when a story waits for one, "" for Enter."""
    text = _first_line(action).strip()
    return _NAMED_KEYS.get(text.lower(), text[:1])


def is_in_grammar(action: str, line: Line, dictionary: Dictionary) -> bool:
    """Return whether an action is a key's name, or all its words are known.

    Args:
        action: Any text.
        line: The line that :func:`read_command` returned for it.
        dictionary: The story's words. Numbers need not be in it.
    """
    # An item of a Markdown list is played, but does not count as an action in a
    # completion.
    if _BEFORE.match(_first_line(action)):
        return False
    # A parser treats a colon as a letter, and no word has one.
    if line.problem or ":" in line.text:
        return False
    return line.text in _NAMED_KEYS or _is_known(line.text, dictionary)


def _is_known(text: str, dictionary: Dictionary) -> bool:
    words = _WORD.findall(text)
    return all(word in dictionary or word.isdecimal() for word in words)


def _first_line(action: str) -> str:
    lines = action.strip().splitlines()
    return _UNSAFE.sub(" ", lines[0].translate(_FOLD)) if lines else ""


def _problem(text: str, dictionary: Dictionary) -> str:
    for clause in _CLAUSE.split(text):
        if debug := _DEBUG.match(clause):
            return f"{debug[1]!r} can't be used: {_REASON}"
    return session_problem(text, dictionary)


def session_problem(text: str, dictionary: Dictionary) -> str:
    """Return why a session command is refused; "" for other text.

    Args:
        text: Any text.
        dictionary: The story's words. Stories only read the first characters of a word,
            so a longer word can be the same as a session command.
    """
    length = dictionary.length
    for clause in _CLAUSE.split(text.lower()):
        words = _WORD.findall(clause)
        known = words and words[0][:length] in _cut(_SESSION, length)
        if known and not _is_own(words, dictionary):
            return f"{words[0]!r} can't be used: {_REASON}"
    return ""


def _is_own(words: Sequence[str], dictionary: Dictionary) -> bool:
    """Return whether the story uses the word of a session command for its world.

    Inform marks the session verbs of its library; with an object, such a verb belongs
    to the story, as in "save the child". Other compilers mark nothing. Infocom's
    commands about recordings begin with a special character, so a plain "record", as in
    Ballyhoo, belongs to the story.
    """
    verb, *rest = words
    cut, length = verb[: dictionary.length], dictionary.length
    if cut in _cut(_RESERVED, length):
        return False
    if not dictionary.inform:
        return cut in _cut(_RECORDING, length) and verb in dictionary
    unmarked, takes_object = dictionary.verb(verb)
    # Without an object, these end or rewind the game even if a story redefines them.
    alone = unmarked and cut not in _cut(_REWINDING, length)
    return alone or (takes_object and bool(rest))


@lru_cache
def _cut(words: tuple[str, ...], length: int) -> frozenset[str]:
    return frozenset(word[:length] for word in words)
