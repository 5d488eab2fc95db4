"""The messages of an episode in one message, as AgentBoard and AgentQuest send them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from aq_gym.models.conversation import estimate_tokens
from aq_gym.models.messages import Message, message

# The number of lines that AgentBoard's agent remembers.
_MOST_LINES = 100
_NEXT = "\nAction: "


class Transcript:
    """A system message, and one message with a query and the history in lines.

    The oldest lines are left out, one by one, if the messages do not fit, as in
    AgentBoard's act-only agent.

    Args:
        system: The system message.
        query: The text before the history.
        first: The lines of the history at the start.
        budget: The most tokens of the messages.
        count: Counts the tokens of messages.

    Attributes:
        beginning: The system message, and the query.
        first: The lines of the history at the start.
    """

    def __init__(
        self,
        system: str,
        query: str,
        first: Sequence[str],
        budget: int,
        count: Callable[[Sequence[Message]], int] = estimate_tokens,
    ) -> None:
        self._count = count
        self.beginning = [message("system", system), message("user", query)]
        self.first = list(first)
        self._lines = list(first)
        self._budget = budget
        self._start = 0
        self._slide()

    def add(self, *messages: Message) -> None:
        """Add an action and the observation that followed."""
        self._lines += lines_of(messages)
        self._slide()

    def shrink(self) -> bool:
        """Leave out a quarter of the lines."""
        left = len(self._lines) - self._start
        self._start += max(1, left // 4) if left > 1 else 0
        return left > 1

    def messages(self) -> list[Message]:
        """Return the system message and the user's."""
        return transcript_messages(self.beginning, self._lines[self._start :])

    def window(self) -> dict[str, Any]:
        """Return how many of the latest lines the messages contain, as JSON."""
        return {"lines": len(self._lines) - self._start}

    def tokens(self) -> int:
        """Return the tokens of the messages."""
        return self._count(self.messages())

    def _slide(self) -> None:
        self._start = max(self._start, len(self._lines) - _MOST_LINES)
        while self.tokens() > self._budget and self._start < len(self._lines) - 1:
            self._start += 1


class Restated:
    """One message of the user, which is written anew for each request.

    Args:
        write: Returns it from the turns so far; see :class:`PublishedChat`.
        first: The first observation.

    Attributes:
        beginning: The message.
    """

    def __init__(
        self, write: Callable[[Sequence[tuple[str, str]]], str], first: str
    ) -> None:
        self._write = write
        self._turns = [("", first)]
        self.beginning = [message("user", write(self._turns))]

    def add(self, *messages: Message) -> None:
        """Add an answer and the observation that followed."""
        said, seen = messages[:2]
        self._turns.append((said["content"], seen["content"]))
        self.beginning = [message("user", self._write(self._turns))]

    def rewrite(self, write: Callable[[Sequence[tuple[str, str]]], str]) -> None:
        """Replace the function that writes the message, and write it."""
        self._write = write
        self.beginning = [message("user", write(self._turns))]

    def shrink(self) -> bool:
        """Return False: it cannot shrink."""
        return False

    def messages(self) -> list[Message]:
        """Return the message."""
        return list(self.beginning)

    def window(self) -> dict[str, Any]:
        """Return as JSON that 0 turns follow the message."""
        return {"turns": 0}

    def tokens(self) -> int:
        """Return a cautious estimate of the tokens of the message."""
        return estimate_tokens(self.beginning)


def lines_of(messages: Sequence[Message]) -> list[str]:
    """Return an action and an observation as lines of the history."""
    said, seen = messages[:2]
    return [f"Action: {said['content']}", f"Observation: {seen['content']}"]


def transcript_messages(
    beginning: Sequence[Message], lines: Sequence[str]
) -> list[Message]:
    """Return the messages of a request."""
    system, query = beginning
    history = "\n".join(lines)
    return [system, message("user", f"{query['content']}{history}{_NEXT}")]
