"""The results of one episode."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from aq_gym.evaluation.task import Task

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
        repetition_rate_raw: The same rate of the actions' texts, where the task asks
            for it, else None: texts of one action, such as ``Guess: 1234`` and ``1 2 3
            4``, count as different.
        grounding: The share of valid actions, 0.0 to 1.0 (AgentBoard), or of valid
            calls where actions can have several; None if the environment does not
            report them.
        distinct_observations: The number of different observations.
        distinct_locations: The number of different ``info["location"]``; 0 if the
            environment does not report it.
        ended: "terminated" or "truncated", or "error".
        error: The error message, "" if there was no error. An episode with an error
            counts in no score; its other values are those of the steps before it.
        traceback: The traceback, if an exception was raised.
        progress: The progress after each step (AgentQuest's PR_t).
        repeated: For each step whether its action repeated an earlier one.
        usage: Sums of the numbers that the agent noted: tokens, cost, latency.
        scores: Values of the metrics that have a tracker, and of those that ``aq-gym
            score`` added, by name.
        cap_reached: "max_invalid" if the episode was truncated after so many
            consecutive invalid actions, else "".
        cap: The step cap, 0 where it is not known.
        unfinished: Whether an error such as a wrong key ended the episode, which would
            end others too. It is played again when the run is continued; this row
            counts only in what the run has used.
        cluster: The suite's name for tasks whose results depend on each other, "" for
            none.
        labels: What the instance belongs to, by kind, as ``{"subject": "anatomy"}``.
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

    @cached_property
    def unit(self) -> str:
        """The cluster of the episode: the suite's, or else the instance played."""
        if self.cluster or not self.task_id:
            return self.cluster or self.task
        return f"{self.env} {self.task_id}"

    @classmethod
    def of_task(cls, task: Task, **values: Any) -> EpisodeResult:
        """Return a task's episode.

        Args:
            task: The task.
            **values: The other attributes.
        """
        values["difficulty"] = task.difficulty or values.get("difficulty", "")
        values.setdefault("cap", task.cap)
        values.setdefault("cluster", task.cluster)
        return cls(task.name, task.id, task.setting, task.seed, **values)

    def to_record(self) -> dict[str, Any]:
        """Return the episode as a JSON object."""
        record = {name: getattr(self, name) for name in _FIELDS}
        for name in ("scores", "cap", "cap_reached", "unfinished", "cluster", "labels"):
            if not record[name]:
                # Rows without such a value stay as they were.
                del record[name]
        if self.repetition_rate_raw is None:
            del record["repetition_rate_raw"]
        return record


_FIELDS = tuple(one.name for one in fields(EpisodeResult))
