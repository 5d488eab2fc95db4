"""Which reward does a learner without a language model need, and is imitation better?

    python benchmarks/validity/rl_methods.py --output runs.jsonl

The first table is of Q-learning on one fixed problem per seed, the second of the
network of ``examples/rl.py`` on new problems, with equal numbers of steps and updates.
A run that is in the output already is not repeated, so an interrupted benchmark
continues. A reward is the rise of the best progress (what the environments pay),
success alone, or success and the change of a potential (``PotentialReward``); of the
steps to go, it is their share of the first state's that was gained. "dagger" is told
the expert's action in each state that it visits.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
import torch

import aq_gym
from aq_gym.evaluation.intervals import mean_interval
from aq_gym.wrappers import StepsToGo, SuccessReward

sys.path.append(str(Path(__file__).parents[2] / "examples"))
from text_graph_agent import training
from text_graph_agent.episodes import DISCOUNT
from text_graph_agent.rewards import PotentialReward
from text_graph_agent.training import TASKS, Run, Task

Env: TypeAlias = gym.Env[str, str]
FIXED: dict[str, tuple[str, dict[str, Any]]] = {
    "blocksworld": ("aq/PDDL-v0", {"domain": "blocksworld", "size": 4}),
    "gripper": ("aq/PDDL-v0", {"domain": "gripper", "size": 3}),
    "OpenTwoDoors": ("aq/BabyAI-text-v0", {"level": "OpenTwoDoors"}),
}
EPISODES, EVERY, CAP, EXPLORING, RATE = 200, 10, 40, 0.2, 0.5
TASKS["blocksworld"] = Task(*FIXED["blocksworld"], 50, 2)
UPDATES = {"pickup": 12, "blocksworld": 24}
training.POINTS = 4
DESCENTS = 8  # of an update of the policy gradient
LEARNED = (
    *("success", "progress", "potential", "potential / 10", "steps to go"),
    *("dagger", "clone"),
)
TABULAR = (
    *("success", "progress", "progress, best in the state", "potential"),
    *("success, whole returns", "progress, whole returns"),
    *("potential - 1", "potential, undiscounted", "steps to go", "dagger"),
)

POTENTIALS: dict[str, tuple[float, Callable[[Any], float]]] = {
    "potential": (DISCOUNT, lambda info: info["progress"]),
    "potential / 10": (DISCOUNT, lambda info: info["progress"] / 10),
    "potential - 1": (DISCOUNT, lambda info: info["progress"] - 1),
    "potential, undiscounted": (1.0, lambda info: info["progress"]),
}


class Gained:
    """The share of the first state's steps to go that was gained; -1 at the least."""

    def __call__(self, info: dict[str, Any]) -> float:
        """Return the share in a state."""
        steps = info["steps_to_go"]
        if "task_id" in info:
            self.first = max(steps, 1)
        return max(1 - steps / self.first, -1.0) if steps >= 0 else -1.0


def rewarded(env: Env, kind: str, cut_off_ends: bool) -> Env:
    """Return an environment with one of the rewards."""
    if kind.startswith("success"):
        return SuccessReward(env)
    if kind == "steps to go":
        return PotentialReward(StepsToGo(env, 60), 1.0, Gained(), cut_off_ends)
    if kind in POTENTIALS:
        return PotentialReward(env, *POTENTIALS[kind], cut_off_ends)
    return env


class Rewarded(Run):
    """A run with one of the rewards."""

    def rewarded(self, env: Env) -> Env:
        """Return an environment with the reward of this run."""
        return rewarded(env, self.reward, cut_off_ends=True)


