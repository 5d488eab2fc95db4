"""What a model is shown of an episode: its beginning, and what fits of its end."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.agents.chat import Message, message

__all__ = ["Conversation"]

# A cautious guess; where an endpoint counts more it says so, and the window shrinks.
_CHARACTERS_PER_TOKEN = 3.0
_MESSAGE_OVERHEAD = 8
# Of the budget: an example must leave room for what it is an example of.
_LARGEST_BEGINNING = 0.5
# A message is not shortened below this, whatever the budget.
_LEAST = 64
_CUT = "\n[...]\n"
_END_OF_EXAMPLE = "The example ends here. Now your own task begins.\n\n"


class Conversation:
    """A conversation with its first messages pinned and a sliding window of turns.

    This is what AgentBoard's act-only reflex agent sees: the first observation for
    ever, then the most recent turns within the context budget. An example stands
    between the system prompt and the first observation, as turns of the same
    conversation. It is left out as a whole where the beginning would take more than
    half of the budget with it, or the endpoint finds the conversation too long. The
    latest turn is always there, shortened in the middle where it is too long.

    Args:
        system: The system prompt.
        first: The first observation.
        budget: How many tokens the conversation may take, by estimate.
        example: Messages of the user and the assistant in turn, the user's first and
            last; none for no example.

    Attributes:
        beginning: The pinned messages, up to the first observation.
    """

    def __init__(
        self, system: str, first: str, budget: int, example: Sequence[Message] = ()
    ) -> None:
        self._bare = [message("system", system), message("user", first)]
        self.beginning = self._bare
        self._turns: list[tuple[Message, Message]] = []
        self._budget = budget
        if example:
            # One message, for many models take none but alternating roles.
            last = f"{example[-1]['content']}\n\n{_END_OF_EXAMPLE}{first}"
            whole = [self._bare[0], *example[:-1], message("user", last)]
            if _tokens(whole) <= budget * _LARGEST_BEGINNING:
                self.beginning = whole

    def add(self, completion: str, observation: str) -> None:
        """Add a turn: what the model said and what came of it."""
        self._turns.append(
            (message("assistant", completion), message("user", observation))
        )

    def shrink(self) -> bool:
        """Leave out the example, or else halve the budget; False if nothing is left."""
        if self.beginning is not self._bare:
            self.beginning = self._bare
            return True
        before = _tokens(self.messages())
        while self._budget > _LEAST:
            self._budget //= 2
            if _tokens(self.messages()) < before:
                return True
        return False

    def messages(self) -> list[Message]:
        """Return the pinned messages and the latest turns that fit."""
        left = self._budget - _tokens(self.beginning)
        window: list[Message] = []
        for turn in reversed(self._turns):
            fitting = turn if window else _shortened(turn, left)
            left -= _tokens(fitting)
            if left < 0 and window:
                break
            window[:0] = fitting
        return [*self.beginning, *window]


def _shortened(turn: tuple[Message, Message], room: int) -> tuple[Message, Message]:
    """Shorten a turn to so many tokens: what was said first, then the observation."""
    said, seen = turn
    if _tokens(turn) > room:
        said = _cut(said, room - _tokens([seen]))
    if _tokens([said, seen]) > room:
        seen = _cut(seen, room - _tokens([said]))
    return said, seen


def _cut(long: Message, tokens: int) -> Message:
    length = int((max(tokens, _LEAST) - _MESSAGE_OVERHEAD) * _CHARACTERS_PER_TOKEN)
    content = long["content"]
    if len(content) <= length:
        return long
    half = (length - len(_CUT)) // 2
    return message(long["role"], f"{content[:half]}{_CUT}{content[-half:]}")


def _tokens(messages: Sequence[Message]) -> int:
    return sum(
        int(len(one["content"]) / _CHARACTERS_PER_TOKEN) + _MESSAGE_OVERHEAD
        for one in messages
    )
