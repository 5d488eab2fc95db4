"""Two runs on the same tasks, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval

__all__ = ["COMPARED", "Comparison", "compare", "paired_permutation_test"]

_PERMUTATIONS = 10_000

COMPARED: Mapping[str, Callable[[Episode], float | None]] = {
    "success rate": lambda e: float(e.success),
    "progress rate": lambda e: e.progress_rate,
    "repetition rate": lambda e: e.repetition_rate,
    "grounding accuracy": lambda e: e.grounding,
    "steps": lambda e: float(e.steps),
}


class Comparison(NamedTuple):
    """The mean of the second run less that of the first.

    Attributes:
        difference: With its 95% percentile bootstrap interval over tasks.
        p_value: Of the two-sided paired permutation test.
        pairs: How many tasks have the figure, and no error, in both runs.
    """

    difference: Estimate
    p_value: float
    pairs: int


def compare(
    first: Sequence[Episode], second: Sequence[Episode]
) -> dict[str, Comparison]:
    """Compare two runs task by task.

    Args:
        first: The episodes of one run.
        second: Those of the other.

    Returns:
        A comparison by metric, of those that have figures in both runs.

    Raises:
        ValueError: If no task was finished by both without an error.
    """
    others = {e.task: e for e in second if not e.error}
    pairs = [(e, others[e.task]) for e in first if e.task in others and not e.error]
    if not pairs:
        raise ValueError("the two runs have no task in common")
    compared = {}
    for name, figure in COMPARED.items():
        figures = [(figure(before), figure(after)) for before, after in pairs]
        # A figure that an environment does not give is no zero.
        known = [(a, b) for a, b in figures if a is not None and b is not None]
        if known:
            differences = [b - a for a, b in known]
            p_value = paired_permutation_test(differences)
            compared[name] = Comparison(mean_interval(differences), p_value, len(known))
    return compared


def paired_permutation_test(differences: Sequence[float], seed: int = 0) -> float:
    """Return the two-sided p-value of paired differences having mean zero.

    Under the null hypothesis each difference is as likely to have the other sign (Good,
    "Permutation, Parametric, and Bootstrap Tests of Hypotheses", 2005). All sign
    patterns are tried where there are at most 10,000, else that many random ones, which
    count the observed one too (Phipson and Smyth, 2010), so the p-value is never 0.

    Args:
        differences: At least one difference.
        seed: Seeds the random patterns.
    """
    data = np.asarray(differences, dtype=float)
    if 2 ** len(data) <= _PERMUTATIONS:
        bits = np.arange(2 ** len(data))[:, None] >> np.arange(len(data)) & 1
        return float(_as_extreme(data, 1.0 - 2.0 * bits).mean())
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], size=(_PERMUTATIONS, len(data)))
    return float((_as_extreme(data, signs).sum() + 1) / (_PERMUTATIONS + 1))


def _as_extreme(data: np.ndarray, signs: np.ndarray) -> np.ndarray:
    # Equal sums must count as equal whatever the order of their rounding.
    observed = abs(data.sum())
    reached: np.ndarray = np.abs(signs @ data) >= observed - 1e-9 * max(1.0, observed)
    return reached
