"""An episode as a judge reads it: actions and observations, but no results."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from aq_gym.trajectory import Trajectory, codec

_COMPLETION = ("completion", "response")
_CUT = " [...] "
# Shares of the room: the longest beginning, and the longest text of a step.
_START, _TEXT = 4, 16


class Exchange(NamedTuple):
    """A step: what the agent wrote, and the observation that followed."""

    said: str
    seen: str


class Transcript(NamedTuple):
    """An episode without rewards, progress, success or any other part of its info."""

    start: str
    turns: tuple[Exchange, ...]


def transcript_of(recorded: Trajectory) -> Transcript:
    """Return the transcript of an episode.

    Args:
        recorded: The episode, of any environment. What is not text becomes JSON. The
            agent's text is its whole completion where the step has that.
    """
    turns = (
        Exchange(_said(step), _text(step["observation"])) for step in recorded.steps
    )
    return Transcript(_text(recorded.header.get("observation", "")), tuple(turns))


def render(transcript: Transcript, room: int) -> str:
    """Return a transcript as text for a request, shortened if it is too long.

    Each line of the episode begins with ``| ``, so that none can imitate a heading, or
    the end of the transcript. If it is longer than the room, the middle of the first
    observation is left out beyond a quarter of the room, that of every other text
    beyond a sixteenth, and then steps from the middle, with a line that counts them.

    Args:
        transcript: The episode.
        room: About how many characters the text may have; the last step stays.
    """
    blocks = _blocks(transcript)
    if sum(map(len, blocks)) <= room:
        return "".join(blocks)
    turns = (
        Exchange(*(_cut(text, room // _TEXT) for text in one)) for one in transcript[1]
    )
    start = _cut(transcript.start, room // _START)
    first, *steps = _blocks(Transcript(start, tuple(turns)))
    left, low, high = room - len(first), 0, len(steps)
    while low < high:
        # In turn from the end and from the beginning.
        at_end = len(steps) - high <= low
        step = steps[high - 1] if at_end else steps[low]
        left -= len(step)
        if left < 0 and high < len(steps):
            break
        low, high = (low, high - 1) if at_end else (low + 1, high)
    missing = f"[{high - low} steps are left out here]\n" if high > low else ""
    return "".join([first, *steps[:low], missing, *steps[high:]])


def quote(text: str) -> str:
    """Return a text with ``| `` before each line, whatever ends a line in it."""
    return "".join(f"| {line}\n" for line in text.splitlines() or [""])


def _blocks(transcript: Transcript) -> list[str]:
    blocks = [f"Start:\n{quote(transcript.start)}"]
    for number, (said, seen) in enumerate(transcript.turns, 1):
        blocks.append(
            f"Step {number}, the agent:\n{quote(said)}"
            f"Step {number}, the environment:\n{quote(seen)}"
        )
    return blocks


def _cut(text: str, length: int) -> str:
    half = max(length, 2 * len(_CUT)) // 2
    return text if len(text) <= 2 * half else f"{text[:half]}{_CUT}{text[-half:]}"


def _said(step: dict[str, Any]) -> str:
    notes = step.get("notes")
    if isinstance(notes, dict):
        for name in _COMPLETION:
            if isinstance(notes.get(name), str):
                return str(notes[name])
    return _text(step["action"])


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(codec.encode(value))
