"""What a model is shown of an episode: its beginning, and what fits of its end."""

from __future__ import annotations

from aq_gym.agents.chat import Message

__all__ = ["Conversation"]

# A cautious guess; where an endpoint counts more it says so, and the window shrinks.
_CHARACTERS_PER_TOKEN = 3.0
_MESSAGE_OVERHEAD = 8


class Conversation:
    """A conversation with its first messages pinned and a sliding window of turns.

    This is what AgentBoard's act-only reflex agent sees: the first observation for
    ever, then the most recent turns within the context budget.

    Args:
        system: The system prompt.
        first: The first observation.
        budget: How many tokens the conversation may take, by estimate.
    """

    def __init__(self, system: str, first: str, budget: int) -> None:
        self._pinned: list[Message] = [
            _message("system", system),
            _message("user", first),
        ]
        self._turns: list[tuple[Message, Message]] = []
        self._budget = budget

    def add(self, completion: str, observation: str) -> None:
        """Add a turn: what the model said and what came of it."""
        self._turns.append(
            (_message("assistant", completion), _message("user", observation))
        )

    def shrink(self) -> bool:
        """Halve the budget; False if the window is empty already."""
        before = len(self.messages())
        self._budget //= 2
        return before > len(self._pinned)

    def messages(self) -> list[Message]:
        """Return the pinned messages and the latest turns that fit."""
        left = self._budget - sum(map(_tokens, self._pinned))
        window: list[Message] = []
        for turn in reversed(self._turns):
            left -= sum(map(_tokens, turn))
            if left < 0:
                break
            window[:0] = turn
        return [*self._pinned, *window]


def _message(role: str, text: str) -> Message:
    # Half of a surrogate pair, which a model can answer with, can't be sent back.
    return {"role": role, "content": text.encode(errors="replace").decode()}


def _tokens(message: Message) -> int:
    return int(len(message["content"]) / _CHARACTERS_PER_TOKEN) + _MESSAGE_OVERHEAD
