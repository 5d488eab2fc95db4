"""Rebuild the requests of a recorded episode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aq_gym.models.messages import Message, exchange, message
from aq_gym.models.transcript import lines_of, transcript_messages
from aq_gym.trajectory import Trajectory

_ANSWERED = ("completions", "reasoning", "content", "tool_calls")


def requests_of(recorded: Trajectory) -> list[list[list[Message]]]:
    """Return the messages of every answered request of an episode.

    Args:
        recorded: An episode that :class:`LLMAgent` or :class:`aq_gym.Episode` played.

    Returns:
        For each step its requests, mostly one; each is the list of its messages as they
        were sent, apart from secrets that were removed from the file.

    Raises:
        ValueError: If the episode does not have the necessary notes, or they have an
            answer that no request can send again.
    """
    try:
        for step in recorded.steps:
            _check_answer(recorded, step)
        return _rebuilt(recorded)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(
            f"{recorded.path} does not have the notes of a language model's requests "
            f"in each step: {error!r}"
        ) from error


def _check_answer(recorded: Trajectory, step: Mapping[str, Any]) -> None:
    try:
        json.dumps([step["notes"].get(key) for key in _ANSWERED])
    except ValueError as error:
        # Python does not write an int of more than 4,300 digits.
        raise ValueError(
            f"{recorded.path}: step {step['t']} has an answer that is not JSON"
        ) from error


def recorded_answers(step: Mapping[str, Any]) -> list[tuple[str, str, str, Any]]:
    """Return the answers of a recorded step, usually one; the last is the one played.

    Returns:
        For each its text, reasoning, the text beside tool calls, and the tool calls, as
        :meth:`Dialogue.answer` takes them.
    """
    notes = step["notes"]
    texts = notes.get("completions", [step["action"]])
    # The texts before the last answer are in the request that followed.
    earlier = [
        (
            text,
            request.get("reasoning", ""),
            request["said"],
            request.get("tool_calls", ()),
        )
        for text, request in zip(texts[:-1], notes["requests"][1:], strict=True)
    ]
    last = (notes.get(key, "") for key in ("reasoning", "content"))
    return [*earlier, (texts[-1], *last, notes.get("tool_calls", ()))]


def _rebuilt(recorded: Trajectory) -> list[list[list[Message]]]:
    beginning: list[Message] = []
    turns: list[tuple[Message, ...]] = []
    history: list[str] = []
    before: Mapping[str, Any] | None = None
    steps = []
    for step in recorded.steps:
        notes = step["notes"]
        if notes.get("restarted"):
            beginning, turns, history, before = [], [], [], None
        # A step without a prompt has that of the step before; the first must have one.
        beginning = notes["prompt"] if not beginning else notes.get("prompt", beginning)
        history = notes.get("history", history)
        requests = []
        for request in notes["requests"]:
            beginning = request.get("prompt", beginning)
            if before is not None:
                turns.append(_turn(request, before))
            if "lines" in request:
                lines = [*history, *(one for turn in turns for one in lines_of(turn))]
                shown = lines[len(lines) - request["lines"] :]
                requests.append(transcript_messages(beginning, shown))
            else:
                requests.append([*beginning, *_window(turns, request)])
            # A second request for the step contains both texts itself.
            before = {}
        steps.append(requests)
        before = step
    return steps


def _turn(request: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[Message, ...]:
    said = request["said"] if "said" in request else before["action"]
    seen = request["seen"] if "seen" in request else before["observation"]
    reasoning = request.get("reasoning", "")
    if reasoning is True:
        reasoning = before["notes"]["reasoning"]
    calls = request.get("tool_calls", ())
    if calls is True:
        calls = before["notes"]["tool_calls"]
    return exchange(said, seen, reasoning, calls)


def _window(
    turns: list[tuple[Message, ...]], request: Mapping[str, Any]
) -> list[Message]:
    count = request["turns"]
    if not 0 <= count <= len(turns):
        raise IndexError(f"turns={count} must be 0 to {len(turns)}")
    if "shortened" in request:
        said, seen = request["shortened"]
        return [message("assistant", said), message("user", seen)]
    return [one for turn in turns[len(turns) - count :] for one in turn]
