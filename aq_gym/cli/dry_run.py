"""``aq-gym run --dry-run``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.core.text import plural
from aq_gym.evaluation import Suite, load_run
from aq_gym.evaluation.preflight import RunEstimate, estimate_run

_COLUMNS = ("episodes", "steps", "requests", "read", "written")
_NOTE = (
    "Steps, requests and tokens if every episode reaches its cap; written tokens if "
    "each answer is an action alone."
)


def print_estimate(
    suite: Suite, params: Mapping[str, Any], options: argparse.Namespace
) -> int:
    """Print what a run would take. Nothing is played or written.

    Returns:
        The exit code: 0, or 1 if a setting can't be played here.
    """
    left = _unfinished(suite, Path(options.out))
    estimate = estimate_run(left, options.agent, params)
    _print_table(estimate)
    found = len(suite.tasks) - len(left.tasks)
    lines = [f"{plural(found, 'episode')} in {options.out} are finished"] * bool(found)
    lines += _model_lines(estimate)
    missing = {one.missing: one.setting for one in estimate.settings if one.missing}
    lines += [f"missing for {name}: {why}" for why, name in missing.items()]
    make_console().print("\n".join(lines), markup=False, soft_wrap=True)
    return int(bool(missing))


def _unfinished(suite: Suite, out: Path) -> Suite:
    if not (out / "run.json").is_file():
        return suite
    finished = {one.task for one in load_run(out).episodes if not one.error}
    tasks = tuple(task for task in suite.tasks if task.name not in finished)
    return Suite(suite.name, tasks)


def _print_table(estimate: RunEstimate) -> None:
    requests = estimate.total("requests")
    names = _COLUMNS if requests else _COLUMNS[:2]
    table = plain_table("")
    for name in names:
        table.add_column(name, justify="right")
    benchmarks = dict.fromkeys(one.benchmark for one in estimate.playable())
    for benchmark in (*benchmarks, ""):
        cells = (f"{estimate.total(name, benchmark):,.0f}" for name in names)
        table.add_row(benchmark or "all", *cells)
    make_console().print(table, markup=False)
    uncapped = [one.setting for one in estimate.playable() if one.steps is None]
    if uncapped:
        make_console().print(f"without a cap: {', '.join(uncapped)}", markup=False)


def _model_lines(estimate: RunEstimate) -> list[str]:
    if not estimate.total("requests"):
        return []
    most = estimate.total("written_at_most")
    lines = [_NOTE, f"written at most, with max_tokens in each answer: {most:,.0f}"]
    if any(estimate.price):
        cost = "cost: {:,.2f}, at most {:,.2f}".format(*estimate.cost)
        lines.append(cost)
    return lines
