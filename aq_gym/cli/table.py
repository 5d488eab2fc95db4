"""Tables of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aq_gym.core.text import plural
from aq_gym.evaluation import EpisodeResult, Suite, summarize
from aq_gym.evaluation.groups import by_benchmark, by_difficulty, by_label, by_setting
from aq_gym.evaluation.metrics import shown_metrics
from aq_gym.trajectory.reader import find

_NOTE = (
    "Means over episodes, with 95% intervals. Repetition rate: of each episode's own "
    "length. Grounding accuracy: the share of valid actions."
)

_MOST_SETTINGS = 4
_MOST_ERRORS = 20


def print_results(
    console: Console, agents: Mapping[str, Sequence[EpisodeResult]]
) -> None:
    """Print a table for each environment, with a column for each agent.

    A benchmark with up to four settings has a table for each of them; one with more has
    a single table.
    """
    every = [e for episodes in agents.values() for e in episodes]
    for heading, own in _groups(every):
        tasks = {e.task for e in own}
        console.print(f"\n[bold]{escape(heading)}[/]")
        console.print(
            _table({a: [e for e in es if e.task in tasks] for a, es in agents.items()})
        )
    console.print(f"\n{_NOTE}", markup=False)


def print_overview(console: Console, episodes: Sequence[EpisodeResult]) -> None:
    """Print a table with a row for each benchmark, its difficulties and its labels.

    Nothing is printed if there is a single row.
    """
    benchmarks = by_benchmark(episodes)
    rows = [
        row
        for name, own in benchmarks.items()
        for row in (*_rows(name, own), *_labelled(own))
    ]
    if len(benchmarks) > 1:
        rows += _rows("all", episodes)
    if len(rows) == 1:
        return
    metrics = shown_metrics(overview=True)
    table = plain_table("", *(metric.name for metric in metrics))
    table.add_column("episodes", justify="right")
    for name, own in rows:
        known = summarize(own)
        cells = (escape(metric.format(known.get(metric.name))) for metric in metrics)
        table.add_row(escape(name), *cells, str(_scored(own)))
    console.print()
    console.print(table)


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
    most = suite.most_steps
    steps = "" if most is None else f", at most {most:,} steps"
    return f"{plural(len(suite.tasks), 'task')}{steps}"


def used_texts(usage: Mapping[str, float]) -> list[str]:
    """Return what agents used in words; a cost only if there is a price."""
    units = {"latency": " s"}
    return [
        f"{name} {total:,.6g}{units.get(name, '')}"
        for name, total in usage.items()
        if total or name != "cost"
    ]


def _groups(
    episodes: Sequence[EpisodeResult],
) -> Iterator[tuple[str, list[EpisodeResult]]]:
    for benchmark, own in by_benchmark(episodes).items():
        settings = by_setting(own)
        if len(settings) > _MOST_SETTINGS:
            yield f"{benchmark} in {len(settings)} settings", own
        else:
            yield from settings.items()


def _rows(
    name: str, episodes: Sequence[EpisodeResult]
) -> list[tuple[str, list[EpisodeResult]]]:
    rows = [(name, list(episodes))]
    grades = by_difficulty(episodes)
    if len(grades) > 1:
        rows += [(f"  {grade}", own) for grade, own in grades.items()]
    return rows


def _labelled(
    episodes: Sequence[EpisodeResult],
) -> list[tuple[str, list[EpisodeResult]]]:
    return [
        (f"  {kind} {label}", own)
        for kind, groups in by_label(episodes).items()
        for label, own in groups.items()
        if len(groups) > 1
    ]


def plain_table(*headings: str) -> Table:
    """Return a table without lines.

    Args:
        *headings: The headings of its columns, in rich's markup.
    """
    table = Table(box=None, pad_edge=False, header_style="")
    for number, heading in enumerate(headings):
        # In a narrow terminal, names are wrapped but intervals are not.
        table.add_column(heading, no_wrap=number > 0)
    return table


def _table(agents: Mapping[str, Sequence[EpisodeResult]]) -> Table:
    table = plain_table("", *map(escape, agents))
    estimates = [summarize(episodes) for episodes in agents.values()]
    for metric in shown_metrics():
        if not any(metric.name in known for known in estimates):
            continue
        cells = (metric.format(known.get(metric.name)) for known in estimates)
        table.add_row(metric.name, *map(escape, cells))
    table.add_row("episodes", *(str(_scored(own)) for own in agents.values()))
    return table


def _scored(episodes: Sequence[EpisodeResult]) -> int:
    return sum(not episode.error for episode in episodes)


def _file(run: Path, episode: EpisodeResult) -> str:
    try:
        return str(find(run / "trajectories", episode.task))
    except FileNotFoundError:
        return f"{episode.task} (no file: nothing was played)"
