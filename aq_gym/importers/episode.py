"""An episode of a log: its messages, and the steps in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

__all__ = ["LoggedEpisode", "LoggedStep", "Said", "steps_of"]

Role = Literal["system", "user", "assistant", "tool"]
ROLES = frozenset(get_args(Role))


class Said(NamedTuple):
    """A message.

    Attributes:
        role: Who said it.
        text: Its text.
        calls: The tool calls, each with ``name`` and ``arguments``.
        failed: Whether a tool's result is an error; None if the log does not say.
        usage: What the message has used, such as ``{"tokens": 120}``.
    """

    role: str
    text: str
    calls: Sequence[Mapping[str, Any]] = ()
    failed: bool | None = None
    usage: Mapping[str, float] = {}


class LoggedEpisode(NamedTuple):
    """An episode of a log.

    Attributes:
        env: What was played, as ``framework/benchmark``.
        task_id: The instance.
        agent: The agent and its model.
        success: Whether it was solved; None if the log does not say.
        messages: Its messages.
        error: Why the episode is not to be scored, "" if it is.
    """

    env: str
    task_id: str
    agent: str
    success: bool | None
    messages: Sequence[Said]
    error: str = ""


class LoggedStep(NamedTuple):
    """A step of a logged episode.

    Attributes:
        action: The tool calls as JSON, or else the text.
        observation: What followed before the next action.
        valid: Whether no call failed; None if the log does not say.
        notes: What the agent has used.
    """

    action: str
    observation: str
    valid: bool | None
    notes: Mapping[str, Any]


def steps_of(messages: Sequence[Said]) -> tuple[str, list[LoggedStep]]:
    """Return what the agent read before its first action, and its steps."""
    turns: list[list[Said]] = [[]]
    for one in messages:
        if one.role == "assistant":
            turns.append([])
        turns[-1].append(one)
    first, *rest = turns
    return _text(first), [_step(said, results) for said, *results in rest]


def _step(said: Said, results: Sequence[Said]) -> LoggedStep:
    calls = [
        {"name": call["name"], "arguments": call["arguments"]} for call in said.calls
    ]
    action = said.text
    if calls:
        action = json.dumps(calls if len(calls) > 1 else calls[0], ensure_ascii=False)
    outcomes = [one.failed for one in results if one.failed is not None]
    valid = not any(outcomes) if outcomes and calls else None
    notes: dict[str, Any] = dict(said.usage)
    if calls and said.text:
        notes["content"] = said.text
    return LoggedStep(action, _text(results), valid, notes)


def _text(messages: Sequence[Said]) -> str:
    return "\n\n".join(one.text for one in messages if one.text)
