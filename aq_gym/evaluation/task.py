"""A task: an environment, its arguments, a seed and a step cap; and its wrappers."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

import gymnasium as gym

from aq_gym.trajectory.writer import shortened_name
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    TrajectoryLogger,
)

# The characters that need no escape in ID?key=value&key=value.
_PLAIN = " !\"$'()*,./:;<>?@[]^`{|}~"


# Bytes that a name has for the number of an attempt.
_ATTEMPT = 16


def attempt_suffix(attempt: int) -> str:
    """Return the end of the name of an attempt after the first."""
    return f"-attempt{attempt}"


@dataclass(frozen=True)
class Task:
    """One episode to play.

    Args:
        id: The id that ``gymnasium.make`` takes.
        seed: The seed of the reset.
        kwargs: Constructor arguments, JSON-safe.
        max_steps: Step cap, or None for the id's own.
        difficulty: "easy" or "hard" if the suite sets it; "" for the environment's own
            difficulty.
        progress: The key of info that is the progress. A suite can use another measure
            of a benchmark, such as ALFWorld's ``plan_progress``.
        cluster: The name of the tasks whose results depend on each other, such as a
            level; intervals have the variance between clusters. By default, the
            episodes of one instance form a cluster.
        max_invalid: The number of consecutive invalid actions after which the episode
            is truncated; None for no limit.
        raw_repetition: Whether info and the results also have the repetition rate of
            the actions' texts as they are, ``repetition_rate_raw``.
        source: "published" if the arguments are a paper's instance; "" for the
            environment's own source.
        attempt: The number of the attempt at the task, from 1; the agent's seed differs
            between attempts.
    """

    id: str
    seed: int
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    max_steps: int | None = None
    difficulty: str = ""
    progress: str = "progress"
    cluster: str = ""
    max_invalid: int | None = None
    raw_repetition: bool = False
    source: str = ""
    attempt: int = 1

    @cached_property
    def setting(self) -> str:
        """The task without its seed, as ``ID?key=value`` for the command line."""
        arguments = sorted(self._arguments().items())
        parts = [f"{key}={quote(_shown(value), _PLAIN)}" for key, value in arguments]
        return f"{self.id}?{'&'.join(parts)}" if parts else self.id

    @cached_property
    def name(self) -> str:
        """A file name that is unique to the attempt at the task."""
        slug = re.sub(r"[^A-Za-z0-9]+", "-", self.id)
        # The readable part may be shared; the digest is unique.
        identity = json.dumps([self.id, self._arguments()], sort_keys=True)
        digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
        name = shortened_name(f"{slug}-{digest}-seed{self.seed:05d}", _ATTEMPT)
        return name if self.attempt == 1 else f"{name}{attempt_suffix(self.attempt)}"

    @property
    def cap(self) -> int:
        """The step cap of the task, or else of the id; 0 if there is none."""
        spec = gym.registry.get(self.id.rpartition(":")[2])
        default = spec.max_episode_steps if spec is not None else None
        return self.max_steps or default or 0

    @property
    def env_key(self) -> tuple[str, int | None, bool]:
        """A key that is equal for tasks that can be played in one environment."""
        return self.setting, self.max_invalid, self.raw_repetition

    def make(self) -> gym.Env[Any, Any]:
        """Make the environment."""
        env: gym.Env[Any, Any] = gym.make(self.id, **self._arguments())
        return wrap_for_task(env, self.max_invalid, self.raw_repetition)

    def to_record(self) -> dict[str, Any]:
        """Return the task as a JSON object."""
        record: dict[str, Any] = {
            "id": self.id,
            "kwargs": dict(self.kwargs),
            "seed": self.seed,
            "max_steps": self.max_steps,
            "difficulty": self.difficulty,
        }
        # Suites that leave these out keep their hash.
        if self.progress != "progress":
            record["progress"] = self.progress
        if self.max_invalid is not None:
            record["max_invalid"] = self.max_invalid
        if self.raw_repetition:
            record["raw_repetition"] = True
        return record

    def _arguments(self) -> dict[str, Any]:
        cap = {} if self.max_steps is None else {"max_episode_steps": self.max_steps}
        return {**self.kwargs, **cap}


def _shown(value: object) -> str:
    """Return a value as JSON, omitting the quotes of unambiguous strings."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return value
    return json.dumps(value, ensure_ascii=False)


_REPETITION_KEYS = ("repetitions", "repetition_rate", "action_repeated")


def wrap_env(
    env: gym.Env[Any, Any],
    directory: str | os.PathLike[str] | None = None,
    name: str = "episode-{n:05d}",
    agent: str = "",
    agent_params: Mapping[str, Any] | None = None,
    *,
    extract: bool = True,
) -> gym.Env[Any, Any]:
    """Wrap an environment in the wrappers of an evaluation.

    They are, outermost first, TrajectoryLogger, ExtractAction and RepetitionRate.

    Args:
        env: The environment.
        directory: The directory of the trajectories; None logs none.
        name: The names of the trajectories, as :class:`TrajectoryLogger` takes them.
        agent: The agent's name, for the trajectories.
        agent_params: Its parameters, for the trajectories.
        extract: Whether actions are completions, from which the action is extracted.
    """
    env = RepetitionRate(env)
    if extract:
        env = ExtractAction(env)
    if directory is None:
        return env
    return TrajectoryLogger(env, directory, name, agent, agent_params)


def wrap_for_task(
    env: gym.Env[Any, Any], max_invalid: int | None, raw_repetition: bool
) -> gym.Env[Any, Any]:
    """Wrap an environment as a task requires; see :class:`aq_gym.evaluation.Task`."""
    if max_invalid is not None:
        env = StepCap(env, max_invalid=max_invalid)
    if raw_repetition:
        keys = {name: f"{name}_raw" for name in _REPETITION_KEYS}
        env = RepetitionRate(env, raw=True, keys=keys)
    return env
