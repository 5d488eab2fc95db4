"""Several attempts at each task: pass@k, pass^k, the best of k, and their spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, fsum, sqrt
from statistics import fmean
from typing import Any, NamedTuple

from aq_gym.evaluation.episode import EpisodeResult, by_task
from aq_gym.evaluation.intervals import Estimate, mean_interval
from aq_gym.evaluation.metrics import held


class Attempts(NamedTuple):
    """The results of one, two, ... attempts at each task.

    The value for k attempts is the mean over the tasks with at least k attempts without
    an error, with its 95% interval over them. It is unbiased: for each task, it is the
    mean over all choices of k of its attempts.

    Attributes:
        tasks: The number of these tasks.
        pass_any: The share of tasks that at least one of k attempts solves: pass@k
            (Chen et al., "Evaluating Large Language Models Trained on Code", 2021,
            arXiv 2107.03374, equation 1).
        pass_all: The share of tasks that all of k attempts solve: pass^k (Yao et al.,
            "tau-bench", 2024, arXiv 2406.12045).
        best: The highest progress rate of k attempts.
        within: The standard deviation of the progress rate between attempts at a task.
        between: That of the mean progress rate between tasks, without the part that is
            due to ``within``. Both are of the one-way analysis of variance with random
            effects (Searle, Casella and McCulloch, "Variance Components", 1992, 3.6);
            a negative estimate is 0.
    """

    tasks: tuple[int, ...]
    pass_any: tuple[Estimate, ...]
    pass_all: tuple[Estimate, ...]
    best: tuple[Estimate, ...]
    within: float
    between: float

    def to_record(self) -> dict[str, Any]:
        """Return the results as a JSON object."""
        names = ("pass_any", "pass_all", "best")
        estimates = {n: [one._asdict() for one in getattr(self, n)] for n in names}
        return {**self._asdict(), "tasks": [*self.tasks], **estimates}


def attempts_of(episodes: Sequence[EpisodeResult]) -> Attempts | None:
    """Return the results of attempts, None if no task has several.

    Args:
        episodes: Finished episodes; those with an error are left out.
    """
    tasks = list(by_task(episodes).values())
    most = max(map(len, tasks), default=0)
    if most < 2:
        return None
    numbers = range(1, most + 1)
    within, between = _spread([[e.progress_rate for e in own] for own in tasks])
    return Attempts(
        tuple(sum(len(own) >= k for own in tasks) for k in numbers),
        tuple(_estimate(tasks, k, _pass_any) for k in numbers),
        tuple(_estimate(tasks, k, _pass_all) for k in numbers),
        tuple(_estimate(tasks, k, _best) for k in numbers),
        within,
        between,
    )


_Of = Callable[[Sequence[EpisodeResult], int], float]


def _estimate(tasks: Sequence[Sequence[EpisodeResult]], k: int, of: _Of) -> Estimate:
    known = [own for own in tasks if len(own) >= k]
    values = [of(own, k) for own in known]
    units = [own[0].unit for own in known]
    return mean_interval(values, units, held((0.0, 1.0), values))


def _pass_any(attempts: Sequence[EpisodeResult], k: int) -> float:
    failed = sum(not one.success for one in attempts)
    return 1.0 - comb(failed, k) / comb(len(attempts), k)


def _pass_all(attempts: Sequence[EpisodeResult], k: int) -> float:
    return comb(sum(one.success for one in attempts), k) / comb(len(attempts), k)


def _best(attempts: Sequence[EpisodeResult], k: int) -> float:
    ordered = sorted(one.progress_rate for one in attempts)
    # The share of choices of k attempts in which the one in a place is the best.
    total, share = 0.0, k / len(ordered)
    for place in range(len(ordered) - 1, k - 2, -1):
        total += share * ordered[place]
        share *= (place - k + 1) / max(place, 1)
    return total


def _spread(tasks: Sequence[Sequence[float]]) -> tuple[float, float]:
    values = [value for own in tasks for value in own]
    mean, means = fmean(values), [fmean(own) for own in tasks]
    inside = fsum(
        (value - own_mean) ** 2
        for own, own_mean in zip(tasks, means, strict=True)
        for value in own
    ) / (len(values) - len(tasks))
    if len(tasks) < 2:
        return sqrt(inside), 0.0
    groups = zip(tasks, means, strict=True)
    among = fsum(len(own) * (own_mean - mean) ** 2 for own, own_mean in groups)
    among /= len(tasks) - 1
    size = len(values) - sum(len(own) ** 2 for own in tasks) / len(values)
    size /= len(tasks) - 1
    return sqrt(inside), sqrt(max(0.0, (among - inside) / size))
