"""Do the 95% intervals cover the mean, and how often do comparisons err?

Samples of clusters with a known mean are drawn many times. A cluster has a mean of its
own, around which its values vary: with a dependence of 0 values are independent, with 1
all values of a cluster are equal. "steps of a quarter" are scores such as progress. A
row has a number of clusters and a size of clusters; its coverage is that of the worst
of the means .005 to .995, its width that of the mean .5. Two runs of equal mean are
compared, too: an interval of their differences that excludes 0, which is a p-value
below .05, is an error of type I. A second table has values without an upper bound, such
as steps and tokens, which have an interval from 10 clusters on. A third shows how often
a comparison finds a real difference of success rates.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import exp, inf
from typing import TypeAlias

import numpy as np

from aq_gym.evaluation.intervals import mean_band, mean_interval, mean_p_value

COUNTS = (5, 10, 20, 100)
SIZES = tuple(range(1, 11))
MEANS = (0.005, 0.025, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 0.995)
DEPENDENCE = (0.0, 0.3, 1.0)
COVERAGE, TYPE_I = 0.93, 0.06
# Distributions of values of 0 or more: a function that draws samples, and the mean.
UNBOUNDED: dict[str, tuple[Callable[..., np.ndarray], float]] = {
    "normal, sd a tenth": (lambda rng, shape: rng.normal(1, 0.1, shape), 1.0),
    "exponential": (lambda rng, shape: rng.exponential(1, shape), 1.0),
    "log-normal, sd .5": (lambda rng, shape: rng.lognormal(0, 0.5, shape), exp(1 / 8)),
    "log-normal, sd 1": (lambda rng, shape: rng.lognormal(0, 1, shape), exp(1 / 2)),
    "a fifth at the cap": (
        lambda rng, shape: np.where(rng.random(shape) < 0.2, 60.0, 5.0),
        16.0,
    ),
}
COVERAGE_UNBOUNDED = 0.9

# Draws from means of clusters, one value for each.
Draw: TypeAlias = Callable[[np.random.Generator, np.ndarray], np.ndarray]


def binary(rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
    """Return values 0 and 1."""
    return (rng.random(means.shape) < means).astype(float)


def quarters(rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
    """Return steps of a quarter, as of a progress with four subgoals."""
    return rng.binomial(4, means) / 4


def skewed(rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
    """Return mostly small values and seldom a 1, with standard deviations up to .5."""
    low = means / 2
    return np.where(rng.random(means.shape) < low / (1 - low), 1.0, low)


DRAWS: dict[str, Draw] = {
    "0 and 1": binary,
    "steps of a quarter": quarters,
    "skewed": skewed,
}


def cluster_means(
    rng: np.random.Generator, mean: float, dependence: float, shape: tuple[int, int]
) -> np.ndarray:
    """Return the means of clusters, which are beta distributed."""
    if not dependence:
        return np.full(shape, mean)
    if dependence == 1:
        return binary(rng, np.full(shape, mean))
    scale = (1 - dependence) / dependence
    return rng.beta(mean * scale, (1 - mean) * scale, shape)


def measure(
    draw: Draw, count: int, size: int, repeats: int
) -> tuple[float, str, float, float]:
    """Return the worst results of samples with some number of clusters.

    Returns:
        How often the interval had the mean; the mean and dependence where that was
        worst; the mean width of the interval where the mean is .5, over dependences;
        how often a difference of mean 0 had a p-value below .05.
    """
    rng = np.random.default_rng([count, size])
    codes = np.repeat(np.arange(count), size)
    if size > 1:
        # A few episodes ended with an error, so that the clusters differ in size.
        codes = np.delete(codes, [0, size])
    worst, type_i, widths = (2.0, ""), 0.0, []
    shape = int(codes.max()) + 1, repeats
    for mean in MEANS:
        for dependence in DEPENDENCE if size > 1 else (0.0,):
            values, others = (
                draw(rng, cluster_means(rng, mean, dependence, shape)[codes])
                for _ in range(2)
            )
            truth = mean
            if draw is skewed:
                # The other run always has the mean: the differences are not symmetric.
                truth = skewed_mean(mean, dependence)
                others = np.full_like(values, truth)
            low, high = mean_band(values, codes) or (values, values)
            covered = float(((low <= truth) & (truth <= high)).mean())
            worst = min(worst, (covered, f"{mean} ({dependence:g})"))
            if mean == 0.5:
                widths.append(float((high - low).mean()))
            low, high = mean_band(values - others, codes, (-1.0, 1.0)) or (low, high)
            type_i = max(type_i, float(((low > 0) | (high < 0)).mean()))
    return *worst, sum(widths) / len(widths), type_i


@lru_cache
def skewed_mean(mean: float, dependence: float) -> float:
    """Return the mean of :func:`skewed`, whose clusters' means it changes."""
    nodes = np.random.default_rng(0)
    means = cluster_means(nodes, mean, dependence, (1, 1_000_000 if dependence else 1))
    low = means / 2
    rare = low / (1 - low)
    return float((rare + (1 - rare) * low).mean())


