"""The messages of an episode for a model, cut to its context."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from aq_gym.models.messages import Message, message

# A cautious estimate; if the endpoint counts more it refuses, and the window shrinks.
_CHARACTERS_PER_TOKEN = 3.0
_MESSAGE_OVERHEAD = 8
# The approximate number of tokens that endpoints count for an image of a megapixel.
IMAGE_TOKENS = 1_500
# The largest share of the budget for an example, which must leave room for the episode.
_LARGEST_BEGINNING = 0.5
# The minimum budget, and the minimum length of a shortened message, in tokens.
_LEAST = 64
_CUT = "\n[...]\n"
_END_OF_EXAMPLE = "The example ends here. Now your own task begins.\n\n"
# The number of lines that AgentBoard's agent remembers.
_MOST_LINES = 100
_NEXT = "\nAction: "

# A model's message, and the observation or the results of its calls.
Turn: TypeAlias = tuple[Message, ...]


class Conversation:
    """A conversation with pinned first messages and a sliding window of turns.

    This is what AgentBoard's act-only reflex agent sees: the first observation always,
    then the latest turns within the context budget. Turns are dropped in blocks of a
    quarter of the window, so that most requests begin with the whole previous request,
    which a prompt cache reuses. The latest turn is always included, shortened in the
    middle if it is too long.

    Args:
        beginning: The pinned messages.
        budget: The maximum number of tokens in the messages.
        count: Counts the tokens of messages.
        example: Messages of the user and the assistant in turn, the user's first; the
            last one is the user's or the result of a tool call. Empty for no example.
            It stands before the last pinned message. It is left out if the beginning
            would take more than half of the budget with it, or if the endpoint reports
            that the conversation is too long.

    Attributes:
        beginning: The pinned messages, with the example.
    """

    # The share of the room for the history that is kept when the oldest part is
    # dropped.
    _kept = 0.75

    def __init__(
        self,
        beginning: Sequence[Message],
        budget: int,
        count: Callable[[Sequence[Message]], int] | None = None,
        example: Sequence[Message] = (),
    ) -> None:
        self._count = count or estimate_tokens
        self._bare = self.beginning = list(beginning)
        self._history: list[Any] = []
        self._start = 0
        self._budget = budget
        if example:
            whole = _with_example(beginning, example)
            if self._count(whole) <= budget * _LARGEST_BEGINNING:
                self.beginning = whole

    def add(self, *messages: Message) -> None:
        """Add a turn."""
        self._history += self._parts(messages)
        self._slide()

    def messages(self) -> list[Message]:
        """Return the messages of a request."""
        return self._written(self._window())

    def tokens(self) -> int:
        """Return the tokens of the messages."""
        return self._count(self.messages())

    def shrink(self) -> bool:
        """Drop the example, or else halve the budget; return whether it is shorter."""
        if self.beginning is not self._bare:
            self.beginning = self._bare
            self._start = 0
            self._slide()
            return True
        before = self._size()
        while self._budget > _LEAST:
            self._budget //= 2
            self._slide()
            if self._size() < before:
                return True
        return False

    def shown(self) -> dict[str, Any]:
        """Describe the part of the history that the messages contain, as JSON.

        Returns:
            ``turns``: the number of the latest turns that follow the pinned messages;
            ``shortened``: the texts of the latest turn, if they had to be shortened.
        """
        window = self._window()
        shown: dict[str, Any] = {"turns": len(window)}
        if window and window[-1] is not self._history[-1]:
            shown["shortened"] = [one["content"] for one in window[-1]]
        return shown

    def _parts(self, turn: Turn) -> list[Any]:
        """Return the parts of a turn that can be dropped by themselves."""
        return [turn]

    def _written(self, history: Sequence[Any]) -> list[Message]:
        """Return the messages that show a part of the history."""
        return [*self.beginning, *(one for turn in history for one in turn)]

    def _size(self) -> int:
        return sum(map(_characters, self.messages()))

    def _slide(self) -> None:
        """Drop the oldest parts of the history if the messages do not fit."""

        def length() -> int:
            return self._count(self._written(self._history[self._start :]))

        if length() <= self._budget:
            return
        pinned = self._count(self.beginning)
        most = pinned + (self._budget - pinned) * self._kept
        while self._start < len(self._history) - 1 and length() > most:
            self._start += 1

    def _window(self) -> list[Any]:
        window = self._history[self._start :]
        if len(window) == 1:
            room = self._budget - self._count(self.beginning)
            if self._count(window[0]) > room:
                return [_shortened(window[0], room)]
        return window


class Transcript(Conversation):
    """A conversation in the last pinned message, with the history in lines.

    The oldest lines are left out, one by one, if the messages do not fit, as in
    AgentBoard's act-only agent.

    Args:
        beginning: The pinned messages.
        budget: The maximum number of tokens in the messages.
        count: Counts the tokens of messages.
        first: The lines of the history at the start.

    Attributes:
        first: The lines of the history at the start.
    """

    _kept = 1.0

    def __init__(
        self,
        beginning: Sequence[Message],
        budget: int,
        count: Callable[[Sequence[Message]], int] | None = None,
        first: Sequence[str] = (),
    ) -> None:
        super().__init__(beginning, budget, count)
        self.first = list(first)
        self._history += first
        self._slide()

    def shrink(self) -> bool:
        """Leave out a quarter of the lines."""
        left = len(self._history) - self._start
        self._start += max(1, left // 4) if left > 1 else 0
        return left > 1

    def shown(self) -> dict[str, Any]:
        """Return how many of the latest lines the messages contain, as JSON."""
        return {"lines": len(self._history) - self._start}

    def _parts(self, turn: Turn) -> list[str]:
        return lines_of(turn)

    def _written(self, history: Sequence[str]) -> list[Message]:
        return with_lines(self.beginning, history)

    def _slide(self) -> None:
        self._start = max(self._start, len(self._history) - _MOST_LINES)
        super()._slide()

    def _window(self) -> list[str]:
        return self._history[self._start :]


class RewrittenMessage(Conversation):
    """One message of the user, which is rewritten for each request.

    Args:
        write: Returns the message from the turns so far; see
            :class:`aq_gym.core.prompt.PublishedPrompt`.
        first: The first observation.
    """

    def __init__(
        self, write: Callable[[Sequence[tuple[str, str]]], str], first: str
    ) -> None:
        super().__init__([message("user", write([("", first)]))], 0)
        self._write = write
        self._history = [("", first)]

    def add(self, *messages: Message) -> None:
        """Add a turn."""
        said, seen = messages[:2]
        self._history.append((said["content"], seen["content"]))
        self.beginning = [message("user", self._write(self._history))]

    def messages(self) -> list[Message]:
        """Return the message."""
        return list(self.beginning)

    def shrink(self) -> bool:
        """Return False, because the message cannot be shorter."""
        return False

    def shown(self) -> dict[str, Any]:
        """Return the JSON for no turns after the message."""
        return {"turns": 0}


def lines_of(turn: Sequence[Message]) -> list[str]:
    """Return an action and an observation as lines of the history."""
    said, seen = turn[:2]
    return [f"Action: {said['content']}", f"Observation: {seen['content']}"]


def with_lines(beginning: Sequence[Message], lines: Sequence[str]) -> list[Message]:
    """Return messages with lines of the history in the last one."""
    *others, last = beginning
    history = "\n".join(lines)
    return [*others, message(last["role"], f"{last['content']}{history}{_NEXT}")]


def _with_example(
    beginning: Sequence[Message], example: Sequence[Message]
) -> list[Message]:
    """Return messages with an example before the last one."""
    *others, last = beginning
    text = f"{_END_OF_EXAMPLE}{last['content']}"
    if example[-1]["role"] == "user":
        # One message, because many models accept alternating roles only.
        text = f"{example[-1]['content']}\n\n{text}"
        example = example[:-1]
    return [*others, *example, message(last["role"], text)]


def _shortened(turn: Turn, room: int) -> Turn:
    """Return a turn shortened to a number of tokens, the model's message first."""
    said, seen = turn[:2]
    # Reasoning is left out, and calls become text, because a cut call is not JSON.
    calls = [call["function"] for call in said.get("tool_calls", ())]
    said = message("assistant", said["content"] or json.dumps(calls))
    seen = message("user", seen["content"])
    said = _cut(said, room - estimate_tokens([seen]))
    if estimate_tokens([said, seen]) > room:
        seen = _cut(seen, room - estimate_tokens([said]))
    return said, seen


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
