"""The dialogue of an episode: the messages for a model, and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents.native_calls import NativeCalls, repeatable
from aq_gym.core.prompt import (
    Example,
    Prompt,
    Published,
    PublishedPrompt,
    PublishedTrials,
)
from aq_gym.core.text import normalize
from aq_gym.models import Completion
from aq_gym.models.conversation import Conversation, estimate_tokens
from aq_gym.models.messages import Message, ToolCall, exchange, message, sendable
from aq_gym.models.transcript import Restated, Transcript
from aq_gym.wrappers.action_extraction import (
    reader_of,
    strip_reasoning,
)

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
_REFLECT = (
    "This trial has ended without success. You will get another one at the same task, "
    "from its start. Find out what went wrong, and write a short plan for the next "
    "trial that names the actions to take. Answer with the plan alone."
)
_PLANS = "You have failed at this task before. The plans that you then wrote:"


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
        budget: The most tokens of a request, by estimate.
        keep_reasoning: Whether reasoning in a completion stays in the messages.
        system: Replaces the system prompt; None keeps the environment's.
        tools: "native" if the model acts by calling tools.
        published: Whether a paper's own prompt is sent, where the environment has one
            and the answers are actions alone.
        count: Counts the tokens of AgentBoard's messages.
        memories: The number of plans that a later trial is shown; only prompts of
            papers that have plans are sent with it.

    Attributes:
        published: That prompt, None for ours.
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
        memories: int = 0,
    ) -> None:
        self._env = env
        self._count = count
        self._memories = memories
        self._wants_published = published and prompting == "act" and tools == "text"
        self.published: Published | None = None
        self._native = tools == "native"
        self.tools: Sequence[dict[str, Any]] = ()
        self._system = system
        self._prompting: Prompting = prompting
        self._example = example
        self._budget = budget
        self._keep_reasoning = keep_reasoning
        self._reader = reader_of(env)

    def begin(
        self, observation: str, plans: Sequence[str] = (), restarted: bool = False
    ) -> None:
        """Begin an episode, or a later trial in one.

        Args:
            observation: The first observation.
            plans: The answers to :meth:`reflect` that the model is shown.
            restarted: Whether it is a later trial.
        """
        self._calls: NativeCalls | None = None
        self._restart()
        self._plans = list(plans)
        if restarted:
            self._prompt["restarted"] = True
        self._conversation: Conversation | Transcript | Restated
        self.published = self._find_published()
        if self.published is not None:
            self._prompt["source"] = self.published.source
            self._conversation = self._theirs(self.published, observation)
            return
        prompt = task_prompt(self._env)
        if plans:
            kept = (strip_reasoning(plan).strip() for plan in plans)
            listed = "\n".join(f"{n}. {one}" for n, one in enumerate(kept, 1))
            observation = f"{observation}\n\n{_PLANS}\n{listed}"
        native = NativeCalls(self._env) if self._native else None
        self._calls = native
        example: list[Message] = []
        if self._example and prompt.example is not None:
            example = _example_messages(prompt.example, self._prompting, native)
        system = self._system
        if system is None:
            formats = _CALL_FORMATS if native else _FORMATS
            system = f"{prompt.system}\n\n{formats[self._prompting]}"
        budget = self._budget
        if native:
            self.tools = native.schemas
            self._prompt["tools"] = native.schemas
            schemas = message("system", json.dumps(native.schemas))
            self._tool_tokens = estimate_tokens([schemas])
            budget -= self._tool_tokens
        self._conversation = Conversation(system, observation, budget, example)

    def _theirs(
        self, published: Published, observation: str
    ) -> Conversation | Transcript | Restated:
        if isinstance(published, PublishedPrompt):
            lines = [f"{label}: {said}" for label, said in published.first]
            return Transcript(
                published.system, published.query, lines, self._budget, self._count
            )
        if isinstance(published, PublishedTrials):
            plans, write = self._plans, published.restated
            return Restated(lambda turns: write(turns, plans), observation)
        if published.restated is not None:
            return Restated(published.restated, observation)
        role, system = published.role, published.system
        return Conversation(system, observation, self._budget, role=role)

    def _find_published(self) -> Published | None:
        name = "published_prompt"
        if not self._wants_published or not self._env.has_wrapper_attr(name):
            return None
        found = self._env.get_wrapper_attr(name)()
        known = PublishedTrials if self._memories else Published
        return found if isinstance(found, known) else None

    def _restart(self) -> None:
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
            None if it is to be played. With "memory", the message that asks for
            another completion if its action was tried before, once for each action.
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
            # Neither is the action nor the observation of a step.
            self._new = {"said": said["content"], "seen": seen["content"]}
            if "reasoning_content" in said:
                self._new["reasoning"] = said["reasoning_content"]
            if self._tool_calls:
                self._new["tool_calls"] = self._tool_calls
            return again
        self._tried.add(normalize(action))
        return None

    def reflect(self, observation: str) -> None:
        """Record the last observation of a failed trial, and ask for a plan.

        :meth:`answer` takes the plan; the next call is :meth:`begin`.
        """
        if not isinstance(self.published, PublishedTrials):
            self.observe(observation, f"{observation}\n\n{_REFLECT}")
            return
        self.observe(observation)
        assert isinstance(self._conversation, Restated)
        plans, write = self._plans, self.published.reflection
        self._conversation.rewrite(lambda turns: write(turns, plans))

    def observe(self, observation: str, shown: str | None = None) -> Message:
        """Record the observation that followed the last completion.

        Args:
            observation: The observation.
            shown: What the model is shown; None for the observation.

        Returns:
            The message that has it: a user's, or the result of the first tool call.
        """
        played = self._completions[-1]
        said, seen = self._add(observation if shown is None else shown)
        given = {"said": (said, played), "seen": (seen, observation)}
        # The trajectory has the action and the observation of each step already, and
        # its reasoning.
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
        they are not those of the step before; ``source`` and ``history`` the paper
        whose prompt it is, and its first lines; ``completions`` all completions, if
        there was more than one; ``reasoning`` that of the last one, if it was separate;
        ``tool_calls`` and ``content`` its calls, as they are sent back, and the text
        beside them; ``tools`` those that the model was offered, in the first step.
        :func:`aq_gym.agents.requests_of` reads them.
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
        request = {**self._conversation.window(), **self._new}
        beginning = self._conversation.beginning
        if beginning is not self._beginning:
            self._beginning = beginning
            # It is recorded with the step, or with a second request for the step.
            noted = request if self._requests else self._prompt
            noted["prompt"] = beginning
            if isinstance(self._conversation, Transcript):
                noted["history"] = self._conversation.first
        self._requests.append(request)

    def _add(self, observation: str) -> tuple[Message, Message]:
        """Add a turn and return its first two messages."""
        kept = self._content if self._tool_calls else self._completions[-1]
        if isinstance(self.published, PublishedPrompt):
            line = strip_reasoning(kept).partition("\n")[0]
            turn = exchange(self.published.said(line), observation)
            self._conversation.add(*turn)
            return turn[0], turn[1]
        if not (self._keep_reasoning or self.published):
            kept = strip_reasoning(kept)
            if not self._tool_calls:
                # Some endpoints refuse an empty message.
                kept = kept or "..."
        reasoning = self._reasoning if self._keep_reasoning else ""
        turn = exchange(kept, observation, reasoning, self._tool_calls)
        self._conversation.add(*turn)
        return turn[0], turn[1]


def task_prompt(env: gym.Env[Any, Any]) -> Prompt:
    """Return an environment's own prompt, or a general one."""
    if env.has_wrapper_attr("task_prompt"):
        # Another package may use the name for something else.
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
