"""A curriculum: which task an agent plays next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation import Task
from aq_gym.selection import parse_env

_SEEDS = 2**31
# The sensitivity in AdaRFT's rule.
_SLOPE = 2.0


class TaskSampler:
    """Draws tasks from several settings, such as the sizes of an environment.

    The settings are drawn uniformly; with ``weights``, in those proportions; or with
    ``target``, from the easiest to the hardest as the agent learns::

        sampler = aq_gym.TaskSampler(
            [f"aq/PDDL-v0?domain=gripper&split=train&size={n}" for n in range(1, 7)],
            target=0.5,
        )
        task = sampler.draw()
        with aq_gym.Episode(task.id, task.kwargs, task.seed) as episode:
            ...
        sampler.update(task, episode.metrics["success"])

    The adaptive rule is AdaRFT's (Shi et al. 2025, "Efficient Reinforcement Finetuning
    via Adaptive Curriculum Learning", arXiv:2504.05520): after every ``window`` scores
    with the mean m, the level moves by ``rate * tanh(2 * (m - target))``. A level
    between two settings draws the nearer one more often. While the agent fails, it gets
    easier settings, and while it succeeds, harder ones, so that the mean stays near the
    target, where the rewards of a group differ most.

    A sampler can be pickled, and :meth:`state_dict` is JSON. The draws are determined
    by ``seed`` and the scores.

    Args:
        settings: Environments with arguments, ``ID?key=value``; the easiest first for
            ``target``.
        weights: The proportions of the settings.
        target: The mean score, above 0 and below 1, that the adaptive rule keeps.
        rate: The largest move of the level at once, in settings.
        window: The number of scores after which the level moves.
        max_steps: The step cap of every task; None for the id's own.
        seed: The seed of the draws.

    Attributes:
        level: The position of the adaptive rule among the settings, from 0.0.
        draws: The number of tasks drawn from each setting.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If there are no settings, two are equal or one does not exist, two
            rules are given, or an argument is out of its range.
    """

    def __init__(
        self,
        settings: Sequence[str],
        *,
        weights: Sequence[float] | None = None,
        target: float | None = None,
        rate: float = 0.5,
        window: int = 16,
        max_steps: int | None = None,
        seed: int = 0,
    ) -> None:
        check_arguments(TaskSampler.__init__, locals())
        _check(settings, weights, target, rate, window)
        chosen = map(parse_env, settings)
        self._tasks = [Task(env_id, 0, kwargs, max_steps) for env_id, kwargs in chosen]
        self._places = {task.setting: n for n, task in enumerate(self._tasks)}
        if len(self._places) < len(settings):
            raise ValueError(f"settings={list(settings)!r:.400} has a duplicate")
        shares = np.array(weights or [1.0] * len(settings), dtype=float)
        self._shares: list[float] = (shares / shares.sum()).tolist()
        self._target, self._rate, self._window = target, rate, window
        self._random = np.random.default_rng(seed)
        self._scores: list[float] = []
        self.level = 0.0
        self.draws = [0] * len(settings)

    @property
    def probabilities(self) -> list[float]:
        """The probability of each setting in the next draw."""
        if self._target is not None:
            near = [1 - abs(self.level - n) for n in range(len(self._tasks))]
            return [max(0.0, share) for share in near]
        return list(self._shares)

    def draw(self) -> Task:
        """Draw a task: the setting by the sampler's rule, the seed uniformly."""
        place = int(self._random.choice(len(self._tasks), p=self.probabilities))
        self.draws[place] += 1
        task = self._tasks[place]
        seed = int(self._random.integers(_SEEDS))
        return Task(task.id, seed, task.kwargs, task.max_steps)

    def update(self, task: Task, score: float) -> None:
        """Record an episode's score; only the adaptive rule learns from it.

        Args:
            task: The task, as it was drawn.
            score: Its success or return, from 0.0 to 1.0.

        Raises:
            ValueError: If the task belongs to none of the settings, or the score is out
                of its range.
        """
        if task.setting not in self._places:
            raise ValueError(f"task={task.setting!r:.200} is not one of the settings")
        if not 0 <= score <= 1:
            raise ValueError(f"score={score!r} must be from 0 to 1")
        if self._target is None:
            return
        self._scores.append(float(score))
        if len(self._scores) >= self._window:
            mean = fmean(self._scores)
            self._scores.clear()
            moved = self.level + self._rate * math.tanh(_SLOPE * (mean - self._target))
            self.level = min(max(moved, 0.0), len(self._tasks) - 1.0)

    def state_dict(self) -> dict[str, Any]:
        """Return what a sampler with the same arguments needs to continue, as JSON."""
        return {
            "level": self.level,
            "draws": list(self.draws),
            "scores": list(self._scores),
            "random": dict(self._random.bit_generator.state),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where another sampler of the same settings stopped.

        Args:
            state: The result of its :meth:`state_dict`.

        Raises:
            ValueError: If it has another number of settings.
        """
        if len(state["draws"]) != len(self._tasks):
            raise ValueError(
                f"state has {len(state['draws'])} settings, the sampler "
                f"{len(self._tasks)}"
            )
        self._random.bit_generator.state = state["random"]
        self.level, self.draws = float(state["level"]), list(state["draws"])
        self._scores = list(state["scores"])


def _check(
    settings: Sequence[str],
    weights: Sequence[float] | None,
    target: float | None,
    rate: float,
    window: int,
) -> None:
    if not settings:
        raise ValueError("settings is empty: give at least one")
    if weights is not None and target is not None:
        raise ValueError("weights and target: give one of them")
    fits = weights is None or (
        len(weights) == len(settings)
        and min(weights) >= 0
        and 0 < sum(weights) < math.inf
    )
    if not fits:
        raise ValueError(
            f"weights={weights!r:.200}: give {len(settings)} numbers of at least 0, "
            "not all 0"
        )
    if target is not None and not 0 < target < 1:
        raise ValueError(f"target={target} must be above 0 and below 1")
    if rate <= 0 or window < 1:
        raise ValueError(f"rate={rate}, window={window}: give numbers above 0")
