"""The episodes that are rated, and the facts about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.evaluation.results import load_run
from aq_gym.trajectory import Trajectory, codec, iter_trajectories, read
from aq_gym.trajectory.reader import find

_COMPLETION = ("completion", "response")


_CUT = " [...] "


# The largest shares of the room for the first observation, and for a text of a step.
_START, _TEXT = 4, 16


class Exchange(NamedTuple):
    """A step: the agent's text, and the observation that followed."""

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
            agent's text is its whole completion, if the step has it.
    """
    turns = (
        Exchange(_said(step), _text(step["observation"])) for step in recorded.steps
    )
    return Transcript(_text(recorded.header.get("observation", "")), tuple(turns))


def render(transcript: Transcript, room: int) -> str:
    """Return a transcript as text for a request, shortened if it is too long.

    Each line of the episode begins with ``| ``, so that none can imitate a heading, or
    the end of the transcript. If the text is longer than the room, the first
    observation is cut in the middle to a quarter of the room, and every other text to a
    sixteenth. Then steps are left out from the middle, with a line that counts them.

    Args:
        transcript: The episode.
        room: The approximate maximum number of characters; the last step is always
            kept.
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
        # Steps are kept alternately from the end and from the beginning.
        at_end = len(steps) - high <= low
        step = steps[high - 1] if at_end else steps[low]
        left -= len(step)
        if left < 0 and high < len(steps):
            break
        low, high = (low, high - 1) if at_end else (low + 1, high)
    missing = f"[{high - low} steps are left out here]\n" if high > low else ""
    return "".join([first, *steps[:low], missing, *steps[high:]])


def quote(text: str) -> str:
    """Return a text with ``| `` before each line, for every kind of line break."""
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


class RatedEpisode(NamedTuple):
    """An episode that is rated.

    Attributes:
        name: The name of its task, and of its trajectory.
        env: The environment's id, "" where it is not known.
        unit: The instance that was played; intervals draw instances.
        transcript: The part that judges see.
        model: The model that played, "" if none is known.
        truth: Known facts that are hidden from judges: "success" (0.0 or 1.0),
            "progress rate" and "repetition rate".
    """

    name: str
    env: str
    unit: str
    transcript: Transcript
    model: str
    truth: dict[str, float]


def load_episodes(path: Path) -> tuple[list[RatedEpisode], list[str]]:
    """Return the complete episodes of a run, or of a folder of trajectories.

    Episodes that are cut off or damaged, ended with an error or have no steps are left
    out.

    Returns:
        The episodes, and the names of those left out.

    Raises:
        FileNotFoundError: If there is neither, or an episode has no trajectory.
        ValueError: If a file is damaged, or no episode is complete.
    """
    if not path.is_dir():
        raise FileNotFoundError(f"{path} is neither a run nor a folder")
    is_run = (path / "run.json").is_file()
    left_out: list[str] = []
    read_all = _of_run if is_run else _of_folder
    found = list(read_all(path, left_out))
    if not found:
        raise ValueError(f"{path} has no complete episode")
    return found, left_out


def _of_run(path: Path, left_out: list[str]) -> Iterator[RatedEpisode]:
    run = load_run(path)
    if run.damaged:
        left_out.append(run.damaged)
    for row in run.episodes:
        # After an error there may be no file.
        recorded = None if row.error else read(find(path / "trajectories", row.task))
        if recorded is None or not recorded.complete or not recorded.steps:
            left_out.append(row.task)
            continue
        truth = {
            "success": float(row.success),
            "progress rate": row.progress_rate,
            "repetition rate": row.repetition_rate,
        }
        yield _episode(row.env, row.unit, recorded, truth)._replace(name=row.task)


def _of_folder(path: Path, left_out: list[str]) -> Iterator[RatedEpisode]:
    for recorded in iter_trajectories(path):
        if not recorded.complete or not recorded.steps:
            left_out.append(recorded.name)
            continue
        spec = recorded.header.get("spec")
        env = _text(spec.get("id", "")) if isinstance(spec, dict) else ""
        task = _text(recorded.header.get("task_id") or "")
        info = recorded.steps[-1]["info"]
        truth = {
            name: float(info[key])
            for name, key in _TRUTH.items()
            # Compared, not converted: an int may be too large for a float.
            if isinstance(info.get(key), Real) and abs(info[key]) <= _LARGEST
        }
        unit = f"{env} {task}" if task else recorded.name
        yield _episode(env, unit, recorded, truth)


_LARGEST = 1e300
_TRUTH = {
    "success": "success",
    "progress rate": "best_progress",
    "repetition rate": "repetition_rate",
}


def _episode(
    env: str, unit: str, recorded: Trajectory, truth: dict[str, float]
) -> RatedEpisode:
    params = recorded.header["agent"].get("params")
    model = _text(params.get("model") or "") if isinstance(params, dict) else ""
    seen = transcript_of(recorded)
    return RatedEpisode(recorded.name, env, unit, seen, model, truth)
