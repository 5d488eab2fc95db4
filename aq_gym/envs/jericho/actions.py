"""Parse a text as a safe line or a key, or give the reason why it is neither."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.text import normalize, quote
from aq_gym.envs.jericho.logic import Dictionary

LONGEST_LINE = 100
_LONGEST_CACHED = 2 * LONGEST_LINE

# Commands about the session rather than the world. They would write or read files,
# end or rewind the game behind the environment's back, change the word that was
# refused ("oops") or how much all later answers say ("brief"), or are left over from
# the author's testing.
_META = frozenset((
    "save", "restore", "restart", "quit", "q", "die", "undo", "oops", "o", "verify",
    "script", "unscript", "noscript", "transcript", "record", "recording",
    "unrecord", "replay", "playback", "command", "purloin", "abstract", "gonear",
    "goto", "brief", "superbrief", "short", "normal", "verbose", "long", "notify",
    "scope", "showobj", "showverb", "showdict", "tree", "trace", "changes",
    "routines", "messages", "actions", "timers", "daemons", "random", "glklist",
))  # fmt: skip
_REASON = "it is about the session, not the story, and is not allowed here."

_FOLD = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "}
    | {"\u2013": "-", "\u2014": "-", "\u2026": "."}
)
_UNSAFE = re.compile(r"[^ -\[\]-~]")
# Parsers begin a new command after these; a comma can follow the person spoken to.
_CLAUSE = re.compile(r"[.,;:!?\"]|\bthen\b|\band\b")
_NAMED_KEYS = {"return": "", "enter": "", "space": " "}
# Parsers stumble over these at the end of a command.
_TAIL = "!?;:, "
_WORD = re.compile(r"[a-z0-9'-]+")
# Markdown before a line, as "- look" or "> look", and around one, as "**look**".
_BEFORE = re.compile(r"\A(?:[-+#] +|> *)+")
_OPENING, _CLOSING = "*_~`\"'([{<", "*_~`\"')]}>.!?"
_STARS = re.compile(r"\A\*+ *")
_DEBUG = re.compile(r"\s*([#$]\S*)")


class Line(NamedTuple):
    """An agent's text made safe: either ``text`` or ``problem`` is not empty."""

    text: str
    problem: str = ""


def read_line(action: str, word_length: int) -> Line:
    """Make one line of an agent's text safe for a story's parser.

    Args:
        action: Any text.
        word_length: How many characters of a word the story looks at: a longer word
            that begins like a forbidden one is that word to the story.
    """
    if len(action) <= _LONGEST_CACHED:
        return _cached_line(action, word_length)
    return _line(action, word_length)


def read_command(action: str, dictionary: Dictionary) -> Line:
    """Make one line of an agent's text safe, without Markdown before and around it.

    A star that begins a line of words that the story knows is Markdown, too. Any other
    line that begins with a star is kept: many stories read it as a comment.
    """
    text = _BEFORE.sub("", _first_line(action))
    line = read_line(_inside(text), dictionary.length)
    bare = _STARS.sub("", line.text)
    if bare != line.text and _is_known(bare, dictionary):
        return read_line(bare, dictionary.length)
    return line


def _inside(text: str) -> str:
    """Return a line without the Markdown around it, if there is some on both sides."""
    opened = text.lstrip(_OPENING)
    closed = opened.rstrip(_CLOSING)
    inside = closed.strip(" ")
    around = len(closed) < len(opened) < len(text)
    return inside if around and (inside[:1].isalnum() or inside[:1] == "_") else text


def _line(action: str, word_length: int) -> Line:
    text = normalize(_first_line(action)).rstrip(_TAIL)
    if not _WORD.search(text):
        return Line("", f"{quote(action)} has no words: type a command, like look.")
    if len(text) > LONGEST_LINE:
        return Line(
            "",
            f"That command has {len(text)} characters; at most {LONGEST_LINE} "
            "are read.",
        )
    return Line("", problem) if (problem := _problem(text, word_length)) else Line(text)


_cached_line = lru_cache(maxsize=4096)(_line)


def read_key(action: str) -> str:
    """Return the key to press when a story waits for one, "" for Enter."""
    text = _first_line(action).strip()
    return _NAMED_KEYS.get(text.lower(), text[:1])


def could_be_read(action: str, dictionary: Dictionary) -> bool:
    """Return whether a line is a key's name or consists of words known to the parser.

    Args:
        action: Any text.
        dictionary: The story's words. Numbers are read without standing in it.
    """
    # An item of a list is carried out, but a completion is searched only for its text.
    if _BEFORE.match(_first_line(action)):
        return False
    text, problem = read_command(action, dictionary)
    # A parser treats a colon as a letter, and no word has one.
    if problem or ":" in text:
        return False
    return text in _NAMED_KEYS or _is_known(text, dictionary)


def _is_known(text: str, dictionary: Dictionary) -> bool:
    words = _WORD.findall(text)
    return all(word in dictionary or word.isdecimal() for word in words)


def _first_line(action: str) -> str:
    lines = action.strip().splitlines()
    return _UNSAFE.sub(" ", lines[0].translate(_FOLD)) if lines else ""


def _problem(text: str, word_length: int) -> str:
    for clause in _CLAUSE.split(text):
        if debug := _DEBUG.match(clause):
            return f"{debug[1]!r} can't be used: {_REASON}"
    return session_problem(text, word_length)


def session_problem(text: str, word_length: int) -> str:
    """Return why a text that commands the session is refused, "" for other text.

    Args:
        text: Any text.
        word_length: How many characters of a word the story looks at.
    """
    for clause in _CLAUSE.split(text.lower()):
        first = _WORD.search(clause)
        if first and first.group()[:word_length] in _truncated(word_length):
            return f"{first.group()!r} can't be used: {_REASON}"
    return ""


@lru_cache
def _truncated(word_length: int) -> frozenset[str]:
    return frozenset(word[:word_length] for word in _META)
