"""Tables of results."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from textwrap import fill, indent

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aq_gym.core.text import amount, listing, percent, plural
from aq_gym.evaluation import EpisodeResult, Suite, summarize
from aq_gym.evaluation.attempts import attempts_of
from aq_gym.evaluation.intervals import Estimate
from aq_gym.evaluation.metrics import (
    METRICS,
    Metric,
    decimals,
    format_estimate,
    shown_metrics,
)
from aq_gym.evaluation.summary import (
    by_benchmark,
    by_difficulty,
    by_label,
    by_setting,
    with_source,
)
from aq_gym.trajectory.reader import find

_NOTE = (
    "Means over episodes, with 95% intervals. Repetition rate: of each episode's own "
    "length. Grounding accuracy: the share of valid actions."
)

_MOST_SETTINGS, _MOST_PARTS = 4, 3
# The widths in characters of a bar and of a narrow heading.
_BAR, _HEADING = 10, 10
# The metrics that narrow tables have, too, the most important first.
_FIRST = ("repetition rate", "grounding accuracy", "steps", "final progress")
_FILE, _UNLIMITED = 200, 1_000
_MOST_ERRORS = 20


def print_results(
    console: Console, agent: str, episodes: Sequence[EpisodeResult]
) -> None:
    """Print one table, with a bar for each progress rate.

    It has a row for each benchmark, or for each of up to four settings of it, and below
    it rows for its difficulties and labels. A single setting with at most three
    difficulties and labels has a row for each metric instead. A table of several rows
    that is too wide for the terminal has fewer metrics. Below it are the results in a
    few sentences.
    """
    rows = _groups(episodes)
    console.print()
    left_out: list[str] = []
    if len(by_setting(episodes)) == 1 and len(rows) <= 1 + _MOST_PARTS:
        name = with_source(rows[0][0], rows[0][1])
        console.print(f"[bold]{escape(name)}[/]")
        console.print(_column([(agent, episodes), *rows[1:]]))
    else:
        if not console.is_terminal and not os.environ.get("COLUMNS"):
            # A file has no limited width.
            console.width = max(console.width, _FILE)
        table, left_out = _fitting(rows, episodes, console)
        console.print(table)
    console.print(f"\n{verdict(agent, episodes)}\n\n{_NOTE}", markup=False)
    if left_out:
        names = ", ".join(left_out)
        console.print(f"In summary.json, and in a wide terminal: {names}.")


def verdict(agent: str, episodes: Sequence[EpisodeResult]) -> str:
    """Return the results of an agent in a few sentences."""
    scored = [episode for episode in episodes if not episode.error]
    known = summarize(scored)
    if not scored:
        return f"No episode of {agent} was scored."
    solved = sum(episode.success for episode in scored)
    progress = point(METRICS["progress rate"], known["progress rate"])
    told = f"{agent} solved {solved} of {plural(len(scored), 'episode')}"
    groups: dict[str, list[str]] = {}
    for name, own in by_benchmark(scored).items():
        mean = fmean(one.progress_rate for one in own)
        groups.setdefault(decimals(mean, 2), []).append(name)
    ends = [
        f"{mean} in {own[0] if not own[1:] else plural(len(own), 'environment')}"
        for mean, own in sorted(groups.items(), key=lambda one: float(one[0]))
    ]
    told += f", with a mean progress of {progress}"
    told += f", from {ends[0]} to {ends[-1]}" if ends[1:] else ""
    habits = []
    if repetition := known.get("repetition rate"):
        habits.append(
            f"Per episode {percent(repetition.value)} of its actions are repeats"
        )
    if grounding := known.get("grounding accuracy"):
        invalid = percent(1 - grounding.value)
        habits.append(
            "all are valid" if grounding.value == 1 else f"{invalid} are invalid"
        )
    if capped := [e for e in scored if not e.success and 0 < e.cap <= e.steps]:
        habits.append(f"{plural(len(capped), 'episode')} ended at the step cap")
    return f"{told}. {listing(habits)}." if habits else f"{told}."


def print_attempts(console: Console, episodes: Sequence[EpisodeResult]) -> None:
    """Print what k attempts at each task reach, if there are several."""
    found = attempts_of(episodes)
    if found is None:
        return
    table = plain_table("k", "pass@k", "pass^k", "best progress of k", "tasks")
    rows = zip(found.pass_any, found.pass_all, found.best, found.tasks, strict=True)
    for k, (*estimates, tasks) in enumerate(rows, 1):
        cells = (format_estimate("progress rate", one) for one in estimates)
        table.add_row(str(k), *map(escape, cells), str(tasks))
    console.print()
    console.print(table)
    console.print(
        f"\nOf k attempts at a task, pass@k: one solves it; pass^k: all do. Progress "
        f"varies by {found.within:.2f} between attempts at a task and by "
        f"{found.between:.2f} between tasks (standard deviations).",
        markup=False,
    )


def print_errors(
    console: Console, episodes: Sequence[EpisodeResult], run: Path
) -> None:
    """Print the episodes that ended with an error, and their files."""
    failed = [episode for episode in episodes if episode.error]
    if not failed:
        return
    lines = [f"\n{len(failed)} of {len(episodes)} episodes had an error; not scored:"]
    for episode in failed[:_MOST_ERRORS]:
        error = indent(episode.error, "    ")
        lines += [f"  {_file(run, episode)}", error]
    if len(failed) > _MOST_ERRORS:
        lines.append(f"  and {len(failed) - _MOST_ERRORS} more")
    lines.append(f"rows and tracebacks: {run / 'episodes.jsonl'}")
    console.print("\n".join(lines), markup=False, soft_wrap=True)


def size_of(suite: Suite) -> str:
    """Return a suite's size in words, such as "50 tasks, at most 1,490 steps"."""
    most, attempts = suite.most_steps, suite.attempts
    steps = "" if most is None else f", at most {most:,} steps"
    each = f", {attempts} attempts each" if attempts > 1 else ""
    return f"{plural(len(suite.tasks) // attempts, 'task')}{each}{steps}"


