"""The environment of a session, with the interface that OpenEnv's server calls."""

from __future__ import annotations

import itertools
import json
import logging
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gymnasium.error import ResetNeeded
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from aq_gym._version import __version__
from aq_gym.agents.native_calls import NativeCalls, make_call
from aq_gym.agents.view import public_info
from aq_gym.evaluation.episode import EpisodeRecorder
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.integrations.openenv.client import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.shared import in_thread

_LONGEST_ID = 255
# OpenEnv's client reconnects by itself if its connection was closed.
_NO_EPISODE = (
    "no episode is running: send a reset first; a connection that was closed, for "
    "example after a time without messages, is followed by a new session"
)
# In bits. Python refuses to read an int of more than 4300 digits.
_LONGEST_INT = 3 * 4300
_LOGGER = logging.getLogger(__name__)


class Served:
    """The environment that a server serves, shared by its sessions.

    Args:
        task: The environment, its arguments and its step cap; the seed is not used.
        trajectories: The directory of the trajectories, or None.
        choices: The environments that a reset may name, by their ids or with the
            arguments that the operator gave: ``ID?key=value``.
        evaluator: Whether the clients are trusted evaluators, which get the whole info
            and the metrics; others get the public part of info.

    Attributes:
        logs: Whether episodes are logged.
        playing: The environments of the sessions that are not closed.
    """

    def __init__(
        self,
        task: Task,
        trajectories: str | os.PathLike[str] | None = None,
        choices: Sequence[Task] = (),
        evaluator: bool = False,
    ) -> None:
        self.task = task
        self.evaluator = evaluator
        by_id = {one.id: one for one in reversed(choices)}
        self._choices = by_id | {one.setting: one for one in choices}
        self.logs = trajectories is not None
        self.playing: set[SessionEnvironment] = set()
        self._trajectories = trajectories
        self._numbers = itertools.count(1)

    def make(self, task: Task) -> EpisodeRecorder:
        """Make the environment of a session, wrapped as in ``aq-gym run``."""
        name = f"session-{next(self._numbers):05d}-{{n:05d}}"
        env = wrap_env(task.make(), self._trajectories, name, "openenv")
        return EpisodeRecorder(env)

    def choose(self, env: str | None) -> Task:
        """Return the task of a reset.

        Raises:
            ValueError: If the server does not have the environment.
        """
        if env is None:
            return self.task
        if env not in self._choices:
            raise ValueError(f"env={env!a:.80}: choose one of {list(self._choices)}")
        return self._choices[env]


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
        self._shown: Callable[[dict[str, Any]], dict[str, Any]] = dict
        self._state = EpisodeState(env_id=served.task.id)
        self.mcp_client = _SessionTools(self._calls, self.step)

    @property
    def state(self) -> EpisodeState:
        """The episode's id, steps and metrics; can be read from any thread.

        Only an evaluator gets the metrics, without the task's id, which can reveal the
        solution; ``reset`` returns it.
        """
        state, env = self._state.model_copy(), self._env
        metrics = env.metrics() if env is not None and self._served.evaluator else {}
        metrics.pop("task_id", None)
        state.metrics = _sendable(metrics)
        return state

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task_id: str | None = None,
        env: str | None = None,
        **others: Any,
    ) -> TextObservation:
        """Begin an episode.

        Args:
            seed: The seed, from 0; None continues the session's random numbers.
            episode_id: A name for the client's own use, at most 255 characters; it is
                noted in the trajectory.
            task_id: The instance to play, as ``info["task_id"]`` names it; None lets
                the environment choose one.
            env: One of the environments of a Space; None for its first one.
            **others: Refused; OpenEnv would ignore them.

        Raises:
            TypeError: If an argument has the wrong type, or there is no such argument.
            ValueError: If an argument is out of its range, or there is no such task.
        """
        if others:
            raise TypeError(f"reset has no argument {next(iter(others))!a:.80}")
        _check_reset(seed, episode_id, task_id, env)
        task = self._served.choose(env)
        if task != self._task:
            self.close()
            self._task = task
        self._state = EpisodeState(env_id=task.id)
        options = None if task_id is None else {"task_id": task_id}
        with _sendable_errors():
            if self._env is None:
                self._served.playing.add(self)
                self._env = self._served.make(task)
            self._env.stats = None
            text, info = self._env.reset(seed=seed, options=options)
        self._shown = dict if self._served.evaluator else public_info(self._env)
        name = None if episode_id is None else _sendable(episode_id)
        self._state.episode_id, self._state.done = name, False
        if name is not None and self._served.logs:
            self._env.annotate(episode_id=name)
        return _observation(text, self._shown(info))

    def step(
        self, action: TextAction, timeout_s: float | None = None
    ) -> TextObservation:
        """Take a step.

        Args:
            action: The action.
            timeout_s: Ignored, because a step is never interrupted.

        Raises:
            gymnasium.error.ResetNeeded: If no episode is running.
        """
        if self._env is None or self._state.done:
            raise ResetNeeded(_NO_EPISODE)
        # An engine that raises ends the episode.
        self._state.done = True
        try:
            with _sendable_errors():
                result = self._env.step(action.text)
        except Exception:
            # OpenEnv sends the message to the client, and logs nothing.
            _LOGGER.exception("a step of %s failed", self._task.id)
            raise
        text, reward, terminated, truncated, info = result
        self._state.step_count += 1
        # Converts NumPy's bool, which cannot be sent.
        ends = {"terminated": bool(terminated), "truncated": bool(truncated)}
        self._state.done = any(ends.values())
        observation = _observation(text, {**self._shown(info), **ends})
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
            # Runs even if the environment could not be made.
            self._served.playing.discard(self)


