"""An episode of a log: its fields, its messages, and the steps in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, get_args

Kind = TypeVar("Kind")


_LARGEST = 1e15


class Fields:
    """An object of a log.

    Args:
        value: The value that must be an object.
        where: Its place, for errors, such as ``log.json: samples[3]``.

    Raises:
        ValueError: If it is not an object.
    """

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where} must be an object, not {value!r:.50}")
        self._value: Mapping[str, Any] = value
        self.where = where

    def get(self, key: str, kind: type[Kind], default: Kind) -> Kind:
        """Return a value of a type, or the default if it is absent or null.

        Raises:
            ValueError: If it has another type.
        """
        found = self._value.get(key)
        if found is None:
            return default
        if not isinstance(found, kind):
            raise ValueError(
                f"{self.where}.{key} must be {kind.__name__}, not {found!r:.50}"
            )
        return found

    def raw(self, key: str) -> Any:
        """Return a value of any type; None if it is absent."""
        return self._value.get(key)

    def names(self) -> list[str]:
        """Return the names of its values."""
        return list(self._value)

    def part(self, key: str) -> Fields:
        """Return an object in it; an empty object if it is absent or null."""
        return Fields(self.get(key, dict, {}), f"{self.where}.{key}")

    def parts(self, key: str) -> list[Fields]:
        """Return the objects of a list in it; an empty list if it is absent or null."""
        values: list[Any] = self.get(key, list, [])
        return [Fields(v, f"{self.where}.{key}[{n}]") for n, v in enumerate(values)]

    def number(self, key: str) -> float | None:
        """Return a number from -1e15 to 1e15, and None for any other value."""
        found = self._value.get(key)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return None
        return found if abs(found) < _LARGEST else None

    def count(self, key: str) -> float:
        """Return a number from 0 to 1e15, and 0 for any other value."""
        return max(0, self.number(key) or 0)


def content_text(content: object) -> str:
    """Return the text of a message's content: a str, or a list of parts."""
    if content is None:
        return ""
    if not isinstance(content, list):
        return str(content)
    texts = []
    for part in content:
        kind = part.get("type", "part") if isinstance(part, dict) else "part"
        text = part.get("text") if isinstance(part, dict) else part
        texts.append(text if isinstance(text, str) else f"[{kind}]")
    return "\n".join(texts)


Role = Literal["system", "user", "assistant", "tool"]


ROLES = frozenset(get_args(Role))


class Said(NamedTuple):
    """A message.

    Attributes:
        role: The author of the message.
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
        env: The benchmark, as ``framework/benchmark``.
        task_id: The instance.
        agent: The agent and its model.
        success: Whether it was solved; None if the log does not say.
        messages: Its messages.
        error: The reason why the episode must not be scored; "" if there is none.
        score: A score whose scale the log does not state, with ``success=None``.
    """

    env: str
    task_id: str
    agent: str
    success: bool | None
    messages: Sequence[Said]
    error: str = ""
    score: float | None = None


class LoggedStep(NamedTuple):
    """A step of a logged episode.

    Attributes:
        action: The tool calls as JSON, or else the text.
        observation: The messages before the next action.
        valid: Whether no call failed; None if the log does not say.
        notes: The usage of the agent.
    """

    action: str
    observation: str
    valid: bool | None
    notes: Mapping[str, Any]


def steps_of(messages: Sequence[Said]) -> tuple[str, list[LoggedStep]]:
    """Return the text that the agent read before its first action, and the steps."""
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
