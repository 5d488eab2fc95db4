"""The results of an episode, recorded step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsFloat, cast

import gymnasium as gym

from aq_gym.evaluation.calls import count_calls
from aq_gym.evaluation.episode import LARGEST, EpisodeResult
from aq_gym.evaluation.metrics import METRICS
from aq_gym.evaluation.task import Task
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import canonical
from aq_gym.wrappers import TrajectoryLogger


class EpisodeStats:
    """The results of an episode so far, while it is played or read from its file."""

    def __init__(
        self,
        observation: object,
        info: Mapping[str, Any],
        progress_key: str = "progress",
    ) -> None:
        self._progress_key = progress_key
        self._task_id = _text(info.get("task_id"))
        self._difficulty = _text(info.get("difficulty"))
        self._labels = _labels(info.get("labels"))
        self._last = info
        self._observations = {_key(observation)}
        self._locations: set[object] = set()
        self._visit(info.get("location", ""))
        self._progress: list[float] = []
        self._repeated: list[bool] = []
        self._calls = self._valid_calls = 0
        self._error = ""
        self._usage: dict[str, float] = {}
        self._trackers = {
            name: metric.tracker() for name, metric in METRICS.items() if metric.tracker
        }

    def add(
        self,
        action: object,
        observation: object,
        info: Mapping[str, Any],
        notes: Mapping[str, Any],
    ) -> None:
        """Add a step.

        Raises:
            ValueError: If the progress is missing or not finite.
        """
        key = self._progress_key
        if key not in info:
            raise ValueError(f"progress={key!r} is not a key of info: {sorted(info)}")
        progress = float(info[key])
        if not abs(progress) + abs(float(info["best_progress"])) < LARGEST:
            raise ValueError(f"info[{key!r}]={progress} must be a finite number")
        self._last = info
        self._observations.add(_key(observation))
        if "location" in info:
            self._visit(info["location"])
        self._progress.append(progress)
        self._repeated.append(bool(info["action_repeated"]))
        valid, calls = count_calls(info)
        self._valid_calls += valid
        self._calls += calls
        self._error = self._error or _text(info.get("error") or None)
        if notes:
            self._use(notes)
        for tracker in self._trackers.values():
            tracker.add(action, observation, info, notes)

    def _visit(self, location: object) -> None:
        location = _key(location)
        if location != "":
            self._locations.add(location)

    def _use(self, notes: Mapping[str, Any]) -> None:
        for name, value in notes.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            # An endpoint can claim any number; a larger one would spoil the sums.
            if abs(value) < LARGEST:
                self._usage[name] = self._usage.get(name, 0) + value

    def fields(self) -> dict[str, Any]:
        """Return the results so far, by the names of an Episode's attributes."""
        last = self._last
        tracked = {name: one.value() for name, one in self._trackers.items()}
        return {
            "task_id": self._task_id,
            "difficulty": self._difficulty,
            "labels": self._labels,
            "steps": len(self._progress),
            "success": bool(last["success"]),
            "progress_rate": self._best_progress(),
            "repetition_rate": float(last["repetition_rate"]),
            "repetitions": int(last["repetitions"]),
            "repetition_rate_raw": _raw_rate(last),
            "cap_reached": "max_invalid" if last.get("cap") == "max_invalid" else "",
            "grounding": self._valid_calls / self._calls if self._calls else None,
            "distinct_observations": len(self._observations),
            "distinct_locations": len(self._locations),
            "error": self._error,
            "progress": self._progress,
            "repeated": self._repeated,
            "usage": self._usage,
            "scores": {k: float(v) for k, v in tracked.items() if v is not None},
        }

    def _best_progress(self) -> float:
        if self._progress_key == "progress":
            return float(self._last["best_progress"])
        return max(self._progress, default=0.0)


class EpisodeRecorder(gym.Wrapper[Any, Any, Any, Any]):
    """Records the results of the episode that an agent plays.

    It wraps a :class:`~aq_gym.wrappers.TrajectoryLogger`. Reading the file back would
    give the same results, but take as long as writing it.

    Attributes:
        stats: The results so far; None before the first reset.
        ended: "terminated" or "truncated", "" while the episode runs.
        progress_key: The key of info that is the progress.
    """

    stats: EpisodeStats | None = None
    ended = ""
    progress_key = "progress"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset the environment and the results."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.stats = EpisodeStats(observation, info, self.progress_key)
        self.ended = ""
        self._notes: dict[str, Any] = {}
        return observation, info

    def step(
        self, action: Any
    ) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and add the step to the results."""
        result = self.env.step(action)
        observation, _, terminated, truncated, info = result
        assert self.stats is not None
        self.stats.add(action, observation, info, self._notes)
        self._notes = {}
        if terminated or truncated:
            self.ended = "terminated" if terminated else "truncated"
        return result

    def name_next(self, name: str) -> None:
        """Name the trajectory of the next episode."""
        self.stats = None
        self._logger.name_next(name)

    def annotate(self, **fields: object) -> None:
        """Pass an agent's notes to the logger, and add them to the results."""
        self._logger.annotate(**fields)
        self._notes.update(fields)

    @property
    def _logger(self) -> TrajectoryLogger[Any, Any]:
        return cast(TrajectoryLogger[Any, Any], self.env)


def recorded_episode(task: Task, trajectory: Trajectory) -> EpisodeResult:
    """Return the episode of a complete trajectory.

    Raises:
        ValueError: If the trajectory is not complete.
    """
    if trajectory.end is None or not trajectory.steps:
        raise ValueError(f"{trajectory.path} is not complete")
    start = trajectory.header
    stats = EpisodeStats(start["observation"], start["info"], task.progress)
    for step in trajectory.steps:
        notes = step.get("notes", {})
        stats.add(step["action"], step["observation"], step["info"], notes)
    return EpisodeResult.of_task(task, ended=trajectory.end["reason"], **stats.fields())


def _raw_rate(info: Mapping[str, Any]) -> float | None:
    rate = info.get("repetition_rate_raw")
    return None if rate is None else float(rate)


def _text(value: object) -> str:
    # An environment of another package may number its tasks, or use None.
    if isinstance(value, str):
        return value
    return "" if value is None else str(value)


def _labels(value: object) -> dict[str, str]:
    # An environment of another package may have info["labels"] of its own.
    if not isinstance(value, Mapping):
        return {}
    return {k: v for k, v in value.items() if isinstance(k, str) and isinstance(v, str)}


def _key(value: object) -> object:
    return value if type(value) is str else canonical(value)
