"""An episode as one sequence of tokens, for trainers of any framework."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from aq_gym.episode import Episode
from aq_gym.models.messages import Message, ToolCall, message

__all__ = ["TokenEpisode", "Tokenizer"]

# Stands for a completion when a template is rendered to see what follows one.
_COMPLETION = "aq-gym-completion"
_BEFORE = message("user", ".")

Parse = Callable[[str], tuple[str, Sequence[ToolCall]]]


class Tokenizer(Protocol):
    """The methods of a ``transformers`` tokenizer that this module uses."""

    eos_token_id: int

    def apply_chat_template(self, conversation: Any, **kwargs: Any) -> Any:
        """Return messages as text."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Return the token ids of a text."""

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        """Return the text of token ids."""


class TokenEpisode:
    """The tokens of an episode that is being played.

    The first messages are the prompt. It is followed by the tokens that the model
    sampled, unchanged, and the tokens that the chat template puts between two
    completions. No completion is tokenized again. So each request begins with the
    tokens of the previous request, whatever the template does with earlier answers::

        tokens = TokenEpisode(episode, tokenizer, context=8192, max_tokens=256)
        while not tokens.over:
            ids, logprobs = sample(tokens.request)
            tokens.play(ids, logprobs)

    Args:
        episode: The episode, at its beginning.
        tokenizer: The tokenizer, with its chat template.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.
        longest: The maximum number of tokens after the prompt; None for the most that
            ``context`` allows.
        end_ids: The tokens that end an answer or a tool call; by default the
            tokenizer's own. Gemma 4 ends a call with its own token.
        template: Further arguments of the chat template, such as
            ``{"enable_thinking": False}``.
        parse: A function from a completion to the text and the tool calls in it, for an
            episode with ``tools="native"``.
        record: Whether the trajectory has ``token_ids`` and ``logprobs`` in its notes.

    Attributes:
        episode: The episode.
        prompt_ids: The token ids of the first messages.
        completion_ids: The token ids after the prompt: the completions and the messages
            between them.
        mask: 1 for each token that the model sampled, 0 for the others.
        logprobs: The log probability of each token, 0.0 where ``mask`` is 0; None if
            unknown.
        rewards: The reward of each turn.
        turn_ends: For each turn, where its completion ends in ``completion_ids``.
        drift: The number of completions whose text has other ids when it is tokenized
            again. For these, a trainer that tokenizes messages would train on tokens
            that were not sampled.
        cut: Whether the episode ended because it could not be continued: the next
            completion would not fit, or ``context`` drops an earlier turn.
    """

    def __init__(
        self,
        episode: Episode,
        tokenizer: Tokenizer,
        *,
        context: int,
        max_tokens: int,
        longest: int | None = None,
        end_ids: Collection[int] = (),
        template: Mapping[str, Any] | None = None,
        parse: Parse | None = None,
        record: bool = False,
    ) -> None:
        self.episode = episode
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._end_ids = frozenset(end_ids or {tokenizer.eos_token_id})
        self._template = dict(template or {})
        self._parse, self._record = parse, record
        self.prompt_ids = self._prompt()
        # The episode only estimates its tokens, so it may be too long for the model.
        while len(self.prompt_ids) + max_tokens > context and episode.shrink():
            self.prompt_ids = self._prompt()
        room = context - len(self.prompt_ids)
        self._room = room if longest is None else min(longest, room)
        self.completion_ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = []
        self.rewards: list[float] = []
        self.turn_ends: list[int] = []
        self.drift = 0
        self.cut = False

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.episode.done or self.cut

    @property
    def request(self) -> list[int]:
        """The token ids of the next request."""
        return [*self.prompt_ids, *self.completion_ids]

    def play(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Play a completion.

        Args:
            ids: The token ids as they were sampled, with the token that ends the answer
                if there is one.
            logprobs: Their log probabilities; None if unknown.
        """
        self._add(ids, 1, logprobs)
        ended = bool(ids) and ids[-1] in self._end_ids
        text = self._tokenizer.decode(ids, skip_special_tokens=True)
        self._count_drift(text, ids[:-1] if ended else ids)
        sent = self.episode.messages
        content, calls = self._parse(text) if self._parse else (text, ())
        notes = {"token_ids": list(ids), "logprobs": logprobs and list(logprobs)}
        _, reward, done = self.episode.step(
            content, tool_calls=calls, notes=notes if self._record else None
        )
        self.rewards.append(reward)
        self.turn_ends.append(len(self.completion_ids))
        messages = self.episode.messages
        self.cut = not done and messages[: len(sent)] != sent
        if self.over:
            return
        between = self._between(messages[len(sent) + 1 :], ended)
        needed = len(self.completion_ids) + len(between) + self._max_tokens
        self.cut = needed > self._room
        if self.cut:
            return
        self._add(between, 0, None if self.logprobs is None else [0.0] * len(between))

    def _prompt(self) -> list[int]:
        tools = {"tools": self.episode.tools} if self.episode.tools else {}
        return self._rendered(self.episode.messages, tools)

    def _between(self, answers: Sequence[Message], ended: bool) -> list[int]:
        """Return the token ids after a completion, up to the start of the next one.

        They are the tokens that the template puts there after any completion.

        Args:
            answers: The messages that answer the completion.
            ended: Whether the completion ends with a token that ends an answer.
        """
        ids = [one["tool_call_id"] for one in answers if "tool_call_id" in one]
        # Some templates refuse results without the calls they belong to.
        calls = [_call(name) for name in ids]
        placeholder = message(
            "assistant", "" if calls else _COMPLETION, tool_calls=calls
        )
        text = self._text([_BEFORE, placeholder, *answers], {})
        _, found, rest = text.rpartition(_COMPLETION)
        if not found:
            raise ValueError("tokenizer: its chat template leaves out a completion")
        tokens = self._tokenizer.encode(rest, add_special_tokens=False)
        ends = [place for place, one in enumerate(tokens) if one in self._end_ids]
        if not ends and calls:
            raise ValueError(
                "end_ids: the chat template ends a tool call with none of them, but "
                f"with {rest[:40]!r}"
            )
        if not ends:
            return tokens
        # The text before it belongs to the placeholder call.
        return tokens[ends[0] + ended :]

    def _rendered(self, messages: Sequence[Message], more: dict[str, Any]) -> list[int]:
        text = self._text(messages, more)
        return self._tokenizer.encode(text, add_special_tokens=False)

    def _text(self, messages: Sequence[Message], more: dict[str, Any]) -> str:
        try:
            return self._applied(list(map(_with_arguments, messages)), more)
        except TypeError:
            # Some templates, such as DeepSeek's, concatenate the arguments of calls as
            # text.
            return self._applied(messages, more)

    def _applied(
        self, messages: Sequence[Mapping[str, Any]], more: dict[str, Any]
    ) -> str:
        text: str = self._tokenizer.apply_chat_template(
            messages,
            tokenize=False,
            add_generation_prompt=True,
            **more,
            **self._template,
        )
        return text

    def _count_drift(self, text: str, ids: Sequence[int]) -> None:
        again = self._tokenizer.encode(text, add_special_tokens=False)
        self.drift += again != list(ids)

    def _add(
        self, ids: Sequence[int], mask: int, logprobs: Sequence[float] | None
    ) -> None:
        self.completion_ids.extend(ids)
        self.mask.extend([mask] * len(ids))
        if logprobs is None or self.logprobs is None:
            self.logprobs = None
        else:
            self.logprobs.extend(logprobs)


def _with_arguments(one: Message) -> dict[str, Any]:
    """Return a message whose calls have their arguments as templates expect them."""
    calls = [
        {**call, "function": {**call["function"], "arguments": _parsed(call)}}
        for call in one.get("tool_calls", ())
    ]
    return {**one, "tool_calls": calls} if calls else {**one}


def _parsed(call: ToolCall) -> Any:
    text = call["function"]["arguments"]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _call(call_id: str) -> ToolCall:
    arguments = f'{{"x": "{_COMPLETION}"}}'
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": "f", "arguments": arguments},
    }