def used_texts(usage: Mapping[str, float]) -> list[str]:
    """Describe what agents used; the cost only if there is a price."""
    units = {"latency": " s"}
    return [
        f"{name} {amount(total)}{units.get(name, '')}"
        for name, total in usage.items()
        if total or name != "cost"
    ]


def _groups(
    episodes: Sequence[EpisodeResult],
) -> list[tuple[str, list[EpisodeResult]]]:
    """Return the rows of a table: benchmarks or settings, and their parts."""
    rows: list[tuple[str, list[EpisodeResult]]] = []
    benchmarks = by_benchmark(episodes)
    for benchmark, own in benchmarks.items():
        settings = by_setting(own)
        if 1 < len(settings) <= _MOST_SETTINGS:
            rows += settings.items()
        elif len(benchmarks) == len(settings) == 1:
            setting = next(iter(settings))
            rows += [(setting, own), *_rows("", own)[1:]]
        else:
            many = f" in {len(settings)} settings" if len(settings) > 1 else ""
            rows += _rows(f"{benchmark}{many}", own)
        rows += _labelled(own)
    if len(benchmarks) > 1:
        rows += _rows("all", episodes)
    return rows


def _fitting(
    rows: Sequence[tuple[str, Sequence[EpisodeResult]]],
    episodes: Sequence[EpisodeResult],
    console: Console,
) -> tuple[Table, list[str]]:
    """Return the table with the most columns that fit, and the names of the others."""
    known = summarize(episodes)
    others = [
        one for one in shown_metrics() if one.shown == "table" and one.name in known
    ]
    kept = sorted(others, key=lambda one: [*_FIRST, one.name].index(one.name))
    sizes = product(range(len(kept) + 1), (False, True), (False, True))
    unlimited = console.options.update(max_width=_UNLIMITED)
    # Two metrics say more than the interval of the success rate, which says more than
    # a bar does, which says more than others.
    for count, bar, whole in sorted(
        sizes, key=lambda one: (min(one[0], 2), *one[::-1]), reverse=True
    ):
        metrics = [one for one in others if one in kept[:count]]
        table = _overview(episodes, rows, metrics, console, bar, whole)
        if console.measure(table, options=unlimited).maximum <= console.width:
            break
    left_out = [one.name for one in others if one not in metrics]
    return table, left_out + ["the interval of the success rate"] * (not whole)


