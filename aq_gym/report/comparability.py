"""Compare runs: provenance, warnings, paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from aq_gym.evaluation import Comparison, compare, compare_benchmarks
from aq_gym.evaluation.difference import differences
from aq_gym.evaluation.groups import by_benchmark
from aq_gym.evaluation.preflight import holds_secret
from aq_gym.report.data import Run
from aq_gym.report.escaping import visible
from aq_gym.report.summary import ALL

__all__ = ["Contrast", "contrasts", "provenance", "warnings"]


_HIDDEN = "[a key or password, not shown]"


class Contrast(NamedTuple):
    """The paired differences between two runs, in one environment or in all."""

    first: str
    second: str
    env: str
    metrics: dict[str, Comparison]


def contrasts(runs: Sequence[Run]) -> list[Contrast]:
    """Compare the other runs with the first, task by task.

    Args:
        runs: The runs; those without a task in common with the first are left out.
    """
    found = []
    first = runs[0]
    for run in runs[1:]:
        compared = compare_benchmarks(first.episodes, run.episodes)
        if compared and len(by_benchmark(first.episodes)) > 1:
            compared = {ALL: compare(first.episodes, run.episodes), **compared}
        found += [
            Contrast(first.label, run.label, visible(env), metrics)
            for env, metrics in compared.items()
        ]
    return found


def warnings(runs: Sequence[Run]) -> list[str]:
    """Return the reasons why the runs may not be comparable or complete."""
    found = []
    for run in runs:
        missing = run.tasks - len(run.episodes) if run.tasks is not None else 0
        if missing > 0:
            found.append(
                f"{run.label}: {len(run.episodes)} of {run.tasks} episodes are "
                "finished; the results are those of the finished ones."
            )
    first = runs[0]
    tasks = {e.task for e in first.episodes}
    for run in runs[1:]:
        if run.suite != first.suite:
            common = len(tasks.intersection(e.task for e in run.episodes))
            found.append(
                f"{run.label} and {first.label} are runs of different suites: only "
                f"their {common} tasks in common are compared; the rows of the summary "
                "are over different tasks."
            )
        found += [
            f"{run.label} differs from {first.label} in {c}"
            for c in _changes(first, run)
        ]
    return [visible(text) for text in found]


def _changes(first: Run, run: Run) -> list[str]:
    versions = [{"versions": other.what.get("versions", {})} for other in (first, run)]
    return [
        change.replace(" here, ", " there, ").replace(" now", " here")
        for change in differences(*versions)
    ]


def provenance(run: Run) -> list[tuple[str, str]]:
    """Return what was run, as names and values."""
    what = run.what
    name, digest = run.suite
    facts = [
        ("agent", what.get("agent")),
        *sorted(what.get("agent_params", {}).items()),
        ("suite", f"{name} ({digest})"),
        ("episodes", _count(run)),
        ("date", run.begun),
        *sorted(what.get("versions", {}).items()),
        ("git commit", what.get("notes", {}).get("git_commit")),
        ("folder", run.path.resolve().name),
    ]
    # Our own notes hold no key; a page about someone else's run may be sent by mail.
    return [
        (
            visible(str(key)),
            _HIDDEN if holds_secret(key, value) else visible(str(value)),
        )
        for key, value in facts
        if value not in (None, "")
    ]


def _count(run: Run) -> str:
    if run.tasks is None or run.tasks == len(run.episodes):
        return str(len(run.episodes))
    return f"{len(run.episodes)} of {run.tasks}"
