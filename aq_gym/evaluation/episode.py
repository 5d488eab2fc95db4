"""What one episode came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from aq_gym.evaluation.task import Task
from aq_gym.trajectory import Trajectory

__all__ = ["Episode"]


@dataclass(frozen=True)
class Episode:
    """The figures of one finished episode, as they stand in ``episodes.jsonl``.

    Attributes:
        task: The name of the task, which is its trajectory file's name too.
        env: The environment's id.
        setting: The environment's id and arguments.
        seed: The seed of the reset.
        task_id: The instance that was played.
        difficulty: "easy", "hard" or the benchmark's own grade; "" if it has none.
        steps: How many actions were taken.
        success: Whether the task was solved.
        progress_rate: The final ``best_progress``, 0.0 to 1.0 (AgentBoard's r_T).
        repetition_rate: Repeated actions over all but the first, 0.0 to 1.0
            (AgentQuest's RR_T with T the episode's own length).
        repetitions: How many actions repeated an earlier one.
        grounding: The share of valid actions, 0.0 to 1.0 (AgentBoard); None where the
            environment does not say which are.
        distinct_observations: How many different observations were seen.
        distinct_locations: How many different ``info["location"]`` were reported; 0
            where the environment reports none.
        ended: "terminated" or "truncated", or "error".
        error: What broke, "" if nothing did. An episode with an error counts in no
            score.
        traceback: Where it broke, if an exception was raised.
        progress: The progress after each step (AgentQuest's PR_t).
        repeated: For each step whether its action repeated an earlier one.
        usage: Sums of the numbers that the agent noted: tokens, cost, latency.
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

    @classmethod
    def of_task(cls, task: Task, **figures: Any) -> Episode:
        """Make a task's episode from its figures."""
        figures["difficulty"] = task.difficulty or figures.get("difficulty", "")
        return cls(task.name, task.id, task.setting, task.seed, **figures)

    @classmethod
    def from_trajectory(cls, task: Task, trajectory: Trajectory) -> Episode:
        """Read an episode's figures off its complete trajectory.

        Args:
            task: What was played.
            trajectory: A complete trajectory with at least one step.

        Raises:
            ValueError: If the trajectory is not complete.
        """
        if trajectory.end is None or not trajectory.steps:
            raise ValueError(f"{trajectory.path} is not complete")
        start, steps = trajectory.header, trajectory.steps
        infos = [step["info"] for step in steps]
        last = infos[-1]
        valid = [info["action_valid"] for info in infos if "action_valid" in info]
        seen = {repr(record["observation"]) for record in [start, *steps]}
        places = {str(info["location"]) for info in infos if "location" in info}
        return cls.of_task(
            task,
            task_id=start["info"].get("task_id", ""),
            difficulty=start["info"].get("difficulty", ""),
            steps=len(infos),
            success=last["success"],
            progress_rate=last["best_progress"],
            repetition_rate=last["repetition_rate"],
            repetitions=last["repetitions"],
            grounding=sum(valid) / len(valid) if valid else None,
            distinct_observations=len(seen),
            distinct_locations=len(places),
            ended=trajectory.end["reason"],
            error=next((info["error"] for info in infos if info.get("error")), ""),
            progress=[info["progress"] for info in infos],
            repeated=[info["action_repeated"] for info in infos],
            usage=_sums([step.get("notes", {}) for step in steps]),
        )

    def to_record(self) -> dict[str, Any]:
        """Return the episode as a JSON object."""
        return asdict(self)


def _sums(notes: Sequence[dict[str, Any]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for note in notes:
        for key, value in note.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                sums[key] = sums.get(key, 0) + value
    return sums