def _overview(
    episodes: Sequence[EpisodeResult],
    rows: Sequence[tuple[str, Sequence[EpisodeResult]]],
    others: Sequence[Metric],
    console: Console,
    bar: bool,
    whole: bool,
) -> Table:
    """Return a table with a row for each group of episodes.

    Args:
        episodes: The episodes of all rows.
        rows: The names and the episodes of the rows.
        others: The metrics without an interval.
        console: The console.
        bar: Whether to draw the progress.
        whole: Whether the success rate has its interval.
    """
    shown = shown_metrics(overview=True)
    sources = Counter(one.source for one in episodes if one.source)
    usual, *rest = [one for one, _ in sources.most_common()] or [""]
    table = plain_table(escape("\n* ".join([usual, *rest])))
    narrow = () if whole else ("success rate",)
    for metric in shown:
        width = _HEADING if metric.name in narrow else 99
        table.add_column(fill(escape(metric.name), width), no_wrap=True)
    if bar:
        table.add_column("")
    for metric in others:
        table.add_column(fill(escape(metric.name), _HEADING), justify="right")
    table.add_column("episodes", justify="right")
    for name, own in rows:
        known = summarize(own)
        cells = [
            point(metric, known.get(metric.name))
            if metric.name in narrow
            else metric.format(known.get(metric.name))
            for metric in shown
        ]
        if bar:
            cells.append(_bar(known.get("progress rate"), console.options.ascii_only))
        cells += (point(metric, known.get(metric.name)) for metric in others)
        named = name + "*" * {usual, ""}.isdisjoint(e.source for e in own)
        table.add_row(*map(escape, (named, *cells, str(_scored(own)))))
    return table


def _bar(estimate: Estimate | None, ascii_only: bool) -> str:
    return "" if estimate is None else bar_of(estimate.value, ascii_only)


def bar_of(share: float, ascii_only: bool = False) -> str:
    """Return a share as a bar of ten characters, padded with spaces.

    Args:
        share: The share; it is held within 0.0 to 1.0.
        ascii_only: Whether the output has no block characters.
    """
    eighths = round(8 * _BAR * min(1.0, max(0.0, share)))
    whole, rest = divmod(eighths, 8)
    if ascii_only:
        return ("#" * whole).ljust(_BAR)
    part = chr(0x2590 - rest) if rest else ""
    return ("█" * whole + part).ljust(_BAR)


def _rows(
    name: str, episodes: Sequence[EpisodeResult]
) -> list[tuple[str, list[EpisodeResult]]]:
    rows = [(name, list(episodes))]
    grades = by_difficulty(episodes)
    if len(grades) > 1:
        rows += [(f" {grade}", own) for grade, own in grades.items()]
    return rows


def _labelled(
    episodes: Sequence[EpisodeResult],
) -> list[tuple[str, list[EpisodeResult]]]:
    return [
        (f" {kind} {label}", own)
        for kind, groups in by_label(episodes).items()
        for label, own in groups.items()
        if len(groups) > 1
    ]


def plain_table(*headings: str) -> Table:
    """Return a table without lines."""
    table = Table(box=None, pad_edge=False, header_style="")
    for number, heading in enumerate(headings):
        # In a narrow terminal, names are wrapped but intervals are not.
        table.add_column(heading, no_wrap=number > 0, overflow="fold")
    return table


def _column(columns: Sequence[tuple[str, Sequence[EpisodeResult]]]) -> Table:
    """Return a table with a row for each metric; the first column has intervals."""
    table = plain_table("", *(escape(name.strip()) for name, _ in columns))
    first, *parts = (summarize(episodes) for _, episodes in columns)
    for metric in shown_metrics():
        if metric.name in first:
            cell = escape(metric.format(first[metric.name]))
            others = (point(metric, part.get(metric.name)) for part in parts)
            table.add_row(metric.name, cell, *others)
    table.add_row("episodes", *(str(_scored(own)) for _, own in columns))
    return table


def point(metric: Metric, estimate: Estimate | None) -> str:
    """Return an estimate as text without its interval."""
    return metric.format(estimate and Estimate(estimate.value, None, None))


def _scored(episodes: Sequence[EpisodeResult]) -> int:
    return sum(not episode.error for episode in episodes)


def _file(run: Path, episode: EpisodeResult) -> str:
    try:
        return str(find(run / "trajectories", episode.task))
    except FileNotFoundError:
        return f"{episode.task} (no file: nothing was played)"