def _check_reset(
    seed: object, episode_id: object, task_id: object, env: object
) -> None:
    # The messages are sent to the client, so they must be ASCII, even if its request
    # was not.
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise TypeError(f"seed={seed!a:.80} must be an int or null")
    if seed is not None and seed < 0:
        raise ValueError(f"seed={seed!a:.80} must be at least 0")
    texts = {"episode_id": episode_id, "task_id": task_id, "env": env}
    for name, value in texts.items():
        if not isinstance(value, str | None):
            raise TypeError(f"{name}={value!a:.80} must be a str or null")
    if isinstance(episode_id, str) and len(episode_id) > _LONGEST_ID:
        raise ValueError(
            f"episode_id has {len(episode_id)} characters; at most {_LONGEST_ID} are "
            "allowed"
        )


def _observation(text: str, info: Mapping[str, Any]) -> TextObservation:
    others = {key: value for key, value in info.items() if key != "admissible_actions"}
    return TextObservation(
        text=_sendable(text),
        admissible_actions=_sendable(info.get("admissible_actions", ())),
        metadata=_sendable(others),
    )


class _SessionTools:
    """The object that OpenEnv's server treats as the client of an MCP server.

    Args:
        calls: Returns the tools of the running episode.
        step: Takes a step.
    """

    def __init__(
        self,
        calls: Callable[[], NativeCalls],
        step: Callable[[TextAction], TextObservation],
    ) -> None:
        self._calls = calls
        self._step = step

    def is_connected(self) -> bool:
        """Return True, because nothing needs to be connected."""
        return True

    async def list_tools(self) -> list[dict[str, Any]]:
        """Return the environment's tools, or ``act`` and ``check_valid_actions``."""
        return [_sendable(one.mcp()) for one in self._calls().tools]

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Take a step.

        Args:
            name: The name of a tool; any text.
            arguments: Its arguments.

        Returns:
            The observation as an MCP result, marked as an error if the action was
            invalid.
        """
        call = make_call("", str(name), json.dumps(arguments))
        action = TextAction(text=self._calls().action([call]))
        observation = await in_thread(self._step, action)
        valid = observation.metadata.get("action_valid", True)
        content = [{"type": "text", "text": observation.text}]
        return {"content": content, "isError": not valid}


def _sendable(value: Any) -> Any:
    """Return a value that can be sent as strict JSON in UTF-8.

    NumPy's scalars and arrays become numbers and lists; sets become sorted lists;
    numbers that are not finite become "nan", "inf" or "-inf", which ``float`` reads;
    lone surrogates, which UTF-8 cannot encode, become escapes; objects of other types
    become their ``repr``.

    Args:
        value: The value, for example an info dict.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _LONGEST_INT else hex(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return {_sendable(str(key)): _sendable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sendable(item) for item in value]
    if isinstance(value, set | frozenset):
        return [_sendable(item) for item in sorted(value, key=repr)]
    items = value.tolist() if hasattr(value, "tolist") else value
    # The item() of NumPy's longdouble is again a longdouble.
    return _sendable(repr(value) if type(items) is type(value) else items)


@contextmanager
def _sendable_errors() -> Iterator[None]:
    """Re-raise errors of the block with a message that can be sent.

    OpenEnv sends only the message, and ends the session if it cannot be sent.

    Raises:
        RuntimeError: In place of an error whose message is empty or cannot be encoded
            as UTF-8.
    """
    try:
        yield
    except Exception as error:
        message = str(error)
        sent = _sendable(message)
        if sent and sent == message:
            raise
        raise RuntimeError(sent or type(error).__name__) from error
