"""verifiers: the taskset ``aq_gym`` for any suite or environment.

With the extra ``verifiers``::

    vf-eval aq_gym --env.taskset.suite quick --no-push -m gpt-4o-mini

A row of the taskset is a task, which :class:`VerifiersHarness` plays through
:class:`aq_gym.Episode`. Its metrics are ``success``, ``progress_rate`` (AgentBoard's,
the best progress), ``final_progress`` (AgentQuest's, the progress after the last step)
and ``repetition_rate``; the reward is one of the first three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym
from gymnasium.error import DependencyNotInstalled

from aq_gym.agents.baselines import ExpertAgent, ExpertGaveUpError
from aq_gym.evaluation import Suite, Task
from aq_gym.integrations.shared import in_thread
from aq_gym.selection import check_id, check_names, parse_env
from aq_gym.support.extras import pip_command

try:
    import verifiers.v1 as vf
    from pydantic import Field, model_validator
except ModuleNotFoundError as error:
    raise DependencyNotInstalled(
        f"{__name__} needs verifiers: {pip_command('verifiers')}"
    ) from error

from aq_gym.integrations.verifiers_harness import (
    INFO,
    METRICS,
    VerifiersHarness,
    VerifiersHarnessConfig,
    VerifiersTaskData,
)

__all__ = [
    "VerifiersEnv",
    "VerifiersEnvConfig",
    "VerifiersHarness",
    "VerifiersHarnessConfig",
    "VerifiersTask",
    "VerifiersTaskConfig",
    "VerifiersTaskData",
    "VerifiersTaskset",
    "VerifiersTasksetConfig",
]

_SUITE = "quick"
_EPISODES = 10
# The agent named in traces of tasks that vf-validate scores without playing them.
_VALIDATION = "validate"
_OF_ENV = ("kwargs", "episodes", "seed", "max_steps")


class VerifiersTaskConfig(vf.TaskConfig):
    """How episodes are scored, ``--env.taskset.task.*`` on the command line."""

    reward: Literal["progress_rate", "final_progress", "success"] = "progress_rate"
    """The figure that is the reward of a rollout."""


class VerifiersTasksetConfig(vf.TasksetConfig):
    """Which tasks are played, ``--env.taskset.*`` on the command line."""

    id: str = INFO
    suite: str = ""
    """A packaged suite, or the path of a suite's JSON file; by default quick."""
    env: str = ""
    """An id, optionally with arguments: 'aq/Mastermind-v0?code_length=5'."""
    # Defaults to None, because verifiers then does not convert texts that look like
    # numbers.
    kwargs: dict[str, Any] | None = None
    """Further constructor arguments of the environment."""
    episodes: int | None = Field(None, ge=1)
    """The number of tasks of the environment, with different seeds; None means 10."""
    seed: int | None = Field(None, ge=0)
    """The seed of the first task of the environment; the others count up from it."""
    max_steps: int | None = Field(None, ge=1)
    """The step cap of the environment; None for the id's own."""
    task: VerifiersTaskConfig = VerifiersTaskConfig()

    @property
    def name(self) -> str:
        """The part of a run's name that comes from the taskset."""
        chosen = self.env or Path(self.suite or _SUITE).stem
        return f"{self.id}-{re.sub('[^A-Za-z0-9]+', '-', chosen).strip('-')}"

    @model_validator(mode="after")
    def _check_tasks(self) -> VerifiersTasksetConfig:
        if not self.env:
            given = [name for name in _OF_ENV if getattr(self, name) is not None]
            if given:
                raise ValueError(f"{', '.join(given)} can only be given with env")
            Suite.load(self.suite or _SUITE)
            return self
        if self.suite:
            raise ValueError(
                f"suite={self.suite!r} and env={self.env!r}: give one of them"
            )
        try:
            check_id(self._selection()[0])
        except ImportError as error:
            raise ValueError(f"env={self.env!r} cannot be loaded: {error}") from error
        return self

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks, in their order."""
        if not self.env:
            yield from Suite.load(self.suite or _SUITE).tasks
            return
        env_id, kwargs = self._selection()
        first = self.seed or 0
        for seed in range(first, first + (self.episodes or _EPISODES)):
            yield Task(env_id, seed, kwargs, self.max_steps)

    def _selection(self) -> tuple[str, dict[str, Any]]:
        env_id, kwargs = parse_env(self.env)
        check_names(env_id, self.kwargs or {})
        return env_id, kwargs | (self.kwargs or {})


class VerifiersTask(vf.Task[VerifiersTaskData, vf.State, VerifiersTaskConfig]):
    """A task, scored by the metrics of its episode."""

    @property
    def key(self) -> str:
        """The task's name, which does not depend on its position in a taskset."""
        return str(self.data.name)

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Return True if the expert solves the task.

        Return None if it does not, because some games cannot be won, or if there is no
        expert.
        """
        return await in_thread(_expert_solves, self.data.task)

    @vf.metric
    async def episode_metrics(self, trace: vf.Trace) -> Mapping[str, float]:
        """Return the metrics of the episode."""
        return _metrics(trace)

    @vf.reward
    async def reward(self, trace: vf.Trace) -> Mapping[str, float]:
        """Return the chosen figure under its name."""
        return {self.config.reward: _metrics(trace)[self.config.reward]}


class VerifiersTaskset(vf.Taskset[VerifiersTask, VerifiersTasksetConfig]):
    """The tasks of a suite, or of an environment."""

    def load(self) -> Iterator[VerifiersTask]:
        """Yield a row for each task, without creating environments."""
        for task in self.config.tasks():
            yield self.row(task)

    def row(self, task: Task) -> VerifiersTask:
        """Return the row of any task, for example of one that a sampler has drawn."""
        return VerifiersTask(_data(task), self.config.task)


class VerifiersEnvConfig(vf.SingleAgentEnvConfig):
    """The agent: episodes are played in this process, and nothing is executed."""

    agent: vf.AgentConfig = vf.AgentConfig(
        harness=VerifiersHarnessConfig(), runtime=vf.SubprocessConfig()
    )

    @model_validator(mode="after")
    def _check_agent(self) -> VerifiersEnvConfig:
        harness, runtime = self.agent.harness, self.agent.runtime
        if not isinstance(harness, VerifiersHarnessConfig):
            given = None if harness is None else harness.id
            raise ValueError(
                f"agent.harness.id={given!r}: the tasks of the taskset {INFO!r} are "
                f"played by the harness {INFO!r} only"
            )
        if not isinstance(runtime, vf.SubprocessConfig):
            raise ValueError(
                f"agent.runtime.type={runtime.type!r} must be 'subprocess': nothing is "
                "executed in a runtime"
            )
        return self


class VerifiersEnv(vf.SingleAgentEnv, vf.Env[VerifiersEnvConfig]):
    """One agent that plays one task."""


def _data(task: Task) -> VerifiersTaskData:
    # verifiers requires a prompt and shows it when it lists tasks, but the model gets
    # the messages of the episode.
    return VerifiersTaskData(
        name=task.name,
        description=task.setting,
        prompt=f"{task.setting}, seed {task.seed}",
        task=task.to_record(),
    )


def _expert_solves(record: Mapping[str, Any]) -> bool | None:
    task = Task(
        record["id"],
        record["seed"],
        record["kwargs"],
        record["max_steps"],
        max_invalid=record.get("max_invalid"),
    )
    with ExitStack() as stack:
        env = stack.enter_context(task.make())
        solved = env.has_wrapper_attr("expert_action") and _solved(env, task.seed)
    return solved or None


def _solved(env: gym.Env[Any, Any], seed: int) -> bool:
    expert = ExpertAgent(env)
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        try:
            action = expert.act(observation, info)
        except ExpertGaveUpError:
            return False
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    return bool(info["success"])


def _metrics(trace: vf.Trace) -> dict[str, float]:
    if INFO not in trace.info and trace.agent.name == _VALIDATION:
        return dict.fromkeys(METRICS, 0.0)
    if INFO not in trace.info:
        raise RuntimeError("no episode to score: a limit was reached before it began")
    metrics: dict[str, float] = trace.info[INFO]["metrics"]
    return metrics
