"""Inspect AI: each packaged suite is a task, such as ``aq_gym/agentquest``.

With the extra ``inspect``::

    inspect eval aq_gym/quick --model openai/gpt-4o-mini
    inspect eval aq_gym/env -T env=aq/Mastermind-v0 --model openai/gpt-4o-mini

A sample is a task of the suite, and its scores are ``success``, ``progress_rate``
(AgentBoard's, the best progress), ``final_progress`` (AgentQuest's, the progress after
the last step) and ``repetition_rate``. Arguments are given with ``-T``: ``prompting``,
``example``, ``context``, ``max_tokens``, ``keep_reasoning``, ``tools`` as for
:class:`aq_gym.Episode`, and ``trajectories``, a folder for the trajectories.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym import Episode
from aq_gym.agents.dialogue import Prompting, ToolUse
from aq_gym.agents.native_calls import make_call
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.suite import packaged_suites
from aq_gym.integrations.shared import begin_episode, in_thread
from aq_gym.models.messages import Message, ToolCall
from aq_gym.selection import check_id, parse_env
from aq_gym.support.extras import pip_command
from aq_gym.trajectory.packed import names

try:
    from inspect_ai import Task as InspectTask
    from inspect_ai import task as inspect_task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageTool,
        ChatMessageUser,
        Content,
        ContentReasoning,
        ContentText,
        GenerateConfig,
        ModelOutput,
        get_model,
    )
    from inspect_ai.scorer import (
        Metric,
        SampleScore,
        Score,
        Scorer,
        Target,
        Value,
        mean,
        metric,
        scorer,
        stderr,
    )
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolCall as InspectCall
    from inspect_ai.tool import ToolInfo, ToolParams
except ModuleNotFoundError as error:
    raise DependencyNotInstalled(
        f"{__name__} needs inspect-ai: {pip_command('inspect')}"
    ) from error

__all__ = ["env_task", "suite_task"]

_KINDS = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
}
_SCORES = ("success", "progress_rate", "final_progress", "repetition_rate")
_OF_IDS = ("success", "progress_rate")
_TOO_LONG = "model_length"


@solver
def play(
    prompting: Prompting,
    example: bool,
    context: int,
    max_tokens: int,
    keep_reasoning: bool,
    tools: ToolUse,
    folder: str,
) -> Solver:
    """Return a solver that plays the episode of a sample.

    Args:
        prompting: The prompting of :class:`aq_gym.Episode`.
        example: Whether the model is shown an example.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.
        keep_reasoning: Whether reasoning in a completion stays in the messages.
        tools: "native" if the model acts by calling functions.
        folder: The folder of the trajectories, "" for none.
    """

    def begin(stack: ExitStack, state: TaskState) -> Episode:
        return stack.enter_context(
            begin_episode(
                state.metadata,
                prompting=prompting,
                example=example,
                context=context,
                max_tokens=max_tokens,
                keep_reasoning=keep_reasoning,
                tools=tools,
                directory=_directory(folder, str(state.sample_id), state.epoch),
            )
        )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        config = GenerateConfig(max_tokens=max_tokens)
        with ExitStack() as stack:
            # Steps run in threads, because they block and all samples share the event
            # loop.
            episode = await in_thread(begin, stack, state)
            try:
                while not episode.done:
                    state.output = await _complete(episode, state, config)
                    answer = state.output.completion, _reasoning(state.output)
                    await in_thread(episode.step, *answer, _calls(state.output))
            finally:
                # This also runs after a limit, which ends the sample, because the
                # sample is scored.
                state.metadata["metrics"] = _scores(episode.metrics)
                state.messages = _converted(episode.messages)
        return state

    return solve


def _directory(folder: str, name: str, epoch: int) -> str | None:
    """Return a folder without a trajectory of the given name.

    Each epoch after the first and each further attempt has a subfolder.
    """
    if not folder:
        return None
    first = folder if epoch == 1 else os.path.join(folder, f"epoch-{epoch}")
    further = (os.path.join(first, f"attempt-{n}") for n in itertools.count(2))
    tried = itertools.chain([first], further)
    return next(
        one for one in tried if not os.path.isdir(one) or name not in names(one)
    )


async def _complete(
    episode: Episode, state: TaskState, config: GenerateConfig
) -> ModelOutput:
    """Call the model, with shorter messages if they are too long for it."""
    while True:
        # Raises if the messages exceed the sample's limit.
        state.messages = _converted(episode.messages)
        output = await get_model().generate(
            state.messages, [_tool(one) for one in episode.tools], config=config
        )
        # If the provider refuses an answer, there may be no choices; the completion is
        # "".
        too_long = bool(output.choices) and output.stop_reason == _TOO_LONG
        if not too_long or not episode.shrink():
            return output


def _reasoning(output: ModelOutput) -> str:
    """Return the reasoning that the provider returned beside the completion."""
    content = output.choices[0].message.content if output.choices else ""
    parts = content if isinstance(content, list) else []
    return "".join(one.reasoning for one in parts if isinstance(one, ContentReasoning))


def _calls(output: ModelOutput) -> list[ToolCall]:
    """Return the tool calls of a completion, as chat completions have them."""
    made = output.message.tool_calls if output.choices else None
    return [
        make_call(one.id, one.function, json.dumps(one.arguments)) for one in made or ()
    ]


def _tool(schema: dict[str, Any]) -> ToolInfo:
    function = schema["function"]
    parameters = ToolParams.model_validate(function["parameters"])
    return ToolInfo(
        name=function["name"],
        description=function["description"],
        parameters=parameters,
    )


def _converted(messages: list[Message]) -> list[ChatMessage]:
    return [_message(one) for one in messages]


def _message(one: Message) -> ChatMessage:
    if one["role"] == "tool":
        content, call_id = one["content"], one["tool_call_id"]
        return ChatMessageTool(content=content, tool_call_id=call_id)
    if one["role"] != "assistant":
        return _KINDS[one["role"]](content=one["content"])
    calls = [
        InspectCall(
            id=call["id"],
            function=call["function"]["name"],
            arguments=json.loads(call["function"]["arguments"]),
        )
        for call in one.get("tool_calls", ())
    ]
    return ChatMessageAssistant(content=_content(one), tool_calls=calls or None)


def _content(one: Message) -> str | list[Content]:
    if "reasoning_content" not in one:
        return one["content"]
    reasoning = ContentReasoning(reasoning=one["reasoning_content"])
    return [reasoning, ContentText(text=one["content"])]


def _scores(metrics: dict[str, Any]) -> dict[str, float]:
    """Return a sample's scores.

    Raises:
        RuntimeError: If the environment's engine failed, which must not count as a
            score.
    """
    if metrics["error"]:
        raise RuntimeError(metrics["error"])
    last = metrics["progress"][-1] if metrics["progress"] else 0.0
    values = {**metrics, "final_progress": last}
    return {name: float(values[name]) for name in _SCORES}


@metric
def of_id() -> Metric:
    """Return the metric with the mean and the standard error for each id."""

    def estimates(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[SampleScore]] = {}
        for one in scores:
            groups.setdefault((one.sample_metadata or {})["id"], []).append(one)
        # Inspect's own grouped metric would give both the same name.
        return {
            f"{name} {key}{suffix}": float(estimate(list(map(_part(key), own))))
            for key in _OF_IDS
            for name, own in groups.items()
            for suffix, estimate in (("", mean()), (" stderr", stderr()))
        }

    return estimates


def _part(key: str) -> Callable[[SampleScore], SampleScore]:
    """Return a function that keeps one of a sample's scores."""

    def part(one: SampleScore) -> SampleScore:
        assert isinstance(one.score.value, dict)
        score = Score(value=one.score.value[key])
        return one.model_copy(update={"score": score})

    return part


