"""The tables of the reference ladder, and what counts in them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean

import numpy as np

from aq_gym.evaluation import (
    METRICS,
    Comparison,
    EpisodeResult,
    Estimate,
    LoadedRun,
    Suite,
    compare,
    compare_benchmarks,
    mean_p_value,
)
from aq_gym.evaluation.ladder import ALL, ladder, ladder_rows
from aq_gym.evaluation.metrics import format_estimate
from aq_gym.evaluation.summary import by_benchmark

ROOT = Path(__file__).parents[1]
SCORES, RESULTS = ROOT / "docs" / "reproducing.md", ROOT / "benchmarks" / "RESULTS.md"
SUITE = "ladder"
FEWEST = 3  # Episodes of a row: a value of one or two places nobody.


def groups(episodes: Sequence[EpisodeResult]) -> dict[str, list[EpisodeResult]]:
    """Return episodes without an error by benchmark, and those of all benchmarks.

    For all, each benchmark has as many as the one with the fewest; none if that is
    below ``FEWEST``.
    """
    found = by_benchmark([episode for episode in episodes if not episode.error])
    fewest = min(len(found.get(env, ())) for env in by_benchmark_ids())
    equal = [episode for own in found.values() for episode in own[:fewest]]
    return {**({ALL: equal} if fewest >= FEWEST else {}), **found}


def counted(episodes: Sequence[EpisodeResult]) -> set[str]:
    """Return the benchmarks whose steps to go have been counted."""
    closest = METRICS["closest"]
    return {env for env, own in by_benchmark(episodes).items() if closest.estimate(own)}


def by_benchmark_ids() -> list[str]:
    """Return the ids of the suite, in its order."""
    return [*dict.fromkeys(task.id for task in Suite.load(SUITE).tasks)]


# The rungs whose order is known.
ORDER = ("nothing", "random", "expert, 30% noise", "expert, 10% noise", "expert")
# Less is better only in the steps to go; the first value of a rung is the lowest.
COMPARED = {"progress rate": 1, "success rate": 1, "closest": -1}
REPEATS = 200


def scores() -> Iterator[list[str]]:
    """Yield the table of progress rates, of the rungs that play several benchmarks."""
    played = Counter(row.rung for row in ladder_rows())
    names = [name for name in played if name != "nothing" and played[name] > 5]
    column = ladder()["metrics"].index("progress rate") + 3
    found = {(row[0], row[1]): row for row in ladder()["rows"]}
    yield ["benchmark", *names]
    yield ["---", *["---:"] * len(names)]
    for env in (ALL, *by_benchmark_ids()):
        cells = []
        for name in names:
            row, text = found.get((name, env)), "-"
            if row is not None:
                rate = Estimate(row[column][0], None, None)
                text = format_estimate("progress rate", rate).removeprefix("0")
                if row[2] < (180 if env == ALL else 10):
                    text += f" ({row[2]})"
            cells.append(text)
        yield [env.removeprefix("aq/").removesuffix("-v0"), *cells]


def analysis(runs: Mapping[str, LoadedRun]) -> Iterator[list[str]]:
    """Yield the table of how well metrics order the rungs, and tell neighbours apart.

    Agreement is Kendall's tau with the known order, in which equal rungs count 0.
    Power is the share of draws of tasks, with replacement from the suite's, in which
    the paired difference in progress has a p-value below 0.05.
    """
    order = [name for name in ORDER if name in runs]
    pairs = [*pairwise(order)]
    yield [
        "benchmark",
        *(f"order by {name}" for name in COMPARED),
        *(f"{a} / {b}" for a, b in pairs),
    ]
    yield ["---", *["---:"] * (len(COMPARED) + len(pairs))]
    played = {name: groups(runs[name].episodes) for name in order}
    same = len({frozenset(counted(runs[name].episodes)) for name in order}) == 1
    for env in (ALL, *by_benchmark_ids()):
        own = [played[name][env] for name in order]
        agreed = [
            _agreement(metric, sign, own)
            if same or (env, metric) != (ALL, "closest")
            else "-"
            for metric, sign in COMPARED.items()
        ]
        powers = []
        for before, after in pairwise(own):
            rates = {e.task: e.progress_rate for e in before}
            found = [e.progress_rate - rates[e.task] for e in after if e.task in rates]
            powers.append(" ".join(_power(found, count) for count in (10, 50)))
        yield [env, *agreed, *powers]


def _agreement(name: str, sign: int, rungs: Sequence[Sequence[EpisodeResult]]) -> str:
    estimates = [METRICS[name].estimate(own) for own in rungs]
    if not all(estimates):
        return "-"
    values = [round(sign * one.value, 3) for one in estimates if one]
    pairs = [float(np.sign(b - a)) for a, b in combinations(values, 2)]
    return f"{fmean(pairs):.1f}"


def _power(differences: Sequence[float], count: int) -> str:
    rng = np.random.default_rng(count)
    drawn = rng.choice(np.array(differences), (REPEATS, count))
    return f"{np.mean([mean_p_value(row) < 0.05 for row in drawn]):.2f}"


# The agents that a reader holds against each other.
_TEXT = "Qwen2.5-Coder-1.5B"
PAIRS = (
    ("random", "SmolLM2-135M"),
    ("random", _TEXT),
    ("SmolLM2-135M", _TEXT),
    (_TEXT, f"{_TEXT}, native calls"),
    (_TEXT, f"{_TEXT}, memory"),
    (_TEXT, "cloned policy"),
    ("cloned policy", "expert, 30% noise"),
)


def told_apart(runs: Mapping[str, LoadedRun]) -> Iterator[list[str]]:
    """Yield the table of differences between rungs in the tasks that both played.

    A cell has the mean differences in the metrics of ``COMPARED``, with a star where
    the unadjusted p < .05, and the number of tasks; the steps to go where both have
    them.
    """
    found = {}
    for pair in PAIRS:
        if {*pair} <= {*runs}:
            one, other = ([e for e in runs[n].episodes if not e.error] for n in pair)
            compared = {ALL: compare(one, other), **compare_benchmarks(one, other)}
            cells = {env: _differences(own) for env, own in compared.items()}
            if any(cells.values()):
                found[" to ".join(pair)] = cells
    yield ["benchmark", *found]
    yield ["---", *["---:"] * len(found)]
    for env in (ALL, *by_benchmark_ids()):
        shown = [cells.get(env, "") for cells in found.values()]
        if any(shown):
            yield [env, *(cell or "-" for cell in shown)]


def _differences(compared: Mapping[str, Comparison]) -> str:
    known = [compared[name] for name in COMPARED if name in compared]
    if not known or known[0].pairs < FEWEST:
        return ""
    shown = (
        f"{one.difference.value:+.2f}{'*' * (one.p_value < 0.05)}" for one in known
    )
    return f"{' '.join(shown)} ({known[0].pairs})"


def costs(runs: Mapping[str, LoadedRun]) -> Iterator[list[str]]:
    """Yield the table of what each rung did in the episodes that it played."""
    names = [
        "progress rate",
        "progress above chance",
        "success rate",
        "grounding accuracy",
        "repetition rate",
    ]
    yield ["rung", "episodes", *names, "tokens", "hours"]
    yield ["---", *["---:"] * (len(names) + 3)]
    for name, rung in ladder()["rungs"].items():
        own = runs[name].episodes
        values = (format_estimate(one, METRICS[one].estimate(own)) for one in names)
        cost = f"{rung['tokens']:,}", f"{rung['hours']:.1f}"
        yield [name, str(rung["episodes"]), *values, *cost]


def attempts() -> Iterator[list[str]]:
    """Yield the table of several attempts at each task."""
    yield ["rung", "benchmark", "tasks", "pass@1", "pass@3", "pass^3"]
    yield ["---", "---", *["---:"] * 4]
    for rung, env, tasks, *values in ladder()["attempts"]:
        yield [
            *(rung, env, str(tasks)),
            *(format_estimate("success rate", Estimate(*one)) for one in values),
        ]


def write_tables(runs: Mapping[str, LoadedRun]) -> None:
    """Replace the tables of the pages, each between its two comments."""
    tables = {
        "scores": scores(),
        "analysis": analysis(runs),
        "costs": costs(runs),
        "told apart": told_apart(runs),
        "attempts": attempts(),
    }
    for name, rows in tables.items():
        page = SCORES if name == "scores" else RESULTS
        begin, end = f"<!-- ladder: {name} -->\n", "<!-- end -->\n"
        before, found, rest = page.read_text("utf-8").partition(begin)
        assert found, f"{page} has no line {begin}"
        table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
        page.write_text(
            f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}", "utf-8"
        )
