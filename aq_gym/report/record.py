"""One episode as the page shows it: a JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from aq_gym.agents import requests_of
from aq_gym.core.text import amount
from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.episode import count_calls
from aq_gym.report.story import story
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import shown
from aq_gym.wrappers.repetition_rate import ActionHistory

# More steps would not fit on a screen; comparing longer actions would take too long.
MOST_STEPS = 400
_LONGEST = 400
LONGEST_TEXT = 100_000
_COMPLETION = ("completion", "response")
# The page shows these in their own places, a prompt with the requests that begin so.
_ELSEWHERE = frozenset({*_COMPLETION, "requests"})


class SimilarityMap(NamedTuple):
    """The pairwise similarity of the distinct actions.

    Attributes:
        distinct: For each step, the index of its action among the distinct actions.
        rows: For each distinct action, its similarity to earlier ones, in percent.
    """

    distinct: list[int]
    rows: list[list[int]]


def similarity_map(actions: Sequence[str]) -> SimilarityMap:
    """Compare the actions of an episode (AgentQuest, Figure 3).

    The similarity is the Levenshtein ratio of AgentQuest's code, which is rapidfuzz's
    ``Indel.normalized_similarity``, of the first 400 characters of each action.

    Args:
        actions: The actions in their order; only the first 400 are compared.
    """
    texts = [action[:_LONGEST] for action in actions[:MOST_STEPS]]
    numbers: dict[str, int] = {}
    distinct = [numbers.setdefault(text, len(numbers)) for text in texts]
    unique = list(numbers)
    if len(unique) < 2:
        return SimilarityMap(distinct, [[] for _ in unique])
    ratios = cdist(
        unique,
        unique,
        scorer=Indel.normalized_similarity,
        score_multiplier=100,
        dtype=np.uint8,
    )
    rows = [ratios[n, :n].tolist() for n in range(len(unique))]
    return SimilarityMap(distinct, rows)


def episode_record(
    episode: EpisodeResult, played: Trajectory | None, problem: str = ""
) -> dict[str, Any]:
    """Return an episode as the page shows it.

    Texts longer than 100,000 characters are cut, with a note.

    Args:
        episode: The episode's results.
        played: Its trajectory, None if it does not exist or cannot be read.
        problem: The reason why there is no trajectory.
    """
    errors = {"error": text_of(episode.error), "traceback": text_of(episode.traceback)}
    if played is None:
        return {**errors, "problem": problem or "There is no trajectory file."}
    header = played.header
    info = header.get("info", {})
    subgoals = _Subgoals(info)
    history = ActionHistory()
    # A run may name another key of info as its progress: the results have that.
    progress = [*episode.progress, *[0.0] * len(played.steps)]
    steps = [
        _step(step, at, subgoals, history)
        for step, at in zip(played.steps, progress, strict=False)
    ]
    mark_repeats(steps)
    messages, requests = _requests(played)
    for step, own in zip(steps, requests, strict=False):
        step["requests"] = own
    actions = [step["action"] for step in steps]
    distinct, rows = similarity_map(actions)
    return {
        **errors,
        "end": _end(episode, steps),
        "cap": episode.cap,
        "goal": text_of(info.get("goal", "")),
        "start": text_of(header.get("observation", "")),
        "messages": messages,
        "subgoals": subgoals.names,
        "held": subgoals.at_start,
        "steps": steps,
        "distinct": distinct,
        "similarity": rows,
        "problem": "A part of the trajectory file is missing." if played.torn else "",
        **_to_go(episode, actions),
    }


# A number of steps or guesses, which differs although an answer tells the same; that in
# "you move 3 spaces" is none.
_UNITS = "step|guess|move|turn|attempt|question|action|round"
_COUNT = re.compile(
    rf"(?<!\byou )\b(?:{_UNITS})s?:?\s+\d+(?:\s+of\s+\d+)?\b"
    rf"|\b\d+\s+(?:more\s+)?(?:{_UNITS}|tri)(?:e?s)?\s+(?:are\s+|is\s+)?(?:left|remain)",
    re.IGNORECASE,
)


def mark_repeats(steps: Sequence[dict[str, Any]]) -> None:
    """Note in each step the first one with the same action and answer, from 1.

    Answers are the same if they differ only in numbers of steps or guesses.

    Args:
        steps: The steps of a record; those that repeat one get the key "again".
    """
    found: dict[tuple[str, str], int] = {}
    for number, step in enumerate(steps, 1):
        given = step["action"], _COUNT.sub("#", step["observation"])
        first = found.setdefault(given, number)
        if first < number:
            step["again"] = first


def _end(episode: EpisodeResult, steps: Sequence[Mapping[str, Any]]) -> str:
    """Return why an episode was truncated unsolved, "" if it was not."""
    if episode.success or episode.ended != "truncated":
        return ""
    if episode.cap_reached == "max_invalid":
        wrong = takewhile(lambda step: step.get("invalid"), reversed(steps))
        return f"{len(list(wrong))} invalid actions in a row"
    return "out of steps" if 0 < episode.cap <= episode.steps else ""


def _to_go(episode: EpisodeResult, actions: Sequence[str]) -> dict[str, Any]:
    if not episode.steps_to_go:
        return {}
    return {
        "story": story(episode, actions),
        "togo": episode.steps_to_go,
        "left": episode.secrets_left,
    }


def text_of(value: object) -> str:
    """Return a value as text, truncated to 100,000 characters.

    Args:
        value: A text is not changed; any other value is written as JSON, or as its
            ``repr``.
    """
    if isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            text = shown(value, 2 * LONGEST_TEXT)
    if len(text) <= LONGEST_TEXT:
        return text
    return (
        f"{text[:LONGEST_TEXT]}\n"
        f"[{len(text) - LONGEST_TEXT:,} more characters are in the file]"
    )


class _Subgoals:
    """Numbers the subgoals by name and remembers which ones hold."""

    def __init__(self, info: Mapping[str, Any]) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._holding: list[int] = []
        self.at_start = self.changes(info) or []

    def changes(self, info: Mapping[str, Any]) -> list[int] | None:
        """Return the numbers of the subgoals that hold.

        Return None if they did not change, or if the environment does not report them
        again.
        """
        if "subgoals" not in info:
            return None
        holding = []
        for name, holds in _mapping(info.get("subgoals")).items():
            if name not in self._numbers:
                self._numbers[name] = len(self.names)
                self.names.append(str(name))
            if holds:
                holding.append(self._numbers[name])
        if holding == self._holding:
            return None
        self._holding = holding
        return holding


def _partly(info: Mapping[str, Any]) -> str:
    valid, calls = count_calls(info)
    return f"{valid} of {calls} calls were valid." if 0 < valid < calls else ""


def _step(
    step: Mapping[str, Any],
    progress: float,
    subgoals: _Subgoals,
    history: ActionHistory,
) -> dict[str, Any]:
    info, notes = step["info"], _mapping(step.get("notes"))
    given = text_of(step["action"])
    action = info.get("extracted_action") or given
    record = {
        "action": text_of(action),
        "completion": text_of(
            next(
                (notes[name] for name in _COMPLETION if name in notes),
                given if given != action else "",
            )
        ),
        "observation": text_of(step["observation"]),
        "progress": progress,
        # Files of others, whose stack has no RepetitionRate, don't note it.
        "repeated": bool(info.get("action_repeated", history.add(given))),
        "invalid": not info.get("action_valid", True),
        "feedback": text_of(info.get("feedback", "")) or _partly(info),
        "error": text_of(info.get("error", "")),
        "held": subgoals.changes(info),
        "notes": {
            str(name): _noted(value)
            for name, value in notes.items()
            if name not in _ELSEWHERE and not (name == "prompt" and "requests" in notes)
        },
    }
    # False or empty values would waste bytes in ten thousand episodes.
    return {
        name: value
        for name, value in record.items()
        if name in ("action", "observation", "progress")
        or value not in (None, "", False, {})
    }


# Larger numbers are no counts; this leaves out infinity, too.
_LARGEST = 1e15


def _noted(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text_of(value)
    return amount(value) if abs(value) < _LARGEST else text_of(value)


def _requests(
    played: Trajectory,
) -> tuple[list[tuple[str, str]], list[list[list[int]]]]:
    """Return what was sent to the model.

    Returns:
        The different messages of all requests, with their roles; and for each step the
        requests, each as pairs of numbers: the messages from the first to before the
        second. Both are empty if the requests are not recorded.
    """
    try:
        sent = [
            [[_message(one) for one in request] for request in requests]
            for requests in requests_of(played)
        ]
    except (AttributeError, ValueError):
        # In a file that no agent of ours wrote, anything can stand for a message.
        return [], []
    numbers: dict[tuple[str, str], int] = {}
    steps = []
    for requests in sent:
        step = []
        for request in requests:
            ranges: list[int] = []
            for one in request:
                number = numbers.setdefault(one, len(numbers))
                if ranges and ranges[-1] == number:
                    ranges[-1] = number + 1
                else:
                    ranges += (number, number + 1)
            step.append(ranges)
        steps.append(step)
    return list(numbers), steps


def _message(sent: Mapping[str, Any]) -> tuple[str, str]:
    """Return the role of a message, and its other parts as text."""
    parts = {name: one for name, one in sent.items() if name != "role" and one}
    told = [text_of(parts.pop("content", "")), text_of(parts) if parts else ""]
    return str(sent.get("role", "")), "\n".join(filter(None, told))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