def _scoring() -> Scorer:
    """Return a new function, because Inspect keeps a scorer's name with it."""

    async def score(state: TaskState, target: Target) -> Score:
        if "metrics" not in state.metadata:
            raise RuntimeError(
                "no episode to score: a limit was reached before it began"
            )
        return Score(value=state.metadata["metrics"])

    return score


@scorer(metrics={key: [mean(), stderr()] for key in _SCORES})
def episode_metrics() -> Scorer:
    """Return a scorer that reports the metrics of the episode."""
    return _scoring()


# Inspect's table cuts the names in its columns; a score with a list of metrics has a
# column of its own, wide enough for ids.
@scorer(metrics=[of_id()])
def environments() -> Scorer:
    """Return a scorer that reports some of the metrics for each id."""
    return _scoring()


def suite_task(
    suite: str,
    prompting: Prompting = "act",
    example: bool = True,
    context: int = 8192,
    max_tokens: int = 1024,
    keep_reasoning: bool = False,
    tools: ToolUse = "text",
    trajectories: str = "",
) -> InspectTask:
    """Return the Inspect task of a suite.

    Args:
        suite: The name of a packaged suite, or the path of one.
        prompting: The prompting of :class:`aq_gym.Episode`.
        example: Whether the model is shown an example.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.
        keep_reasoning: Whether reasoning in a completion stays in the messages.
        tools: "native" if the model acts by calling functions, as in
            :class:`aq_gym.Episode`; "text" offers none.
        trajectories: The folder of the trajectories; "" for none.

    Raises:
        ValueError: If there is no such suite.
    """
    how = (prompting, example, context, max_tokens, keep_reasoning, tools, trajectories)
    return _task(Suite.load(suite), how)


