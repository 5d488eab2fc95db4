"""Runs for the tests of the report, written by an evaluation."""

import json

import gymnasium as gym

from aq_gym.evaluation import EpisodeResult, Suite, Task, run
from aq_gym.report.record import mark_repeats

MASTERMIND = "aq/Mastermind-v0"
SUDOKU = "aq/Sudoku-v0"
BABYAI = "aq/BabyAI-text-v0"


def play(folder, agent="random", ids=(MASTERMIND, BABYAI), episodes=3, max_steps=12):
    """Play a small run into a folder."""
    tasks = tuple(
        Task(id_, seed, max_steps=max_steps) for id_ in ids for seed in range(episodes)
    )
    run(Suite("small", tasks), folder, agent)
    return folder


def rewrite(folder, change):
    """Change every record of every trajectory of a run."""
    for path in sorted((folder / "trajectories").glob("*.jsonl")):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            change(record)
        path.write_text("".join(json.dumps(record) + "\n" for record in records))


def episode(progress, repeated=None, **more):
    """Return an episode of so much progress after each step."""
    progress = list(progress)
    figures = {
        "task": "t",
        "env": "aq/X-v0",
        "setting": "aq/X-v0",
        "seed": 0,
        "steps": len(progress),
        "progress": progress,
        "progress_rate": max(progress, default=0.0),
        "repeated": list(repeated or [False] * len(progress)),
        "ended": "truncated",
    }
    return EpisodeResult(**{**figures, **more})


def record(actions, **more):
    """Return the record of an episode with these actions."""
    steps = [{"action": a, "observation": "", "progress": 0.0} for a in actions]
    mark_repeats(steps)
    return {"subgoals": [], "held": [], "steps": steps, **more}


class Stubborn:
    """An agent that says the same invalid thing at every step."""

    def __init__(self, env: gym.Env):
        """Ignore the environment."""

    def reset(self, observation, info):
        pass

    def act(self, observation, info):
        return "<b onclick=alert(1)>open the pod bay doors</b>"