def rows(repeats: int) -> Iterator[str]:
    """Yield the rows of the table."""
    yield "| scores | clusters | size | coverage | at mean | width at .5 | type I |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    lowest, highest = 1.0, 0.0
    for name, count, size in product(DRAWS, COUNTS, SIZES):
        coverage, at, width, type_i = measure(DRAWS[name], count, size, repeats)
        lowest, highest = min(lowest, coverage), max(highest, type_i)
        cells = f"{coverage:.3f} | {at} | {width:.2f} | {type_i:.3f}"
        yield f"| {name} | {count} | {size} | {cells} |"
    yield verdict(f"coverage at least {COVERAGE}", lowest >= COVERAGE, lowest)
    yield verdict(f"type I error at most {TYPE_I}", highest <= TYPE_I, highest)
    yield from unbounded_rows(repeats)


def unbounded_rows(repeats: int) -> Iterator[str]:
    """Yield the rows of the table of values without an upper bound."""
    yield "| values | clusters | coverage | no interval | width / mean | type I |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    lowest = 1.0
    for name, (draw, mean) in UNBOUNDED.items():
        for count in (6, 10, 20, 40, 100):
            rng = np.random.default_rng(count)
            values, others = draw(rng, (2, repeats, count))
            found = [mean_interval(row, bounds=(0.0, inf)) for row in values]
            limits = np.array([one[1:] for one in found if one.low is not None])
            if not len(limits):
                yield f"| {name} | {count} | - | 1.00 | - | - |"
                continue
            low, high = limits.T
            covered = float(((low <= mean) & (mean <= high)).mean())
            lowest = min(lowest, covered)
            p_values = [mean_p_value(row, bounds=None) for row in values - others]
            yield (
                f"| {name} | {count} | {covered:.3f} | {1 - len(low) / repeats:.2f} | "
                f"{np.median(high - low) / mean:.2f} | "
                f"{np.less(p_values, 0.05).mean():.3f} |"
            )
    least = f"coverage without an upper bound at least {COVERAGE_UNBOUNDED}"
    yield verdict(least, lowest >= COVERAGE_UNBOUNDED, lowest)
    yield from power_rows(repeats)


def power_rows(repeats: int) -> Iterator[str]:
    """Yield the rows of the table of real differences."""
    yield "| tasks | difference of success rates | p < .05 | p < .005 |"
    yield "| ---: | ---: | ---: | ---: |"
    for count, differences in {30: (0.3, 0.4, 0.5, 0.6), 300: (0.1, 0.15, 0.2)}.items():
        for difference in differences:
            rng = np.random.default_rng(count)
            rates = 0.5 + difference / 2 * np.array([[[1]], [[-1]]])
            after, before = binary(rng, np.broadcast_to(rates, (2, repeats, count)))
            p_values = np.array([mean_p_value(row) for row in after - before])
            found = ((p_values < level).mean() for level in (0.05, 0.005))
            shares = " | ".join(f"{share:.2f}" for share in found)
            yield f"| {count} | {difference} | {shares} |"


def verdict(target: str, met: bool, value: float) -> str:
    """Return whether a target was met, as text."""
    return f"\ntarget: {target}: {'met' if met else 'MISSED'} ({value:.3f})\n"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--repeats", type=int, default=1_500, help="samples of each (%(default)s)"
    )
    options = parser.parse_args()
    for line in rows(options.repeats):
        print(line, flush=True)


if __name__ == "__main__":
    main()
