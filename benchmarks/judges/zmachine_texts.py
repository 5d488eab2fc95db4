"""Compare the texts of Jericho and of our Z-machine, turn by turn.

Jericho writes the texts of two parts of a screen into one. Only these differences are
explained:

- "upper window shown": what is left over in Jericho's text is what our upper window
  shows, before or after the turn, word by word; numbers may have changed in between.
- "word held back": Jericho shows the last word before a prompt only with the next
  answer, in front of it.
- "name of object 0": the story prints the name of an object that doesn't exist;
  Jericho prints the bytes that lie there, we print nothing.
- "quit ignored": a story quits; ours ends, Jericho's continues.
- "both failed": the story does what no interpreter allows.

Whitespace, prompts and version 3's status lines aren't compared. Stories
print the standard's revision at their beginning: 1.0 in Jericho, 1.1 here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from aq_gym.zmachine import Status

_FATAL = "This is normally fatal."
_SCORE_OR_TIME = r" {9,}(?:Score: +-?\d+ +Moves: +\d+|Time: +\d+:\d\d [ap]m) *"
_STATUS_LINE = re.compile(rf"^ ?>? ?\S.*{_SCORE_OR_TIME}", re.M)
_WORD = re.compile(r"\w+|[^\w\s]")
# The times that the clock in Sherlock's upper window showed in between, after the room.
_CLOCK = re.compile(r"(?: {9,}\S[^\n]{0,40}?)?\w+day +\d+:\d\d:\d\d [ap]\.m\.")
_PLACE = re.compile(r"\S+(?: \S+)*")
_REVISION = "interpreter 1.1", "interpreter 1.0"


class Turn(NamedTuple):
    """Both interpreters' answers to a command.

    Attributes:
        command: The command; "" for the opening.
        theirs: Jericho's text.
        ours: Our text.
        upper: Our upper window's rows.
        status: What our story does then.
    """

    command: str
    theirs: str
    ours: str
    upper: tuple[str, ...]
    status: Status


def relate(
    turn: Turn, held: str, shown: tuple[str, ...], nameless: str
) -> tuple[str, str]:
    """Return how the texts of a turn differ, and the text that Jericho delays.

    Args:
        turn: The turn.
        held: What Jericho delayed in the turn before.
        shown: The upper window before.
        nameless: What Jericho prints as the name of object 0.

    Returns:
        The kind of difference, "" if unexplained, and what is delayed.
    """
    nameless = _squeeze(nameless)
    theirs = _squeeze(_without_status_lines(turn.theirs, (*shown, *turn.upper)))
    said = turn.ours.replace(*_REVISION)
    ours = held + _squeeze(said)
    if theirs == ours:
        return "equal", ""
    last_word = _squeeze((said.replace(">", " ").split() or [""])[-1])
    words = {word for row in (*shown, *turn.upper) for word in _WORD.findall(row)}
    left = _left_over(theirs, ours, [_pattern(word) for word in sorted(words)])
    if left == "":
        return "upper window shown", ""
    if left is not None and last_word.endswith(left):
        return "word held back", left
    if nameless and theirs.replace(nameless, "") == ours:
        return "name of object 0", ""
    if turn.status == Status.HALTED and theirs.startswith(ours):
        return "quit ignored", ""
    if turn.status == Status.FAILED and _FATAL in turn.theirs:
        return "both failed", ""
    return "", ""


def _without_status_lines(text: str, rows: Iterable[str]) -> str:
    """Remove version 3's status lines, also after a delayed word."""
    for row in rows:
        if place := _PLACE.search(row):
            named = re.escape(place.group()) + _SCORE_OR_TIME
            text = re.sub(named, "\n", text)
    return _STATUS_LINE.sub("\n", _CLOCK.sub("", text))


def _squeeze(text: str) -> str:
    return "".join(text.replace(">", " ").split())


def _pattern(word: str) -> re.Pattern[str]:
    """Return a pattern of a word of the upper window, with any numbers."""
    return re.compile(re.sub(r"\d+", r"\\d+", re.escape(_squeeze(word))))


def _left_over(
    theirs: str, ours: str, patterns: Iterable[re.Pattern[str]]
) -> str | None:
    """Remove our text and the patterns from Jericho's text, in order.

    Returns:
        The end of our text that Jericho's lacks, None where there is another
        difference.
    """
    used = [p for p in patterns if p.pattern]
    ends: dict[int, set[int]] = {0: {0}}
    last: set[int] = set()
    for place in range(len(theirs) + 1):
        reached = ends.pop(place, set())
        if place == len(theirs):
            last = reached
        elif reached:
            for length in {
                match.end() for p in used if (match := p.match(theirs, place))
            }:
                if length > place:
                    ends.setdefault(length, set()).update(reached)
            same = {i + 1 for i in reached if ours[i : i + 1] == theirs[place]}
            ends.setdefault(place + 1, set()).update(same)
    return ours[max(last) :] if last else None
