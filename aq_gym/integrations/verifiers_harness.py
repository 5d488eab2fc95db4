"""The program that plays aq_gym's tasks in verifiers.

See :mod:`aq_gym.integrations.verifiers_tasks`.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic import Field, model_validator

from aq_gym.agents.dialogue import Prompting, ToolUse
from aq_gym.episode import Episode
from aq_gym.integrations.shared import begin_episode, in_thread
from aq_gym.models.completion import Completion, parse_completion
from aq_gym.models.conversation import check_lengths
from aq_gym.models.endpoint import says_too_long

# The key of a trace's info for the facts about the episode.
INFO = "aq_gym"
METRICS = ("success", "progress_rate", "final_progress", "repetition_rate")
_MAX_RETRIES = 6


class VerifiersTaskData(vf.TaskData):
    """A row of the taskset: a task of a suite.

    Attributes:
        task: The task as :meth:`aq_gym.evaluation.Task.to_record` returns it.
    """

    task: dict[str, Any]


class VerifiersHarnessConfig(vf.HarnessConfig):
    """How episodes are played, ``--env.agent.harness.*`` on the command line."""

    id: str = INFO
    # Each request continues the one before, so that a rollout is one training sample.
    prompting: Prompting = "chat"
    """The form of the answers: act, react, memory or chat."""
    example: bool = True
    """Whether the model is shown an example."""
    context: int = Field(8192, ge=2)
    """The tokens that the model can read and write together."""
    max_tokens: int = Field(1024, ge=1)
    """The longest completion, in tokens, unless the run's sampling sets it."""
    keep_reasoning: bool = True
    """Whether reasoning stays in the messages, in a completion or beside it."""
    tools: ToolUse = "text"
    """"native" if the model acts by calling functions: the environment's tools, or
    act(action) if it has none."""
    trajectories: str = ""
    """The folder of the trajectories, with a folder for each rollout; "" for none."""

    @model_validator(mode="after")
    def _check_context(self) -> VerifiersHarnessConfig:
        check_lengths(self.context, self.max_tokens)
        return self


class VerifiersHarness(vf.Harness[VerifiersHarnessConfig]):
    """Plays an episode; the model gets the messages of ``aq_gym.Episode``.

    It runs in the process of verifiers, and nothing is executed in a rollout's runtime.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Play the episode of a task until it or the rollout ends.

        Raises:
            RuntimeError: If the environment's engine failed, which must not count as a
                score.
            TypeError: If the task does not belong to the taskset ``aq_gym``.
            openai.APIError: If the model cannot be called, after all retries.
        """
        if not isinstance(data, VerifiersTaskData):
            raise TypeError(
                f"task={data.name!r} of the type {type(data).__name__}: the harness "
                f"{INFO!r} plays the tasks of the taskset {INFO!r}; choose another one "
                "with --env.agent.harness.id"
            )
        max_tokens = ctx.sampling.max_tokens or self.config.max_tokens
        stack = ExitStack()
        try:
            episode = await in_thread(self._begin, stack, trace, data, max_tokens)
            async with _Model(endpoint, secret, ctx.model, max_tokens) as model:
                await _play(episode, model, trace)
        finally:
            await in_thread(stack.close)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    def _begin(
        self,
        stack: ExitStack,
        trace: vf.Trace,
        data: VerifiersTaskData,
        max_tokens: int,
    ) -> Episode:
        """Begin the episode; the exit stack closes it."""
        config = self.config
        if config.trajectories:
            directory = str(Path(config.trajectories) / trace.id)
        else:
            temporary = tempfile.TemporaryDirectory(prefix="aq-gym-")
            directory = stack.enter_context(temporary)
        return stack.enter_context(
            begin_episode(
                data.task,
                prompting=config.prompting,
                example=config.example,
                context=config.context,
                max_tokens=max_tokens,
                keep_reasoning=config.keep_reasoning,
                system_prompt=data.system_prompt,
                tools=config.tools,
                directory=directory,
            )
        )


async def _play(episode: Episode, model: _Model, trace: vf.Trace) -> None:
    """Play an episode until it is over or verifiers ends the rollout."""
    turns: list[dict[str, float]] = []
    try:
        while not episode.done:
            completion = await model.complete(episode, trace)
            if completion is None:
                break
            turn = {"node": trace.calls[-1].node}
            await in_thread(_take, episode, completion, turn, turns)
    finally:
        # This also runs after a timeout, which ends the rollout, because the rollout is
        # scored.
        trace.info[INFO] = _described(episode, turns)
    error = episode.metrics["error"]
    if error:
        raise RuntimeError(error)


def _take(
    episode: Episode,
    completion: Completion,
    turn: dict[str, float],
    turns: list[dict[str, float]],
) -> None:
    """Take a step and add its turn, even if the rollout is cancelled."""
    calls = completion.tool_calls if episode.tools else ()
    text = completion.content if calls else completion.text
    _, reward, _ = episode.step(text, completion.reasoning, calls)
    turns.append({**turn, "reward": reward})


def _described(episode: Episode, turns: list[dict[str, float]]) -> dict[str, Any]:
    """Return the entry about an episode for a trace's info, as a JSON value."""
    metrics = episode.metrics
    last = metrics["progress"][-1] if metrics["progress"] else 0.0
    values = {**metrics, "final_progress": last}
    return {
        "task_id": metrics["task_id"],
        "steps": metrics["steps"],
        "ended": metrics["ended"],
        "metrics": {name: float(values[name]) for name in METRICS},
        "turns": turns,
    }


class _Model:
    """The model of a rollout, called through the endpoint of verifiers."""

    def __init__(self, endpoint: str, secret: str, name: str, max_tokens: int) -> None:
        # The endpoint is on this machine, so no proxy or certificate is needed.
        local = endpoint.startswith("http://")
        http = DefaultAsyncHttpxClient(trust_env=not local, verify=not local)
        self._client = AsyncOpenAI(
            base_url=endpoint,
            api_key=secret,
            timeout=None,
            max_retries=_MAX_RETRIES,
            http_client=http,
        )
        self._name, self._max_tokens = name, max_tokens
        self._limit = "max_tokens"

    async def __aenter__(self) -> _Model:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.close()

    async def complete(self, episode: Episode, trace: vf.Trace) -> Completion | None:
        """Return the completion of an episode's messages.

        The messages are shortened until the model accepts them.

        Args:
            episode: The episode.
            trace: The trace of its rollout.

        Returns:
            The completion, or None if verifiers has ended the rollout.
        """
        while True:
            try:
                return await self._request(episode)
            except APIStatusError as error:
                if trace.stop_condition is not None:
                    return None
                if not self._recovers(error, episode):
                    raise

    async def _request(self, episode: Episode) -> Completion:
        body = {
            "model": self._name,
            "messages": episode.messages,
            self._limit: self._max_tokens,
        }
        if episode.tools:
            body["tools"] = episode.tools
        # `post` is used because `chat.completions.create` spends 10 ms on a long
        # conversation.
        data = await self._client.post("/chat/completions", cast_to=bytes, body=body)
        return parse_completion(data)

    def _recovers(self, error: APIStatusError, episode: Episode) -> bool:
        """Adapt the request to an error; return whether it was possible."""
        text = error.response.text
        if self._limit == "max_tokens" and "max_completion_tokens" in text:
            self._limit = "max_completion_tokens"
            return True
        return says_too_long(error.status_code, text) and episode.shrink()