class Table:
    """Q-learning on one problem, of which nothing is known at first."""

    def __init__(self, problem: str, kind: str, seed: int) -> None:
        self.kind, self.seed = kind, seed
        env_id, arguments = FIXED[problem]
        env: Any = gym.make(env_id, max_episode_steps=CAP, **arguments)
        self.env = rewarded(env, kind, cut_off_ends=False)
        self.game = env.unwrapped
        self.rng = np.random.default_rng(seed)
        self.values: dict[Hashable, Any] = defaultdict(
            lambda: np.zeros(len(self.game.admissible_actions()))
        )

    def state(self) -> Hashable:
        """Return the state, with the best progress only if the kind says so."""
        state: Any = self.game.get_state()
        whole: Hashable = state
        return whole if self.kind.endswith("in the state") else state.world

    def episode(self, exploring: float, learning: bool) -> tuple[float, float]:
        """Return the success, and the share of steps into a state visited before."""
        self.env.reset(seed=self.seed)
        visited, again, over = [self.state()], 0, False
        played: list[tuple[Any, int, float]] = []
        while not over:
            actions = self.game.admissible_actions()
            values = self.values[visited[-1]]
            best = self.rng.choice(np.flatnonzero(values == values.max()))
            explores = self.rng.random() < exploring
            number = int(self.rng.integers(len(actions)) if explores else best)
            expert = self.game.expert_action() if self.kind == "dagger" else ""
            _, reward, ended, cut, info = self.env.step(actions[number])
            state, over = self.state(), ended or cut
            if learning and self.kind == "dagger":
                values[actions.index(expert)] = 1.0
            elif learning and self.kind.endswith("returns"):
                played.append((values, number, float(reward)))
            elif learning:
                ahead = 0.0 if ended else DISCOUNT * self.values[state].max()
                values[number] += RATE * (float(reward) + ahead - values[number])
            again += state in visited
            visited.append(state)
        following = 0.0
        for values, number, reward in reversed(played):
            following = reward + DISCOUNT * following
            values[number] += RATE * (following - values[number])
        return float(info["success"]), again / (len(visited) - 1)

    def learn(self) -> dict[str, Any]:
        """Return the curve of success, and the mean of repeated states."""
        points = []
        for number in range(1, EPISODES + 1):
            self.episode(EXPLORING, learning=True)
            if number % EVERY == 0:
                points.append([self.episode(0.02, learning=False) for _ in range(10)])
        success, again = np.mean(points, axis=1).T
        self.env.close()
        return {"curve": success.tolist(), "again": float(again.mean())}


def network(task: str, kind: str, seed: int) -> dict[str, Any]:
    """Return the curve of success on new problems, and the last progress."""
    updates = UPDATES[task]
    if kind in ("dagger", "clone"):
        count = updates if kind == "dagger" else DESCENTS * updates
        run: Run = Run(task, kind, seed=seed, updates=count, episodes=60)
    else:
        run = Rewarded(task, "pg", kind, seed, updates=updates, episodes=60)
    curve = training.train(run)["curve"]
    return {"curve": [p["success"] for p in curve], "progress": curve[-1]["progress"]}


def missing(known: set[tuple[Any, ...]], given: Any) -> Iterator[Any]:
    """Yield the runs that are not in the output: part, task, reward and seed."""
    parts = (
        ("fixed", FIXED, TABULAR, given.fixed),
        ("new", UPDATES, LEARNED, given.seeds),
    )
    for part, tasks, kinds, count in parts:
        for seed, task, kind in product(range(count), tasks, kinds):
            run = (part, task, kind, seed)
            wanted = task in (given.tasks or tasks) and kind in (given.rewards or kinds)
            if wanted and run not in known:
                yield run


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown: means, and their 95% intervals."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["part"], row["task"], row["reward"]].append(row)
    yield "| problems | task | reward | seeds | mean of the curve | end | other |"
    yield "|---|---|---|---|---|---|---|"
    for key, of in groups.items():
        cells = []
        for measure in (np.mean, lambda curve: curve[-1]):
            mean, low, high = mean_interval(
                [float(measure(row["curve"])) for row in of]
            )
            cells.append(f"{mean:.2f} ({low or 0:.2f} to {high or 1:.2f})")
        other = np.mean([row.get("again", row.get("progress")) for row in of])
        yield f"| {' | '.join(key)} | {len(of)} | {' | '.join(cells)} | {other:.2f} |"


def main() -> None:
    """Run what is missing, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="rows of runs")
    parser.add_argument("--seeds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--fixed", type=int, default=8, help="seeds of Q-learning")
    parser.add_argument("--rewards", nargs="*", help="some of them")
    parser.add_argument("--tasks", nargs="*", help="some of them")
    given = parser.parse_args()
    torch.set_num_threads(1)
    given.output.touch()
    rows = [json.loads(line) for line in given.output.read_text("utf-8").splitlines()]
    known = {(row["part"], row["task"], row["reward"], row["seed"]) for row in rows}
    for part, task, kind, seed in missing(known, given):
        fixed = part == "fixed"
        found = Table(task, kind, seed).learn() if fixed else network(task, kind, seed)
        row = {"part": part, "task": task, "reward": kind, "seed": seed, **found}
        rows.append({**row, "version": aq_gym.__version__})
        with given.output.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows[-1]) + "\n")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
