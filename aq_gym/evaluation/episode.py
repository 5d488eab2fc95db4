"""What one episode came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from aq_gym.trajectory import Trajectory

__all__ = ["Episode"]


@dataclass(frozen=True)
class Episode:
    """The figures of one finished episode, as they stand in ``episodes.jsonl``.

    Attributes:
        task: The name of the task, which is its trajectory file's name too.
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
        grounding: The share of valid actions, 0.0 to 1.0 (AgentBoard).
        ended: "terminated" or "truncated".
        error: Why the engine broke, "" if it did not. An episode with an error counts
            in no score.
    """

    task: str
    setting: str
    seed: int
    task_id: str
    difficulty: str
    steps: int
    success: bool
    progress_rate: float
    repetition_rate: float
    repetitions: int
    grounding: float
    ended: str
    error: str

    @classmethod
    def from_trajectory(cls, setting: str, trajectory: Trajectory) -> Episode:
        """Read an episode's figures off its complete trajectory.

        Args:
            setting: The environment's id and arguments.
            trajectory: A complete trajectory with at least one step.

        Raises:
            ValueError: If the environment does not report progress.
        """
        assert trajectory.end is not None
        start = trajectory.header["info"]
        infos = [step["info"] for step in trajectory.steps]
        last = infos[-1]
        if "best_progress" not in last:
            raise ValueError(
                f"{setting} reports no best_progress in info: wrap it with "
                "aq_gym.wrappers.SubgoalProgress, or register it so wrapped"
            )
        valid = [info.get("action_valid", True) for info in infos]
        return cls(
            task=trajectory.name,
            setting=setting,
            seed=trajectory.header["seed"],
            task_id=start.get("task_id", ""),
            difficulty=start.get("difficulty", ""),
            steps=len(infos),
            success=last["success"],
            progress_rate=last["best_progress"],
            repetition_rate=last["repetition_rate"],
            repetitions=last["repetitions"],
            grounding=sum(valid) / len(valid),
            ended=trajectory.end["reason"],
            error=last.get("error", ""),
        )

    def to_record(self) -> dict[str, Any]:
        """Return the episode as a JSON object."""
        return asdict(self)
