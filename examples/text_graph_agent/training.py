"""Train on one task with one method, evaluating on held-out instances meanwhile."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import torch

from aq_gym.selection import parse_env
from aq_gym.wrappers import SuccessReward
from text_graph_agent.budget import Budget
from text_graph_agent.episodes import DISCOUNT, Player, demonstrations, evaluate
from text_graph_agent.learning import Corrected, Learner, PolicyGradient, clone
from text_graph_agent.network import Scorer
from text_graph_agent.rewards import PotentialReward

METHODS = ("random", "clone", "dagger", "pg", "clone+pg")
REWARDS = ("progress", "sparse", "potential")
NOISE = 0.2
PLAYERS, STEPS = 32, 16
CLONING_RATE, RATE, RATE_AFTER_CLONING = 2e-3, 1e-3, 5e-4
POINTS = 8  # evaluations on the way
TEST_SEED = 10_000


@dataclass(frozen=True)
class Task:
    """A task: its instances, the step cap, and the steps that are remembered."""

    env_id: str
    arguments: dict[str, Any]
    max_steps: int
    memory: int


TASKS = {
    "pickup": Task("aq/BabyAI-text-PickupLoc-v0", {}, 30, 4),
    "gripper": Task("aq/PDDL-v0", {"domain": "gripper", "difficulty": "easy"}, 50, 2),
    "blocksworld": Task(
        "aq/PDDL-v0", {"domain": "blocksworld", "difficulty": "easy"}, 50, 2
    ),
    "household": Task("aq/ALFWorld-v0", {"task_type": "pick_and_place_simple"}, 50, 50),
}


def task_of(name: str) -> Task:
    """Return a task of ``TASKS``, or that of an environment: ``ID?key=value``."""
    if name in TASKS:
        return TASKS[name]
    env_id, arguments = parse_env(name)
    cap = gym.spec(env_id).max_episode_steps or 50
    return Task(env_id, arguments, min(cap, 50), 10)


@dataclass(frozen=True)
class Run:
    """The arguments of a run, those of ``examples/rl.py``."""

    task: str
    method: str = "clone"
    reward: str = "progress"
    seed: int = 0
    minutes: float = 0.2
    demonstrations: int = 4000
    cloning: float = 0.3
    updates: int | None = None
    episodes: int = 100

    def __post_init__(self) -> None:
        """Check the task and the numbers."""
        task_of(self.task)
        for name in ("minutes", "demonstrations", "episodes", "updates"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"{name}={value} must be above 0")
        if self.seed < 0:
            raise ValueError(f"seed={self.seed} must be at least 0")
        if not 0 <= self.cloning <= 1:
            raise ValueError(f"cloning={self.cloning} must be from 0 to 1")

    def player(self, split: str) -> Player:
        """Return a player of new episodes of a split."""
        task, fixed = task_of(self.task), {"split": split, "list_actions": True}
        env: gym.Env[str, str] = gym.make(
            task.env_id,
            max_episode_steps=task.max_steps,
            **{"instructions": False, **task.arguments, **fixed},
        )
        return Player(self.rewarded(env) if split == "train" else env, task.memory)

    def rewarded(self, env: gym.Env[str, str]) -> gym.Env[str, str]:
        """Return an environment with the reward of this run."""
        if self.reward == "sparse":
            return SuccessReward(env)
        return PotentialReward(env, DISCOUNT) if self.reward == "potential" else env


def train(run: Run) -> dict[str, Any]:
    """Train and evaluate; return the run's arguments and its learning curve."""
    torch.manual_seed(run.seed)
    test = [run.player("test") for _ in range(run.episodes)]
    scorer = Scorer() if run.method != "random" else None
    budget = Budget(60 * run.minutes, run.updates)
    curve: list[dict[str, float]] = []
    steps = 0

    def measure(episodes: int) -> None:
        with budget.paused():
            success, progress = evaluate(scorer, test[:episodes], TEST_SEED)
        point = {"seconds": round(budget.used, 1), "steps": steps, "episodes": episodes}
        curve.append({**point, "success": success, "progress": progress})
        print(curve[-1], file=sys.stderr, flush=True)

    some = (run.episodes + 1) // 2
    measure(some)
    for played in learn(run, scorer, budget) if scorer else ():
        steps += played
        budget.done += 1
        if len(curve) / POINTS <= budget.share < 1:
            measure(some)
    measure(run.episodes)
    return {**asdict(run), "curve": curve}


def learn(run: Run, scorer: Scorer, budget: Budget) -> Iterator[int]:
    """Update the scorer until the budget is used; yield the steps played each time."""
    end = {"clone": 1.0, "clone+pg": run.cloning}.get(run.method, 0.0)
    rng = np.random.default_rng(run.seed)
    if end:
        player, late = run.player("train"), lambda: budget.share > end / 2
        shown = demonstrations(player, run.demonstrations, NOISE, rng, late)
        cloning = Learner(scorer, CLONING_RATE, budget, end=end)
        while budget.share < end:
            clone(cloning, shown, rng)
            yield 0
    if end < 1:
        players = [run.player("train") for _ in range(PLAYERS)]
        method: PolicyGradient
        if run.method == "dagger":
            learner = Learner(scorer, CLONING_RATE, budget)
            method = Corrected(learner, players, STEPS, rng)
        else:
            rate = RATE_AFTER_CLONING if end else RATE
            learner = Learner(scorer, rate, budget, end)
            method = PolicyGradient(learner, players, STEPS)
        while budget.share < 1:
            yield method.update()
