"""The environment of a session, with the interface of OpenEnv's server."""

from __future__ import annotations

import copy
import itertools
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import gymnasium as gym
from gymnasium.error import ResetNeeded
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from aq_gym._version import __version__
from aq_gym.agents.native_calls import NativeCalls
from aq_gym.evaluation.episode import EpisodeRecorder
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.integrations.openenv.json_values import sendable, sendable_errors
from aq_gym.integrations.openenv.models import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.openenv.tools import SessionTools
from aq_gym.selection import check_names
from aq_gym.trajectory.trust import untrusted

_LONGEST_ID = 255
# OpenEnv's client reconnects by itself if its connection was closed.
_NO_EPISODE = (
    "no episode is running: send a reset first; a connection that was closed, for "
    "example after a time without messages, is followed by a new session"
)
_LOGGER = logging.getLogger(__name__)


class Served:
    """The environment that a server serves, shared by its sessions.

    Args:
        task: The environment, its arguments and its step cap; the seed is not used.
        trajectories: The directory of the trajectories, or None.
        choices: The environments that a reset may name, with further arguments; none
            if it may not.

    Attributes:
        logs: Whether episodes are logged.
        playing: The sessions' environments that are not closed.
    """

    def __init__(
        self,
        task: Task,
        trajectories: str | os.PathLike[str] | None = None,
        choices: Sequence[Task] = (),
    ) -> None:
        self.task = task
        self._choices = {one.id: one for one in choices}
        self.logs = trajectories is not None
        self.playing: set[SessionEnvironment] = set()
        self._trajectories = trajectories
        self._numbers = itertools.count(1)

    def make(self, task: Task) -> EpisodeRecorder:
        """Make the environment of a session, wrapped as in ``aq-gym run``."""
        name = f"session-{next(self._numbers):05d}-{{n:05d}}"
        env = wrap_env(task.make(), self._trajectories, name, "openenv")
        return EpisodeRecorder(env)

    def choose(self, env: str | None, arguments: Mapping[str, Any] | None) -> Task:
        """Return the task of a reset.

        Raises:
            ValueError: If the reset may not choose, or there is no such environment or
                argument, or an argument could name a file or code.
        """
        if env is None and not arguments:
            return self.task
        if not self._choices:
            raise ValueError("env and arguments are set by the server, not by a reset")
        task = self._choices.get(env or self.task.id)
        if task is None:
            raise ValueError(f"env={env!a:.80}: choose one of {list(self._choices)}")
        given = dict(arguments or {})
        check_names(task.id, given)
        spec = copy.deepcopy(gym.spec(task.id))
        spec.kwargs = given
        refused = untrusted(spec)
        if refused:
            raise ValueError(f"arguments: {refused} is not accepted from a client")
        return replace(task, kwargs={**task.kwargs, **given})