def _task(loaded: Suite, how: tuple[Any, ...]) -> InspectTask:
    samples = [
        Sample(id=task.name, input=task.setting, metadata=task.to_record())
        for task in loaded.tasks
    ]
    return InspectTask(
        dataset=MemoryDataset(samples, name=loaded.name),
        solver=play(*how),
        scorer=[episode_metrics(), environments()],
        metadata={"suite": loaded.name, "hash": loaded.hash, "note": loaded.note},
    )


def _registered(suite: str) -> Callable[..., InspectTask]:
    """Register the Inspect task of a packaged suite under its name."""

    @inspect_task(name=suite)
    def packaged(
        prompting: Prompting = "act",
        example: bool = True,
        context: int = 8192,
        max_tokens: int = 1024,
        keep_reasoning: bool = False,
        tools: ToolUse = "text",
        trajectories: str = "",
    ) -> InspectTask:
        how = prompting, example, context, max_tokens, keep_reasoning
        return suite_task(suite, *how, tools, trajectories)

    return packaged


for _suite in packaged_suites():
    _registered(_suite)


@inspect_task(name="env")
def env_task(
    env: str | list[str],
    episodes: int = 10,
    seed: int = 0,
    max_steps: int | None = None,
    prompting: Prompting = "act",
    example: bool = True,
    context: int = 8192,
    max_tokens: int = 1024,
    keep_reasoning: bool = False,
    tools: ToolUse = "text",
    trajectories: str = "",
) -> InspectTask:
    """Return the Inspect task of some environments, ``aq_gym/env``.

    Args:
        env: An id, optionally with arguments: ``aq/Mastermind-v0?code_length=5``; or
            several, separated by commas on the command line.
        episodes: The episodes of each.
        seed: The seed of the first episode of each; the others count up from it.
        max_steps: The step cap; None for the id's own.
        prompting: See :func:`suite_task`, as for the next arguments.
        example: See :func:`suite_task`.
        context: See :func:`suite_task`.
        max_tokens: See :func:`suite_task`.
        keep_reasoning: See :func:`suite_task`.
        tools: See :func:`suite_task`.
        trajectories: See :func:`suite_task`.

    Raises:
        ValueError: If there is no such environment.
    """
    named = [parse_env(one) for one in ([env] if isinstance(env, str) else env)]
    for env_id, _ in named:
        check_id(env_id)
    tasks = [
        Task(env_id, number, kwargs, max_steps)
        for env_id, kwargs in named
        for number in range(seed, seed + episodes)
    ]
    how = (prompting, example, context, max_tokens, keep_reasoning, tools, trajectories)
    return _task(Suite("env", tuple(tasks)), how)
