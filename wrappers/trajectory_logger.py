"""Log each episode to a separate file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type
from aq_gym.trajectory import writer
from aq_gym.trajectory.codec import encode
from aq_gym.wrappers._arguments import mapping, refuse_autoreset

_OUTCOME = ("best_progress", "success")


class TrajectoryLogger(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Writes each episode to a separate append-only JSON Lines file.

    The file has a header (schema version, the wrapped environment's spec, seed, reset
    options, task, versions, agent, and the first observation and info), a record per
    step, and an end record with the number of steps, the return, the final progress and
    the reason for the end: "terminated", "truncated", "reset", "closed" or "error".
    Each record is written immediately by one system call, so that a killed process
    loses at most the current step. An existing file is never modified, and several
    processes can log to the same directory. Read the files with
    :mod:`aq_gym.trajectory`.

    If the environment raises an error in a step, the end record contains the error and
    the action, the file is not complete, and ``reset`` is needed before the next step.
    Steps after the end of an episode are not logged.

    A copy of the environment that is made during an episode continues in a separate
    file, whose header names the original file as ``parent``, with the last step that
    the two episodes share.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        directory: str | os.PathLike[str],
        name: str = "episode-{n:05d}",
        agent: str = "",
        agent_params: Mapping[str, Any] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            directory: The directory of the files; it is created if necessary.
            name: The name of the files without suffix. ``{n}`` is replaced by a number
                that counts the episodes and skips existing files; without it, the name
                can be used for one episode.
            agent: The name of the agent, for the header.
            agent_params: The parameters of the agent, for the header.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If ``name`` is not a valid file name.
        """
        check_type("directory", directory, (str, os.PathLike), "a path")
        check_type("agent", agent, str, "a str")
        RecordConstructorArgs.__init__(
            self,
            directory=os.fspath(directory),
            name=name,
            agent=agent,
            agent_params=mapping("agent_params", agent_params),
        )
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        self._names = writer.FileNames(name)
        self._directory = os.path.abspath(directory)
        os.makedirs(self._directory, exist_ok=True)
        self._agent = {"name": agent, "params": encode(dict(agent_params or {}))}
        # Collected once, because it is slow and the same in each episode.
        self._origin: dict[str, Any] | None = None
        self._episode: writer.EpisodeFile | None = None
        self._last: writer.EpisodeFile | None = None
        self._begun = False
        self._notes: dict[str, Any] = {}
        self._return = 0.0
        self._outcome: dict[str, Any] = {}

    @property
    def trajectory_name(self) -> str | None:
        """The name of the latest episode's file without suffix, or None."""
        latest = self._episode or self._last
        return latest.name if latest else None

    def hold_records(self, until_end: bool = False) -> None:
        """Keep the records of this copy in memory, for a search with many copies.

        It concerns the current episode, and copies of this copy. An original writes its
        records immediately.

        Args:
            until_end: Whether they are written when the episode ends; otherwise only
                :meth:`keep_records` writes them.
        """
        if self._episode is not None:
            self._episode.hold(until_end)

    def keep_records(self) -> None:
        """Write the records of the latest episode that were held, and hold no more."""
        if latest := self._episode or self._last:
            latest.keep()

    def name_next(self, name: str) -> None:
        """Use exactly this name for the file of the next episode.

        Args:
            name: A name without suffix; if it exists, reset raises FileExistsError.

        Raises:
            ValueError: If it is not a valid file name.
        """
        self._names.name_next(name)

    def annotate(self, **fields: object) -> None:
        """Add notes to the next record; replay ignores them.

        Args:
            **fields: Any names and values, for example the tokens, cost and latency of
                the next action.

        Raises:
            ResetNeeded: If there is no current episode.
        """
        if self._episode is None:
            raise gym.error.ResetNeeded(
                "annotate() needs a running episode: call reset() first"
            )
        self._notes.update(fields)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """End the current episode, reset the environment and start a new file.

        Raises:
            FileExistsError: If the name of the file was set exactly and exists.
        """
        self._begun = False
        self._end("reset")
        self._last = None
        asked = writer.request_fields(self.env, seed, options)
        # Created before the reset, which could not be undone if this fails.
        episode = writer.EpisodeFile(self._directory, self._names.choose())
        try:
            observation, info = self.env.reset(seed=seed, options=options)
            _checked(info, self.env)
            if self._origin is None:
                self._origin = writer.origin_fields(self.env)
            start = writer.start_fields(observation, info)
            episode.begin({**self._origin, "agent": self._agent, **asked, **start})
        except BaseException:
            episode.discard()
            raise
        self._episode, self._begun = episode, True
        self._return, self._outcome = 0.0, _outcome_of(info)
        return observation, info

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and write a record.

        Raises:
            ResetNeeded: If ``reset`` was not called, or the last step raised an error.
        """
        if not self._begun:
            raise gym.error.ResetNeeded(
                "step() needs a running episode: call reset() first"
            )
        if self._episode is None:
            return self.env.step(action)
        given = encode(action)
        try:
            result = self.env.step(action)
            info = _checked(result[4], self.env)
            line = writer.step_line(self._episode.steps + 1, given, result, self._notes)
            self._return += float(result[1])
            self._outcome = _outcome_of(info)
        except BaseException as error:
            self._begun = False
            text = f"{type(error).__name__}: {error}"
            self._end("error", action=given, error=encode(text))
            raise
        self._notes = {}
        self._episode.add_step(line)
        if result[2] or result[3]:
            self._end("terminated" if result[2] else "truncated")
        return result

    def close(self) -> None:
        """End the current episode and close the environment."""
        try:
            self._end("closed")
        finally:
            super().close()

    def _take_notes(self) -> dict[str, Any]:
        notes, self._notes = self._notes, {}
        return {"notes": encode(notes)} if notes else {}

    def _end(self, reason: str, **more: object) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            total = {"return": encode(self._return), **self._outcome}
            episode.end(**total, reason=reason, **more, **self._take_notes())
            self._last = episode


def _outcome_of(info: Mapping[str, Any]) -> dict[str, Any]:
    return {key: encode(info[key]) for key in _OUTCOME if key in info}


def _checked(info: object, env: gym.Env[Any, Any]) -> Mapping[str, Any]:
    """Return the info of an environment after checking that it is a dict.

    Raises:
        TypeError: If it is not a mapping.
    """
    # The type is checked first: isinstance with an abstract class is slow.
    if type(info) is not dict and not isinstance(info, Mapping):
        raise TypeError(f"{env} returned info={info!r:.200}; it must be a dict")
    return info