class SessionEnvironment(Environment[TextAction, TextObservation, EpisodeState]):
    """Plays the episodes of one session, one after another.

    The Gymnasium environment is made on the first reset: OpenEnv's server also makes
    one of these objects to answer requests that need no episode.

    Args:
        served: What the server serves.

    Attributes:
        mcp_client: The environment's tools, which OpenEnv's server looks for here.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, served: Served) -> None:
        super().__init__()
        self._served = served
        self._env: EpisodeRecorder | None = None
        self._task = served.task
        self._return = 0.0
        self._state = EpisodeState(env_id=served.task.id)
        self.mcp_client = SessionTools(self._calls, self.step)

    @property
    def state(self) -> EpisodeState:
        """The episode's id, steps and metrics; can be read from any thread.

        Without the task's id, which can be the solution: ``reset`` returns it.
        """
        state, env = self._state.model_copy(), self._env
        stats = None if env is None else env.stats
        if env is not None and stats is not None:
            own = {"ended": env.ended, "return": self._return}
            metrics = {**stats.fields(), **own}
            del metrics["task_id"]
            state.metrics = sendable(metrics)
        return state

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task_id: str | None = None,
        env: str | None = None,
        arguments: dict[str, Any] | None = None,
    ) -> TextObservation:
        """Begin an episode.

        Args:
            seed: The seed, from 0; None continues the session's random numbers.
            episode_id: A name for the client's own use, at most 255 characters; it is
                noted in the trajectory.
            task_id: The instance to play, as ``info["task_id"]`` names it; None lets
                the environment choose one.
            env: Another id that the server has; None for its first one.
            arguments: Further arguments of the constructor.

        Raises:
            TypeError: If an argument has the wrong type.
            ValueError: If an argument is out of its range, or there is no such task.
        """
        _check_reset(seed, episode_id, task_id, env, arguments)
        task = self._served.choose(env, arguments)
        if task != self._task:
            self.close()
            self._task = task
        self._state = EpisodeState(env_id=task.id)
        options = None if task_id is None else {"task_id": task_id}
        with sendable_errors():
            if self._env is None:
                self._served.playing.add(self)
                self._env = self._served.make(task)
            self._env.stats = None
            text, info = self._env.reset(seed=seed, options=options)
        self._return = 0.0
        name = None if episode_id is None else sendable(episode_id)
        self._state.episode_id, self._state.done = name, False
        if name is not None and self._served.logs:
            self._env.annotate(episode_id=name)
        return _observation(text, info)

    def step(
        self, action: TextAction, timeout_s: float | None = None
    ) -> TextObservation:
        """Take a step.

        Args:
            action: The action.
            timeout_s: Not used: an environment's step is not interrupted.

        Raises:
            gymnasium.error.ResetNeeded: If no episode is running.
        """
        if self._env is None or self._state.done:
            raise ResetNeeded(_NO_EPISODE)
        # An engine that raises ends the episode.
        self._state.done = True
        try:
            with sendable_errors():
                result = self._env.step(action.text)
        except Exception:
            # OpenEnv sends the message to the client, and logs nothing.
            _LOGGER.exception("a step of %s failed", self._task.id)
            raise
        text, reward, terminated, truncated, info = result
        self._return += float(reward)
        self._state.step_count += 1
        # Convert numpy's bool, which cannot be sent.
        ends = {"terminated": bool(terminated), "truncated": bool(truncated)}
        self._state.done = any(ends.values())
        observation = _observation(text, {**info, **ends})
        observation.reward, observation.done = float(reward), self._state.done
        return observation

    def _calls(self) -> NativeCalls:
        """Return the tools of the running episode."""
        if self._env is None or self._state.done:
            raise ResetNeeded(_NO_EPISODE)
        return NativeCalls(self._env)

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the environment's id and version; its arguments may be secret."""
        return EnvironmentMetadata(
            name=self._served.task.id,
            description=f"{self._served.task.id} of aq_gym, a text environment",
            version=__version__,
            author="The aq_gym authors",
        )

    def close(self) -> None:
        """Close the Gymnasium environment, if it was made."""
        env, self._env = self._env, None
        try:
            if env is not None:
                env.close()
        finally:
            # Also if the environment could not be made.
            self._served.playing.discard(self)


def _check_reset(
    seed: object,
    episode_id: object,
    task_id: object,
    env: object,
    arguments: object,
) -> None:
    # The messages are sent to the client, so they are ASCII, whatever it wrote.
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise TypeError(f"seed={seed!a:.80} must be an int or null")
    if seed is not None and seed < 0:
        raise ValueError(f"seed={seed!a:.80} must be at least 0")
    texts = {"episode_id": episode_id, "task_id": task_id, "env": env}
    for name, value in texts.items():
        if not isinstance(value, str | None):
            raise TypeError(f"{name}={value!a:.80} must be a str or null")
    if not isinstance(arguments, dict | None):
        raise TypeError(f"arguments={arguments!a:.80} must be an object or null")
    if isinstance(episode_id, str) and len(episode_id) > _LONGEST_ID:
        raise ValueError(
            f"episode_id has {len(episode_id)} characters; at most {_LONGEST_ID} are "
            "allowed"
        )


def _observation(text: str, info: Mapping[str, Any]) -> TextObservation:
    others = {key: value for key, value in info.items() if key != "admissible_actions"}
    return TextObservation(
        text=sendable(text),
        admissible_actions=sendable(info.get("admissible_actions", ())),
        metadata=sendable(others),
    )
