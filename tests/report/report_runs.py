"""Runs for the tests of the report, written by an evaluation."""

import json

import gymnasium as gym

from aq_gym.evaluation import Suite, Task, run

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


class Stubborn:
    """An agent that says the same invalid thing at every step."""

    def __init__(self, env: gym.Env):
        """Ignore the environment."""

    def reset(self, observation, info):
        pass

    def act(self, observation, info):
        return "<b onclick=alert(1)>open the pod bay doors</b>"
