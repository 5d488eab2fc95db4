"""The dialogue of an episode: the messages for a model, and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents.native_calls import NativeCalls, repeatable
from aq_gym.core.prompt import Example, Prompt, PublishedPrompt
from aq_gym.core.text import normalize
from aq_gym.models import Completion
from aq_gym.models.conversation import (
    Conversation,
    RewrittenMessage,
    Transcript,
    estimate_tokens,
)
from aq_gym.models.messages import Message, ToolCall, exchange, message, sendable
from aq_gym.wrappers.action_extraction import reader_of, strip_reasoning

Prompting = Literal["act", "react", "memory", "chat"]
ToolUse = Literal["text", "native"]

_FORMATS = {
    "act": "Answer with your next action alone, on one line.",
    "react": (
        "Answer with two lines. The first begins with 'Thought:' and says briefly what "
        "you know and want to do. The second begins with 'Action:' and is your next "
        "action."
    ),
}
_FORMATS["memory"] = _FORMATS["act"]
_FORMATS["chat"] = (
    "You may think before you answer. End with your next action, on a line of its own."
)
_CALL_FORMATS = {
    "act": "Act by calling one of the tools.",
    "react": (
        "Say briefly what you know and want to do, and act by calling one of the tools."
    ),
}
_CALL_FORMATS["memory"] = _CALL_FORMATS["act"]
_CALL_FORMATS["chat"] = "You may think before you act. Act by calling one of the tools."
_GENERIC = (
    "You act in an environment that answers each of your actions in text. Do what its "
    "first message asks, in as few actions as you can."
)
_EXAMPLE = "First an example, which shows how it is done on another task.\n\n"
_AGAIN = (
    "You have tried {action!r} before, and the answer would be the same. Choose an "
    "action that you have not tried."
)


class Dialogue:
    """Builds the messages of each request and records which ones were sent.

    :class:`LLMAgent` and :class:`aq_gym.Episode` play through it, so a model gets the
    same messages in evaluation and in training. Call :meth:`begin` with the first
    observation; then, for each request, :meth:`answer` with the completion of
    :meth:`messages`, and :meth:`observe` with the observation that followed.

    Args:
        env: The environment: its prompt, and its grammar of actions.
        prompting: The form of the answers; see :class:`LLMAgent`.
        example: Whether the model is shown an example.
        budget: The maximum number of tokens in a request, by estimate.
        keep_reasoning: Whether reasoning in a completion stays in the messages.
        system: Replaces the system prompt; None keeps the environment's.
        tools: "native" if the model acts by calling tools.
        published: Whether a paper's own prompt is sent, if the environment has one and
            answers consist only of actions.
        count: Counts the tokens of AgentBoard's messages.

    Attributes:
        published: The paper's prompt of this episode; None for the environment's own
            prompt.
        tools: The tools of the next request; empty without native calls.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        prompting: Prompting,
        example: bool,
        budget: int,
        keep_reasoning: bool = False,
        system: str | None = None,
        tools: ToolUse = "text",
        published: bool = False,
        count: Callable[[Sequence[Message]], int] = estimate_tokens,
    ) -> None:
        self._env = env
        self._count = count
        self._wants_published = published and prompting == "act" and tools == "text"
        self.published: PublishedPrompt | None = None
        self._native = tools == "native"
        self.tools: Sequence[dict[str, Any]] = ()
        self._system = system
        self._prompting: Prompting = prompting
        self._example = example
        self._budget = budget
        self._keep_reasoning = keep_reasoning
        self._reader = reader_of(env)

    def begin(self, observation: str) -> None:
        """Begin an episode.

        Args:
            observation: The first observation.
        """
        self._calls = NativeCalls(self._env) if self._native else None
        self._prompt: dict[str, object] = {}
        self._tool_tokens = 0
        self._beginning: list[Message] | None = None
        self._tried: set[str] = set()
        self._completions: list[str] = []
        self._requests: list[dict[str, Any]] = []
        self._reasoning = ""
        self._tool_calls: list[ToolCall] = []
        self._content = ""
        self._call_ids: set[str] = set()
        self._new: dict[str, object] = {}
        self.published = self._find_published()
        if self.published is not None:
            self._prompt["source"] = self.published.source
            self._conversation = self._published_conversation(
                self.published, observation
            )
        else:
            self._conversation = self._own_conversation(observation)

    def _find_published(self) -> PublishedPrompt | None:
        name = "published_prompt"
        if not self._wants_published or not self._env.has_wrapper_attr(name):
            return None
        found = self._env.get_wrapper_attr(name)()
        return found if isinstance(found, PublishedPrompt) else None

    def _published_conversation(
        self, published: PublishedPrompt, observation: str
    ) -> Conversation:
        if published.rewrite is not None:
            return RewrittenMessage(published.rewrite, observation)
        first = [message(role, text) for role, text in published.messages]
        if published.history is None:
            return Conversation([*first, message("user", observation)], self._budget)
        lines = [f"{label}: {text}" for label, text in published.history]
        return Transcript(first, self._budget, self._count, lines)

    def _own_conversation(self, observation: str) -> Conversation:
        prompt = task_prompt(self._env)
        example: list[Message] = []
        if self._example and prompt.example is not None:
            example = _example_messages(prompt.example, self._prompting, self._calls)
        system = self._system
        if system is None:
            formats = _CALL_FORMATS if self._calls else _FORMATS
            system = f"{prompt.system}\n\n{formats[self._prompting]}"
        if self._calls is not None:
            self.tools = self._calls.schemas
            self._prompt["tools"] = self.tools
            schemas = message("system", json.dumps(self.tools))
            self._tool_tokens = estimate_tokens([schemas])
        beginning = [message("system", system), message("user", observation)]
        budget = self._budget - self._tool_tokens
        return Conversation(beginning, budget, example=example)

    def messages(self) -> list[Message]:
        """Return the messages of the next request."""
        return self._conversation.messages()

    def tokens(self) -> int:
        """Return a cautious estimate of the tokens of the messages and the tools."""
        return self._conversation.tokens() + self._tool_tokens

    def shrink(self) -> bool:
        """Shorten messages that are too long; return whether that was possible."""
        return self._conversation.shrink()

    def action(self, completion: Completion) -> str:
        """Return the action in a completion: its tool calls, or else its text."""
        if self._calls is None or not completion.tool_calls:
            return completion.text
        return self._calls.action(completion.tool_calls)

    def answer(
        self,
        completion: str,
        reasoning: str = "",
        content: str = "",
        tool_calls: Sequence[ToolCall] = (),
    ) -> str | None:
        """Record the model's completion of the messages.

        Args:
            completion: The completion.
            reasoning: The model's reasoning, where the endpoint returns it separately.
            content: The text beside tool calls.
            tool_calls: The tool calls, if the completion is the action in them.

        Returns:
            None if the completion should be played. With "memory", if the action was
            tried before, the message that asks for another completion; this happens
            once for each action.
        """
        self._record()
        self._completions.append(completion)
        self._reasoning, self._content = sendable(reasoning), content
        self._tool_calls = repeatable(tool_calls, self._call_ids)
        self._new = {}
        if self._prompting != "memory":
            return None
        action = self._reader(completion).action
        if len(self._completions) == 1 and normalize(action) in self._tried:
            again = _AGAIN.format(action=action)
            said, seen = self._add(again)
            # The record of a step does not contain these texts.
            self._new = {"said": said["content"], "seen": seen["content"]}
            if "reasoning_content" in said:
                self._new["reasoning"] = said["reasoning_content"]
            if self._tool_calls:
                self._new["tool_calls"] = self._tool_calls
            return again
        self._tried.add(normalize(action))
        return None

    def observe(self, observation: str) -> Message:
        """Record the observation that followed the last completion.

        Args:
            observation: The observation.

        Returns:
            The message that has it: a user's, or the result of the first tool call.
        """
        played = self._completions[-1]
        said, seen = self._add(observation)
        given = {"said": (said, played), "seen": (seen, observation)}
        # The trajectory already has each step's action, observation and reasoning.
        self._new = {
            key: sent["content"]
            for key, (sent, own) in given.items()
            if sent["content"] != own
        }
        if "reasoning_content" in said:
            self._new["reasoning"] = True
        if self._tool_calls:
            self._new["tool_calls"] = True
        self._completions, self._requests, self._prompt = [], [], {}
        return seen

    def notes(self) -> dict[str, object]:
        """Return the notes on the next action, from which its requests can be rebuilt.

        ``requests`` has an entry for each request; ``prompt`` the first messages, if
        they are not those of the step before; ``source`` and ``history`` a paper's name
        and the first lines of its prompt's history; ``completions`` all completions, if
        there was more than one; ``reasoning`` the last one's reasoning, if it was
        separate; ``tool_calls`` and ``content`` its calls, as they are sent back, and
        the text beside them; ``tools``, in the first step, the tools offered to the
        model. :func:`aq_gym.agents.requests_of` reads them.
        """
        notes: dict[str, object] = {"requests": self._requests, **self._prompt}
        if len(self._completions) > 1:
            notes["completions"] = self._completions
        if self._reasoning:
            notes["reasoning"] = self._reasoning
        if self._tool_calls:
            notes["tool_calls"] = self._tool_calls
            notes["content"] = self._content
        return notes

    def _record(self) -> None:
        """Record the request that has been answered."""
        request = {**self._conversation.shown(), **self._new}
        beginning = self._conversation.beginning
        if beginning is not self._beginning:
            self._beginning = beginning
            # The request is recorded with the step, or with a second request for the
            # step.
            noted = request if self._requests else self._prompt
            noted["prompt"] = beginning
            if isinstance(self._conversation, Transcript):
                noted["history"] = self._conversation.first
        self._requests.append(request)

    def _add(self, observation: str) -> tuple[Message, Message]:
        """Add a turn and return its first two messages."""
        reasoning = self._reasoning if self._keep_reasoning else ""
        turn = exchange(self._kept(), observation, reasoning, self._tool_calls)
        self._conversation.add(*turn)
        return turn[0], turn[1]

    def _kept(self) -> str:
        """Return the part of the last completion that stays in the conversation."""
        kept = self._content if self._tool_calls else self._completions[-1]
        if self.published is not None:
            if self.published.history is None:
                return kept
            return self.published.history_text(strip_reasoning(kept).partition("\n")[0])
        if self._keep_reasoning:
            return kept
        kept = strip_reasoning(kept)
        # Some endpoints refuse an empty message.
        return kept if self._tool_calls else kept or "..."


def task_prompt(env: gym.Env[Any, Any]) -> Prompt:
    """Return an environment's own prompt, or a general one."""
    if env.has_wrapper_attr("task_prompt"):
        # Another package may use this name for something else.
        found = env.get_wrapper_attr("task_prompt")
        prompt = found() if callable(found) else found
        if isinstance(prompt, Prompt) and prompt.system:
            return prompt
    return Prompt(_GENERIC)


def _example_messages(
    example: Example, prompting: Prompting, native: NativeCalls | None
) -> list[Message]:
    """Return an example as messages: text, or calls and their results.

    It is empty if an action of the example is not a call of the environment's tools.
    """
    first = example.observation
    if example.goal not in first:
        first = f"{example.goal}\n\n{first}"
    messages = [message("user", f"{_EXAMPLE}{first}")]
    for number, turn in enumerate(example.turns):
        if native is None:
            said = turn.action
            if prompting == "react":
                said = f"Thought: {turn.thought}\nAction: {turn.action}"
            messages += exchange(said, turn.observation)
            continue
        call = native.call(turn.action, f"example_{number}")
        if call is None:
            return []
        thought = turn.thought if prompting == "react" else ""
        messages += exchange(thought, turn.observation, tool_calls=[call])
    return messages
