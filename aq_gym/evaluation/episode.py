"""The results of one episode, recorded step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, SupportsFloat, cast

import gymnasium as gym

from aq_gym.evaluation.metrics import METRICS
from aq_gym.evaluation.task import Task, attempt_suffix
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import canonical
from aq_gym.wrappers import TrajectoryLogger

# Larger numbers of environments, agents and metrics are refused: sums would overflow.
LARGEST = 1e100


@dataclass(frozen=True)
class EpisodeResult:
    """The results of one finished episode: a row of ``episodes.jsonl``.

    Attributes:
        task: The name of the task, and of its trajectory file.
        env: The environment's id.
        setting: The environment's id and arguments.
        seed: The seed of the reset.
        task_id: The instance that was played.
        difficulty: "easy", "hard" or the benchmark's own grade; "" if it has none.
        steps: The number of actions.
        success: Whether the task was solved.
        progress_rate: The final ``best_progress``, 0.0 to 1.0 (AgentBoard's r_T).
        repetition_rate: Repeated actions over all but the first, 0.0 to 1.0
            (AgentQuest's RR_T with T the episode's own length).
        repetitions: The number of actions that repeated an earlier one.
        repetition_rate_raw: The same rate, if the task asks for it, computed from the
            actions' texts; else None. Different texts of one action, such as ``Guess:
            1234`` and ``1 2 3 4``, count as different.
        grounding: The share of valid actions, 0.0 to 1.0 (AgentBoard); if an action can
            have several calls, the share of valid calls. None if the environment does
            not report them.
        distinct_observations: The number of different observations.
        distinct_locations: The number of different ``info["location"]``; 0 if the
            environment does not report it.
        ended: "terminated" or "truncated", or "error".
        error: The error message, "" if there was no error. An episode with an error
            counts in no score; its other values are from the steps before the error.
        traceback: The traceback, if an exception was raised.
        progress: The progress after each step (AgentQuest's PR_t).
        repeated: For each step whether its action repeated an earlier one.
        usage: Sums of the numbers that the agent noted: tokens, cost, latency.
        scores: The values, by name, of the metrics that have a tracker or were added by
            ``aq-gym score``.
        cap_reached: "max_invalid" if the episode was truncated because of consecutive
            invalid actions, else "".
        cap: The step cap; 0 if it is unknown.
        unfinished: Whether an error such as a wrong key ended the episode, which would
            end others too. It is played again when the run is continued; this row
            counts only in what the run has used.
        cluster: The suite's name for a group of tasks whose results depend on each
            other; "" if there is none.
        labels: The groups of the instance, by kind, such as ``{"subject": "anatomy"}``.
        source: Where the instance comes from: "generated", "published" or "user"; "" if
            the environment does not say.
        steps_to_go: The number of actions that the expert needs from the first state
            and from that after each step, -1 where it finds no way; empty until
            ``aq-gym score`` counts them.
        secrets_left: The number of secrets that agree with what the agent has seen, in
            the same states; empty if the environment does not count them.
        expert: The package of the expert and its version, such as "aq-gym 0.1.0".
        attempt: The number of the attempt at the task, from 1.
    """

    task: str
    env: str
    setting: str
    seed: int
    task_id: str = ""
    difficulty: str = ""
    steps: int = 0
    success: bool = False
    progress_rate: float = 0.0
    repetition_rate: float = 0.0
    repetitions: int = 0
    grounding: float | None = None
    distinct_observations: int = 0
    distinct_locations: int = 0
    ended: str = "error"
    error: str = ""
    traceback: str = ""
    progress: list[float] = field(default_factory=list)
    repeated: list[bool] = field(default_factory=list)
    usage: dict[str, float] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    cap: int = 0
    repetition_rate_raw: float | None = None
    cap_reached: str = ""
    unfinished: bool = False
    cluster: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    source: str = ""
    steps_to_go: list[int] = field(default_factory=list)
    secrets_left: list[int] = field(default_factory=list)
    expert: str = ""
    attempt: int = 1

    @property
    def first_task(self) -> str:
        """The name of the first attempt at the task."""
        return self.task.removesuffix(attempt_suffix(self.attempt))

    @cached_property
    def unit(self) -> str:
        """The cluster of the episode: the suite's, or else the instance played."""
        if self.cluster or not self.task_id:
            return self.cluster or self.first_task
        return f"{self.env} {self.task_id}"

    @classmethod
    def of_task(cls, task: Task, **values: Any) -> EpisodeResult:
        """Return a task's episode.

        Args:
            task: The task.
            **values: The other attributes.
        """
        for name in ("difficulty", "source"):
            values[name] = getattr(task, name) or values.get(name, "")
        values.setdefault("cap", task.cap)
        values.setdefault("cluster", task.cluster)
        values.setdefault("attempt", task.attempt)
        return cls(task.name, task.id, task.setting, task.seed, **values)

    def to_record(self) -> dict[str, Any]:
        """Return the episode as a JSON object."""
        record = {name: getattr(self, name) for name in _FIELDS}
        for name in _OMITTED:
            if not record[name]:
                # Omitted if empty, so that rows of earlier versions stay the same.
                del record[name]
        if self.repetition_rate_raw is None:
            del record["repetition_rate_raw"]
        return record


_ENDS = ("terminated", "truncated")
_FIELDS = tuple(one.name for one in fields(EpisodeResult))
_OMITTED = (
    "scores", "cap", "cap_reached", "unfinished", "cluster", "labels", "source",
    "steps_to_go", "secrets_left", "expert",
)  # fmt: skip


def by_task(episodes: Iterable[EpisodeResult]) -> dict[str, list[EpisodeResult]]:
    """Return the attempts without an error at each task."""
    tasks: dict[str, list[EpisodeResult]] = {}
    for episode in episodes:
        if not episode.error:
            tasks.setdefault(episode.first_task, []).append(episode)
    return tasks


def count_calls(info: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many calls of a step were valid, and how many it had.

    If the environment does not count calls, a step is one call; a step without
    ``info["action_valid"]`` has none.
    """
    calls, valid = info.get("calls"), info.get("valid_calls")
    if type(calls) is type(valid) is int and 0 <= valid <= calls and calls:
        return valid, calls
    if "action_valid" not in info:
        return 0, 0
    return int(bool(info["action_valid"])), 1


class EpisodeStats:
    """The results of an episode so far, while it is played or read from its file.

    Every result of an episode, in a row, on a page or in training, is computed here.
    """

    def __init__(
        self,
        observation: object,
        info: Mapping[str, Any],
        progress_key: str = "progress",
    ) -> None:
        self._progress_key = progress_key
        self._task_id = _text(info.get("task_id"))
        self._difficulty = _text(info.get("difficulty"))
        self._source = _text(info.get("source"))
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

    @classmethod
    def of(cls, trajectory: Trajectory, progress_key: str = "progress") -> EpisodeStats:
        """Return the results of an episode's file, which has a header."""
        start = trajectory.header
        stats = cls(start["observation"], start["info"], progress_key)
        for step in trajectory.steps:
            notes = step.get("notes", {})
            stats.add(step["action"], step["observation"], step["info"], notes)
        return stats

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
        """Return the results so far, by the names of an EpisodeResult's attributes."""
        last = self._last
        tracked = {name: one.value() for name, one in self._trackers.items()}
        return {
            "task_id": self._task_id,
            "difficulty": self._difficulty,
            "source": self._source,
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
        stats: The results so far; None before the reset.
        ended: "terminated" or "truncated"; "" while the episode runs.
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
        self._return = 0.0
        self._notes: dict[str, Any] = {}
        return observation, info

    def step(
        self, action: Any
    ) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and add the step to the results."""
        result = self.env.step(action)
        observation, reward, terminated, truncated, info = result
        assert self.stats is not None
        self._return += float(reward)
        self.stats.add(action, observation, info, self._notes)
        self._notes = {}
        if terminated or truncated:
            self.ended = "terminated" if terminated else "truncated"
        return result

    def fields(self) -> dict[str, Any]:
        """Return the results so far, by the names of an EpisodeResult's attributes.

        They include ``ended``. Before the reset there are none.
        """
        # self.stats is read only once, because another thread may replace it.
        stats = self.stats
        return {} if stats is None else {**stats.fields(), "ended": self.ended}

    def metrics(self) -> dict[str, Any]:
        """Return the results so far, and the sum of the rewards as ``return``."""
        fields = self.fields()
        return {**fields, "return": self._return} if fields else {}

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
    values = EpisodeStats.of(trajectory, task.progress).fields()
    return EpisodeResult.of_task(task, ended=trajectory.end["reason"], **values)


def finished_episode(task: Task, trajectory: Trajectory) -> EpisodeResult | None:
    """Return the episode of a trajectory, None if it did not end or is foreign.

    If its progress is invalid, the episode has an error.
    """
    # A file that ends with "closed" belongs to an abandoned episode.
    end = trajectory.end if trajectory.complete else None
    if end is None or end["reason"] not in _ENDS:
        return None
    try:
        return recorded_episode(task, trajectory)
    except (AttributeError, KeyError, OverflowError, TypeError):
        # The file was not written by an evaluation.
        return None
    except ValueError as error:
        return EpisodeResult.of_task(task, error=f"ValueError: {error}")


def interrupted_episode(task: Task, trajectory: Trajectory) -> EpisodeResult:
    """Return the row of an interrupted attempt, which counts the usage.

    Raises:
        ValueError: If the trajectory has no header.
    """
    if not trajectory.header:
        raise ValueError(f"{trajectory.path} has no header")
    values = EpisodeStats.of(trajectory, task.progress).fields()
    values.update(error="interrupted", unfinished=True)
    return EpisodeResult.of_task(task, **values)


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
