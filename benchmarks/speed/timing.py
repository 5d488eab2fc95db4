"""Time several candidates alternately, so that a disturbance affects all of them.

pyperf, pytest-benchmark and richbench finish one candidate before they begin the next,
and asv interleaves whole processes; on a busy machine a ratio is then as unsteady as
the times. Times are processor time, of user and system: the candidates have one thread
each and wait for nothing, so that on an idle machine it equals the wall clock time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Mapping
from statistics import median
from time import get_clock_info, process_time
from typing import Any, NamedTuple, TypeAlias

import numpy as np

# Runs a candidate once, and returns how many seconds one operation took.
Sample: TypeAlias = Callable[[], float]
Times: TypeAlias = dict[str, list[float]]

_RESOLUTION = get_clock_info("process_time").resolution
UNITS = {"us": 1e6, "ms": 1e3, "s": 1.0}


class Target(NamedTuple):
    """The longest time that a candidate may take.

    Attributes:
        name: The candidate.
        most: The limit in the table's unit, or a ratio if ``times`` is given.
        times: The candidate that ``most`` is a multiple of, "" for none.
    """

    name: str
    most: float
    times: str = ""


def seconds(function: Callable[..., Any], actions: Iterable[Any] = ((),)) -> float:
    """Return the seconds that a function takes for all actions.

    Args:
        function: The function.
        actions: Its arguments, a tuple for each call; by default one without arguments.
    """
    start = process_time()
    for action in actions:
        function(*action)
    return process_time() - start


def seconds_per_step(env: Any, actions: Collection[tuple[Any]], **reset: Any) -> float:
    """Return the seconds of one of the steps of an episode."""
    env.reset(**reset)
    return seconds(env.step, actions) / len(actions)


def interleave(
    candidates: Mapping[str, Sample], rounds: int, warm_up: bool = True
) -> Times:
    """Sample every candidate in every round, in alternating order.

    Args:
        candidates: The candidates by name.
        rounds: The number of samples of each.
        warm_up: Whether to take another sample first, which does not count.
    """
    times: Times = {name: [] for name in candidates}
    order = list(candidates)
    for _ in range(rounds + warm_up):
        for name in order:
            times[name].append(candidates[name]())
        order.reverse()
    return {name: samples[warm_up:] for name, samples in times.items()}


def ratio(times: Times, name: str, to: str) -> float:
    """Return the median over the rounds of the ratio of two candidates' times."""
    pairs = zip(times[name], times[to], strict=True)
    # The clock can read the same before and after.
    return median(a / max(b, _RESOLUTION) for a, b in pairs)


def show(
    title: str,
    times: Times,
    reference: str,
    unit: str = "us",
    targets: Iterable[Target] = (),
) -> None:
    """Print a row for each candidate, and one for each target.

    Args:
        title: The operation.
        times: The result of ``interleave``.
        reference: The candidate whose ratio is 1.
        unit: "us", "ms" or "s".
        targets: The targets to judge.
    """
    print(f"**{title}** (median of {len(times[reference])})\n")
    print(f"| | median {unit} | p95 {unit} | fastest {unit} | ratio |")
    print("|---|---:|---:|---:|---:|")
    for name, samples in times.items():
        values = median(samples), np.quantile(samples, 0.95), min(samples)
        cells = " | ".join(f"{value * UNITS[unit]:.3g}" for value in values)
        print(f"| {name} | {cells} | {ratio(times, name, reference):.2f} |")
    print()
    for target in targets:
        print(judge(target, times, unit))
    print(flush=True)


def judge(target: Target, times: Times, unit: str) -> str:
    """Return whether a target was met, as an item of a list with the value reached.

    Args:
        target: The target.
        times: The result of ``interleave``, or times computed from it.
        unit: "us", "ms" or "s".
    """
    name, most, other = target
    if other:
        value = ratio(times, name, other)
        limit = f"{most:g} x {other}"
    else:
        value = median(times[name]) * UNITS[unit]
        limit = f"{most:g} {unit}"
    verdict = "met" if value <= most else "MISSED"
    return f"- target: {name} at most {limit}: {verdict} ({value:.3g})"


def rounds_argument(description: str | None, default: int) -> argparse.ArgumentParser:
    """Return a parser with the option ``--rounds``.

    Args:
        description: The description of the script.
        default: The number of rounds that gives steady ratios.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--rounds", type=int, default=default, help="samples of each (%(default)s)"
    )
    return parser
