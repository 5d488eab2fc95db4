"""The messages of an episode for a model: the beginning and the latest turns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from aq_gym.models.messages import Message, message

# A cautious estimate; if the endpoint counts more it refuses, and the window shrinks.
_CHARACTERS_PER_TOKEN = 3.0
_MESSAGE_OVERHEAD = 8
# About what endpoints count for an image of a megapixel.
IMAGE_TOKENS = 1_500
# Of the budget: an example must leave room for the episode.
_LARGEST_BEGINNING = 0.5
# Of the room for turns: how much is kept when the oldest turns are dropped.
_KEPT = 0.75
# The least budget, and the least length of a shortened message, in tokens.
_LEAST = 64
_CUT = "\n[...]\n"
_END_OF_EXAMPLE = "The example ends here. Now your own task begins.\n\n"


class _Turn(NamedTuple):
    """A model's message and what followed: an observation, or results of its calls.

    Attributes:
        messages: The messages, at least two.
        tokens: Their estimated tokens.
    """

    messages: tuple[Message, ...]
    tokens: int


class Conversation:
    """A conversation with pinned first messages and a sliding window of turns.

    This is what AgentBoard's act-only reflex agent sees: the first observation always,
    then the latest turns within the context budget. Turns are dropped in blocks of a
    quarter of the window, so that most requests begin with the whole of the one
    before, which a prompt cache reuses. An example stands between the system prompt and
    the first observation, as turns of the same conversation. It is left out if the
    beginning would take more than half of the budget with it, or if the endpoint
    reports that the conversation is too long. The latest turn is always included,
    shortened in the middle if it is too long.

    Args:
        system: The system prompt.
        first: The first observation.
        budget: The most tokens of the conversation, by estimate.
        example: Messages of the user and the assistant in turn, the user's first; the
            last one is the user's or the result of a tool call. Empty for no example.
        role: The role of the first message.

    Attributes:
        beginning: The pinned messages, up to the first observation.
    """

    def __init__(
        self,
        system: str,
        first: str,
        budget: int,
        example: Sequence[Message] = (),
        role: str = "system",
    ) -> None:
        self._bare = [message(role, system), message("user", first)]
        self._turns: list[_Turn] = []
        self._budget = budget
        beginning = self._bare
        if example:
            last = f"{_END_OF_EXAMPLE}{first}"
            if example[-1]["role"] == "user":
                # One message, because many models accept alternating roles only.
                last = f"{example[-1]['content']}\n\n{last}"
                example = example[:-1]
            whole = [self._bare[0], *example, message("user", last)]
            if estimate_tokens(whole) <= budget * _LARGEST_BEGINNING:
                beginning = whole
        self._begin(beginning)

    def add(self, *messages: Message) -> None:
        """Add a turn."""
        turn = _turn(*messages)
        self._turns.append(turn)
        self._shown += turn.tokens
        self._slide()

    def shrink(self) -> bool:
        """Drop the example, or else halve the budget; return whether it is shorter."""
        if self.beginning is not self._bare:
            self._begin(self._bare)
            return True
        before = self._size()
        while self._budget > _LEAST:
            self._budget //= 2
            self._slide()
            if self._size() < before:
                return True
        return False

    def messages(self) -> list[Message]:
        """Return the pinned messages and the latest turns."""
        turns = [one for turn in self._window() for one in turn.messages]
        return [*self.beginning, *turns]

    def window(self) -> dict[str, Any]:
        """Return which turns the messages contain, as JSON.

        Returns:
            ``turns``: the number of the latest turns that follow the pinned messages;
            ``shortened``: the texts of the latest turn, if they had to be shortened.
        """
        window = self._window()
        shown: dict[str, Any] = {"turns": len(window)}
        if window and window[-1] is not self._turns[-1]:
            shown["shortened"] = [one["content"] for one in window[-1].messages]
        return shown

    def tokens(self) -> int:
        """Return a cautious estimate of the tokens of the messages."""
        return self._pinned_tokens + sum(turn.tokens for turn in self._window())

    def _size(self) -> int:
        return sum(map(_characters, self.messages()))

    def _begin(self, beginning: list[Message]) -> None:
        self.beginning = beginning
        self._pinned_tokens = estimate_tokens(beginning)
        self._start, self._shown = 0, sum(turn.tokens for turn in self._turns)
        self._slide()

    def _slide(self) -> None:
        """Drop the oldest turns if the messages do not fit."""
        room = self._budget - self._pinned_tokens
        if self._shown <= room:
            return
        while self._shown > room * _KEPT and self._start < len(self._turns) - 1:
            self._shown -= self._turns[self._start].tokens
            self._start += 1

    def _window(self) -> list[_Turn]:
        room = self._budget - self._pinned_tokens
        window = self._turns[self._start :]
        if len(window) == 1 and window[0].tokens > room:
            return [_shortened(window[0], room)]
        return window


def _turn(*messages: Message) -> _Turn:
    return _Turn(messages, estimate_tokens(messages))


def _shortened(turn: _Turn, room: int) -> _Turn:
    """Return a turn shortened to a number of tokens, the model's message first."""
    said, seen = turn.messages[:2]
    # Without the reasoning; and calls as text, because half of one is not JSON.
    calls = [call["function"] for call in said.get("tool_calls", ())]
    said = message("assistant", said["content"] or json.dumps(calls))
    seen = message("user", seen["content"])
    said = _cut(said, room - estimate_tokens([seen]))
    if estimate_tokens([said, seen]) > room:
        seen = _cut(seen, room - estimate_tokens([said]))
    return _turn(said, seen)


def _cut(long: Message, tokens: int) -> Message:
    length = int((max(tokens, _LEAST) - _MESSAGE_OVERHEAD) * _CHARACTERS_PER_TOKEN)
    content = long["content"]
    if len(content) <= length:
        return long
    half = (length - len(_CUT)) // 2
    return message(long["role"], f"{content[:half]}{_CUT}{content[-half:]}")


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Return a cautious estimate of the tokens of messages."""
    return sum(
        int(_characters(one) / _CHARACTERS_PER_TOKEN) + _MESSAGE_OVERHEAD
        for one in messages
    )


def _characters(one: Message) -> int:
    count = len(one["content"]) + len(one.get("reasoning_content", ""))
    count += int(IMAGE_TOKENS * _CHARACTERS_PER_TOKEN) * len(one.get("images", ()))
    for call in one.get("tool_calls", ()):
        count += len(call["function"]["name"]) + len(call["function"]["arguments"])
    return count


def check_lengths(context: int, max_tokens: int) -> None:
    """Check that a completion fits into the context together with the messages.

    Raises:
        ValueError: If ``max_tokens`` is less than 1, or ``context`` is not more.
    """
    if max_tokens < 1:
        raise ValueError(f"{max_tokens=} must be at least 1")
    if context <= max_tokens:
        raise ValueError(f"{context=} must be more than {max_tokens=}")
