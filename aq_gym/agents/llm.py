"""An agent that calls a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents.agent import check_text_actions
from aq_gym.agents.dialogue import Dialogue, Prompting, ToolUse
from aq_gym.agents.images import Observe, check_pictures, with_picture
from aq_gym.agents.recorded import recorded_answers
from aq_gym.core.arguments import check_arguments
from aq_gym.models import CLIENTS, Completion, ContextTooLongError
from aq_gym.models.conversation import IMAGE_TOKENS, check_lengths, estimate_tokens
from aq_gym.models.messages import Message
from aq_gym.models.usage import Call, usage_notes
from aq_gym.support.arguments import resolve

_LEAST = {"max_retries": 0, "temperature": 0}


class LLMAgent:
    """Plays the actions in the answers of a chat model, which sees only observations.

    ``prompting`` is "act" (AgentBoard's act-only agent: the first observation, then the
    latest turns that fit), "react" (a thought before each action: Yao et al., "ReAct",
    ICLR 2023), "memory" (AgentQuest, section 4: if the model repeats an action, it is
    asked once for another) or "chat" (the model answers freely, and the action is read
    from its answer).

    An environment's :meth:`~aq_gym.TextEnv.task_prompt` is the system prompt, followed
    by the form of the answers; an environment without one gets a general prompt. Its
    example comes next, as turns of the conversation; see :class:`Conversation` for when
    it is left out.

    The notes of each step in the trajectory have tokens, cost, latency and the finish
    reason, and what was sent: :func:`~aq_gym.agents.requests_of` returns the messages
    of each answered request. A call that fails after all retries raises, and becomes
    the episode's error.

    Args:
        env: The environment.
        model: The model's name.
        base_url: The endpoint; see :class:`~aq_gym.models.ModelClient`.
        prompting: "act", "react", "memory" or "chat".
        example: Whether the model is shown an example.
        context: The tokens that the model can read and write together.
        max_tokens: The longest answer, in tokens.
        temperature: The sampling temperature; None leaves it to the endpoint.
        timeout: Seconds for a call, until the last byte of its answer.
        max_retries: The number of retries of a failed call.
        price: The prices in US dollars of a million tokens read and of a million
            tokens written.
        request: Further fields of each request, such as ``{"top_p": 0.9}``.
        keep_reasoning: Whether reasoning stays in the conversation. It can be part of
            an answer, such as ``<think>...</think>``, or separate; then it is sent back
            as ``reasoning_content``.
        tools: "native" if the model acts by calling functions, which each request
            offers: the environment's tools, or ``act(action)`` and
            ``check_valid_actions()`` if it has none. An answer without a call is played
            as text. "text" offers no tools.
        prompts: "published" sends a paper's own prompt where the protocol is a paper's,
            ``prompting`` is "act" and the user has its files: AgentBoard's, with the
            folder that ``AGENTBOARD_DATA`` names, at temperature 0 and up to the end of
            the line, unless ``temperature`` or ``request`` say otherwise; or that of
            AgentQuest's notebooks, with the checkout that ``AGENTQUEST_DATA`` names.
            "ours" never sends it.
        api: "chat" for chat completions, "responses" for OpenAI's Responses API,
            "messages" for Anthropic's Messages API.
        observe: "image" if each request also has the environment's picture of the
            current state, as a PNG after the last text, or in a user's message after
            the results of native calls; "text" sends none. The trajectory does not
            contain the pictures: a replay draws them again.
        system: The system prompt, in place of the environment's or a paper's and of the
            form of the answers; None keeps them.
        count_tokens: "module:function" that counts the tokens of messages, to decide
            which old lines AgentBoard's prompt leaves out; None for our estimate.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the environment's actions are numbers, ``prompting`` is unknown,
            a number is out of its range, the context is not longer than the longest
            answer, the environment has no pictures, or the endpoint, its key or
            ``request`` is refused by :class:`ChatClient`.
        gymnasium.error.DependencyNotInstalled: If ``observe="image"`` and the extra
            ``pictures`` is missing.
    """

    # Answers do not depend on these, so a run can be continued with other values.
    may_change = ("base_url", "timeout", "max_retries", "price")
    # These name code, which a file of a run must not choose.
    code = ("count_tokens",)

    def __init__(
        self,
        env: gym.Env[Any, Any],
        model: str,
        base_url: str | None = None,
        prompting: Prompting = "act",
        example: bool = True,
        context: int = 8192,
        max_tokens: int = 1024,
        temperature: float | None = None,
        timeout: float = 120.0,
        max_retries: int = 6,
        price: tuple[float, float] = (0.0, 0.0),
        request: dict[str, Any] | None = None,
        keep_reasoning: bool = False,
        tools: ToolUse = "text",
        api: Literal["chat", "responses", "messages"] = "chat",
        prompts: Literal["published", "ours"] = "published",
        observe: Observe = "text",
        count_tokens: str | None = None,
        system: str | None = None,
    ) -> None:
        given = dict(locals())
        check_arguments(LLMAgent.__init__, given)
        _check_numbers(given)
        if not isinstance(request, dict | None):
            raise TypeError(f"request={request!r:.200} must be a dict or None")
        check_text_actions(env)
        self._env = env
        self._price = price
        self._looks = observe == "image"
        if self._looks:
            check_pictures(env)
            check_lengths(context - IMAGE_TOKENS, max_tokens)
        self._dialogue = Dialogue(
            env,
            prompting,
            example,
            context - max_tokens - IMAGE_TOKENS * self._looks,
            keep_reasoning,
            system=system,
            tools=tools,
            published=prompts == "published" and system is None,
            count=(
                resolve(count_tokens, "count_tokens")
                if count_tokens
                else estimate_tokens
            ),
        )
        self._client = CLIENTS[api](
            model,
            base_url,
            temperature=temperature,
            max_tokens=max_tokens,
            timeout=timeout,
            max_retries=max_retries,
            request=request,
        )

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._dialogue.begin(observation)
        self._begun = False

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Call the model and return its whole completion."""
        self._observe(observation)
        calls = [self._call()]
        while self._answer(calls[-1].completion) is not None:
            calls.append(self._call())
        self._annotate(**self._dialogue.notes(), **usage_notes(calls, self._price))
        return self._dialogue.action(calls[-1].completion)

    def _observe(self, observation: str) -> None:
        """Add the last observation to the conversation, which begins with the first."""
        if self._begun:
            self._dialogue.observe(observation)
        self._begun = True

    def _annotate(self, **notes: object) -> None:
        if self._env.has_wrapper_attr("annotate"):
            self._env.get_wrapper_attr("annotate")(**notes)

    def recall(
        self,
        observation: str,
        info: Mapping[str, Any],
        step: Mapping[str, Any],
        requests: Sequence[Sequence[Message]],
    ) -> None:
        """Advance to the next action as in a recorded step, without a call.

        Args:
            observation: The observation before the action.
            info: The info dict before the action.
            step: The record of the step.
            requests: The messages of its requests.

        Raises:
            ValueError: If this agent would have sent other messages.
        """
        self._observe(observation)
        for answer, sent in zip(recorded_answers(step), requests, strict=True):
            while self._dialogue.messages() != sent:
                # Shortened as before, because the endpoint had refused longer messages.
                if not self._dialogue.shrink():
                    raise ValueError(
                        "the recorded requests are not those of this agent: it has "
                        "changed, or a secret was removed from the trajectory"
                    )
            self._dialogue.answer(*answer)
        # Usage is left out, because it counts in the run that made the requests.
        known = {k: v for k, v in step["notes"].items() if k == "finish_reason"}
        self._annotate(**self._dialogue.notes(), **known, recalled=True)

    def _answer(self, completion: Completion) -> str | None:
        return self._dialogue.answer(
            self._dialogue.action(completion),
            completion.reasoning,
            completion.content,
            completion.tool_calls if self._dialogue.tools else (),
        )

    def _call(self) -> Call:
        published = self._dialogue.published
        defaults = dict(published.request) if published else {}
        while True:
            try:
                messages, tools = self._dialogue.messages(), self._dialogue.tools
                if self._looks:
                    messages = with_picture(messages, self._env)
                answer = self._client.complete(messages, tools, defaults)
                if answer.prompt_tokens:
                    return Call(answer)
                tokens = self._dialogue.tokens() + IMAGE_TOKENS * self._looks
                return Call(answer, tokens)
            except ContextTooLongError:
                if not self._dialogue.shrink():
                    raise


def _check_numbers(given: Mapping[str, Any]) -> None:
    for name, least in _LEAST.items():
        if given[name] is not None and not given[name] >= least:
            raise ValueError(f"{name}={given[name]} must be at least {least}")
    if not given["timeout"] > 0:
        raise ValueError(f"timeout={given['timeout']} must be above 0")
    if not min(given["price"]) >= 0:
        raise ValueError(f"price={given['price']} must not be negative")
    check_lengths(given["context"], given["max_tokens"])
