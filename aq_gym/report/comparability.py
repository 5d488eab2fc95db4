"""Compare runs: provenance, warnings, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, starmap
from typing import NamedTuple

from aq_gym.evaluation import Comparison, compare, compare_benchmarks
from aq_gym.evaluation.manifest import agent_label, differences
from aq_gym.evaluation.summary import by_benchmark, with_source
from aq_gym.report.data import Run, told_apart
from aq_gym.report.ranking import some
from aq_gym.report.summary import ALL, OVERALL
from aq_gym.report.verdicts import PROGRESS, paired, turned
from aq_gym.support.escaping import visible
from aq_gym.support.redaction import holds_secret

# Of more runs, a page with the differences between any two would be too large.
MOST_PAIRED = 12
_HIDDEN = "[a key or password, not shown]"


class Contrast(NamedTuple):
    """The paired differences between two runs, in one environment or in all.

    Attributes:
        first: The label of the baseline.
        second: The label of the run that is compared with the baseline.
        env: The benchmark's id, or "all".
        title: Its name with the source of the tasks that both have.
        metrics: The differences by metric: the second run minus the first.
    """

    first: str
    second: str
    env: str
    title: str
    metrics: dict[str, Comparison]


def contrasts(runs: Sequence[Run]) -> list[Contrast]:
    """Compare every pair of runs, task by task: the better one minus the other.

    If there are more than a dozen runs, each is compared only with the first.

    Args:
        runs: The runs; two without a task in common are not compared.
    """
    runs = paired(runs)
    pairs = [*combinations(runs, 2)]
    if len(runs) > MOST_PAIRED:
        pairs = pairs[: len(runs) - 1]
    return [*chain.from_iterable(starmap(_better_last, pairs))]


def compared_with(first: Run, second: Run) -> Iterator[Contrast]:
    """Compare two runs that are paired: the second minus the first."""
    compared = compare_benchmarks(first.episodes, second.episodes)
    if compared and len(by_benchmark(first.episodes)) > 1:
        compared = {ALL: compare(first.episodes, second.episodes), **compared}
    common = [e for e in first.episodes if e.first_task in second.finished]
    tasks = {ALL: common, **by_benchmark(common)}
    for env, metrics in compared.items():
        title = visible(with_source(OVERALL.get(env, env), tasks[env]))
        yield Contrast(first.label, second.label, visible(env), title, metrics)


def _better_last(first: Run, second: Run) -> list[Contrast]:
    """Compare two runs as the sentence on them does: the better minus the other."""
    found = [*compared_with(first, second)]
    if not found or found[0].metrics[PROGRESS].difference.value >= 0:
        return found
    return [
        Contrast(
            one.second,
            one.first,
            one.env,
            one.title,
            {name: turned(result) for name, result in one.metrics.items()},
        )
        for one in found
    ]


def agent_told(runs: Sequence[Run], names: Sequence[str]) -> str:
    """Return which agent all runs are of, if their names do not say it.

    Of a single run, it is what "privileged" means.

    Args:
        runs: The runs.
        names: Their short names.
    """
    agent, *others = {visible(agent_label(run.manifest)) for run in runs}
    privileged = agent.endswith("(privileged)")
    if not runs[1:]:
        return "Privileged: it knows or sees more than an agent is told." * privileged
    knows = ", which knows more than an agent is told" * privileged
    return f"All runs: {agent}{knows}." * (not others and agent not in names[0])


def warnings(runs: Sequence[Run]) -> list[str]:
    """Return the reasons why the runs may not be comparable or complete."""
    found = damaged(runs)
    names = told_apart([run.label for run in runs])
    for run, name in zip(runs, names, strict=True):
        prompts = run.manifest.get("notes", {}).get("prompts", {})
        ours = sorted(env for env, source in prompts.items() if source == "ours")
        if ours:
            found.append(
                f"{name}: {', '.join(ours)}: the prompts are ours, not those of "
                "the paper whose protocol was played."
            )
        if run.tasks is not None and run.tasks > len(run.episodes):
            found.append(
                f"{name}: {_count(run)} episodes are "
                "finished; the results are those of the finished ones."
            )
    first, *others = zip(runs, names, strict=True)
    changed: dict[str, list[str]] = {}
    for run, name in others:
        for change in _changes(first[0], run):
            text = change.replace(" here, ", f" in {first[1]}, ").removesuffix("now")
            changed.setdefault(f"{text}in", []).append(name)
    for change in sorted(changed, key=lambda text: text.startswith("versions")):
        found.append(f"{change} {some(changed[change])}")
    return [visible(text) for text in found]


def damaged(runs: Sequence[Run]) -> list[str]:
    """Return a note for each run with damaged rows, which are left out."""
    return [f"{run.label}: {run.damaged}" for run in runs if run.damaged]


def _changes(first: Run, run: Run) -> list[str]:
    versions = [other.manifest.get("versions", {}) for other in (first, run)]
    # What only one of the suites needs is in no task of both.
    return differences(
        *(
            {"versions": {n: own[n] for n in own if all(n in one for one in versions)}}
            for own in versions
        )
    )


def provenance(run: Run) -> list[tuple[str, str]]:
    """Return the settings and versions of a run, as names and values."""
    manifest = run.manifest
    name, digest = run.suite
    facts = [
        ("agent", agent_label(manifest)),
        *sorted(manifest.get("agent_params", {}).items()),
        ("suite", f"{name} ({digest})"),
        ("episodes", _count(run)),
        ("date", run.begun),
        *sorted(manifest.get("versions", {}).items()),
        ("git commit", manifest.get("notes", {}).get("git_commit")),
        ("folder", run.path.resolve().name),
    ]
    # Masked, because notes of other programs may contain keys, and a page may be sent
    # on.
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
        return f"{len(run.episodes):,}"
    return f"{len(run.episodes):,} of {run.tasks:,}"
