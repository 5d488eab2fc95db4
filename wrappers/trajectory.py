"""One file per episode, of everything that went in and came out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.wrappers import _header
from aq_gym.wrappers._file_names import FileNames
from aq_gym.wrappers._keys import rename
from aq_gym.wrappers.codec import encode
from aq_gym.wrappers.episode_file import EpisodeFile


class TrajectoryLogger(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Writes each episode to an append-only JSON Lines file of its own.

    The file has a header (schema version, the wrapped environment's spec, seed, reset
    options, task, versions, agent, and the first observation and info), a record per
    step, and an end record with the steps, the return, the final progress and why it
    ended: "terminated", "truncated", "reset" or "closed". Each record is written at
    once by one system call, so a killed process loses at most the step it was in.
    A file that exists is never written to, and any number of processes may log to one
    directory. Read the files with :mod:`aq_gym.trajectory`.

    A copy of the environment in mid-episode goes on in a file of its own, whose header
    names the original's as ``parent``, with the step up to which they are one episode.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        directory: str | os.PathLike[str],
        name: str = "episode-{n:05d}",
        agent: str = "",
        agent_params: Mapping[str, Any] | None = None,
        compress: bool = False,
        packages: Sequence[str] = (),
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            directory: Where the files go; made if there is none.
            name: The files' name without suffix. ``{n}`` counts the episodes and skips
                names that are taken; without it the name serves for one episode.
            agent: The agent's name, for the header.
            agent_params: The agent's parameters, for the header.
            compress: Whether to gzip a file once its episode has ended.
            packages: Distributions whose versions the header notes besides Python's,
                aq-gym's, gymnasium's, numpy's and the environment's own: engines.
            keys: New names for the keys of info that the header and the end record
                repeat, by old name: "task_id", "best_progress", "success".

        Raises:
            ValueError: If the name is no file name, a package is not installed, or
                ``keys`` lists an unknown name.
        """
        RecordConstructorArgs.__init__(
            self,
            directory=os.fspath(directory),
            name=name,
            agent=agent,
            agent_params=None if agent_params is None else dict(agent_params),
            compress=compress,
            packages=list(packages),
            keys=None if keys is None else dict(keys),
        )
        gym.Wrapper.__init__(self, env)
        self._names = FileNames(name)
        _header.check_packages(packages)
        self._task_key, *self._outcome_keys = rename(
            ("task_id", "best_progress", "success"), keys
        )
        self._directory = os.path.abspath(directory)
        os.makedirs(self._directory, exist_ok=True)
        self._agent = {"name": agent, "params": encode(dict(agent_params or {}))}
        self._packages = tuple(packages)
        self._compress = compress
        self._episode: EpisodeFile | None = None
        self._notes: dict[str, Any] = {}
        self._return = 0.0
        self._outcome: dict[str, Any] = {}

    @property
    def trajectory_name(self) -> str | None:
        """The name, without suffix, of the file that is being written, or None."""
        return None if self._episode is None else self._episode.name

    def name_next(self, name: str) -> None:
        """Give the file of the next episode exactly this name.

        Args:
            name: A name without suffix; if it is taken, reset raises FileExistsError.

        Raises:
            ValueError: If it is no file name.
        """
        self._names.name_next(name)

    def annotate(self, **fields: object) -> None:
        """Add fields to the next record, apart from the environment's own.

        Tokens, cost or latency of the action to come. Replay ignores them.

        Args:
            **fields: Names and values, of any kind.

        Raises:
            ResetNeeded: If no episode runs, so that there is no next record.
        """
        if self._episode is None:
            raise gym.error.ResetNeeded("annotate() needs an episode: reset() first")
        self._notes.update(fields)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """End the episode that runs, reset the environment and begin a file.

        Raises:
            FileExistsError: If the file's name is given exactly, and taken.
        """
        self._end("reset")
        random_state = _header.random_state_of(self.env) if seed is None else None
        given = encode(options)
        observation, info = self.env.reset(seed=seed, options=options)
        header = _header.origin_of(self.env, self._packages) | dict(
            agent=self._agent,
            seed=encode(seed),
            random_state=encode(random_state),
            options=given,
            task_id=encode(info.get(self._task_key, "")),
            observation=encode(observation),
            info=encode(info),
        )
        self._return = 0.0
        self._note_outcome(info)
        self._episode = EpisodeFile(self._directory, self._names.choose(), header)
        return observation, info

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and write the record."""
        given = encode(action)
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._episode is not None:
            self._episode.add_step(
                action=given,
                observation=encode(observation),
                reward=encode(reward),
                terminated=bool(terminated),
                truncated=bool(truncated),
                info=encode(info),
                **self._take_notes(),
            )
            self._return += float(reward)
            self._note_outcome(info)
            if terminated or truncated:
                self._end("terminated" if terminated else "truncated")
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """End the episode that runs and close the environment."""
        self._end("closed")
        super().close()

    def _note_outcome(self, info: dict[str, Any]) -> None:
        self._outcome = {
            name: encode(info[key])
            for name, key in zip(
                ("best_progress", "success"), self._outcome_keys, strict=True
            )
            if key in info
        }

    def _take_notes(self) -> dict[str, Any]:
        if not self._notes:
            return {}
        notes, self._notes = self._notes, {}
        return {"notes": encode(notes)}

    def _end(self, reason: str) -> None:
        if self._episode is None:
            return
        fields = {"return": encode(self._return), **self._outcome, "reason": reason}
        episode, self._episode = self._episode, None
        episode.end(self._compress, **fields, **self._take_notes())
