"""The benchmarks run, and their results become tables. No test asserts a time."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]


def run(script, *arguments, warnings="error"):
    done = subprocess.run(
        [sys.executable, "-W", warnings, ROOT / "benchmarks" / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_repetition_rate():
    printed = run("repetition_rate.py", "--steps", "20")
    assert printed.count("| letters |") == 4
    assert printed.count("| words |") == 5


def test_long_completions():
    printed = run("long_completions.py", "--shortest", "100")
    assert printed.count("| Mastermind |") == printed.count("| silent |") > 30


def test_trajectory_logger():
    printed = run("trajectory_logger.py", "--rounds", "1")
    assert "added by the logger at most 30 us" in printed


def test_evaluation_speed():
    options = ["--rounds", "1", "--minutes", "1", "--episodes", "1"]
    options += ["--envs", "Mastermind", "BabyAI-text"]
    printed = run("evaluation_speed.py", *options)
    assert "added by episode at most 40 us" in printed
    assert "run at least 1.7 x as fast" in printed


def test_long_runs():
    printed = run("long_runs.py", "--rounds", "1", "--episodes", "4")
    assert "continue at most 2 s" in printed


def test_vectors():
    options = ["aq/Mastermind-v0", "--num-envs", "2", "--rounds", "2"]
    printed = run("vectors.py", *options)
    assert printed.count("TextVectorEnv at most 1.8 x loop") == 2


def test_llm_loop():
    options = ["--episodes", "1", "4", "--steps", "3", "--rounds", "1"]
    printed = run("llm_loop.py", *options)
    assert len(printed.splitlines()) == 2 + 4  # a heading and a rule


def test_babyai_beside_minigrid():
    printed = run("peers.py", "babyai", "--rounds", "1")
    assert "text at most 0.333333 x minigrid" in printed


def test_peers_refuses_other_games():
    with pytest.raises(AssertionError, match="chess: choose from mastermind"):
        run("peers.py", "chess")


def test_search_nodes():
    printed = run("search_nodes.py", "--rounds", "1")
    assert printed.count("| BabyAI-text |") == 3


def test_fuzz():
    printed = run("fuzz.py", "aq/Mastermind-v0", "--texts", "5")
    assert printed.startswith("aq/Mastermind-v0: 5 texts answered")


def test_pddl_generators():
    printed = run("pddl_generators.py", "2", "ferry")
    assert printed.count("none") == 2


@pytest.mark.needs("module:pddlgym")
def test_pddl_engine():
    printed = run("peers.py", "pddl", "--rounds", "1", warnings="ignore")
    assert printed.count("a text step") == 3


@pytest.mark.skipif(
    not (find_spec("gem") and find_spec("textarena")),
    reason="needs the packages of benchmarks/requirements.txt",
)
def test_mastermind_vs_peers():
    printed = run("peers.py", "mastermind", "--rounds", "1", warnings="default")
    assert "TextArena, no wrappers" in printed
    assert "aq_gym at most 1 x GEM" in printed


@pytest.mark.needs("module:jinja2")
def test_report_build():
    printed = run("report_build.py", "--episodes", "30", "--steps", "3")
    assert printed.startswith("30 episodes: ")


def test_search():
    printed = run("search.py", "--seeds", "1")
    for task in ("gripper", "blocksworld", "household", "grid world"):
        for player in ("best-first", "UCT", "expert"):
            assert f"| {task} | {player} | 1 of 1 |" in printed


@pytest.fixture
def benchmark_modules(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


def test_results(benchmark_modules, capsys):
    """A row for each pair and for each other target; the rest is kept."""
    from results import replaced, section
    from timing import Target, show

    times = {"aq_gym": [2e-6] * 3, "GEM": [4e-6] * 3, "minigrid": [8e-6] * 3}
    targets = [Target("aq_gym", 1, "GEM"), Target("aq_gym", 1)]
    title = "A step of an environment whose name is long"
    show(title, times, reference="GEM", targets=targets)
    rest = "| seed | steps |\n|---|---|\n| 0 | 7 |\n\nMemory grew by 3 MB."
    printed = f"{capsys.readouterr().out}{rest}\n"
    made = section("peers.py", printed, "2026-11-23.")
    what = f"| {title}: aq_gym | 2 us |"
    assert made.splitlines() == [
        "## `peers.py`", "", "2026-11-23.", "",
        "| what | ours | other | ratio | target | met |",
        "| --- | --- | --- | --- | --- | --- |",
        f"{what} GEM 4 us | 0.5 | at most 1 x | met |",
        f"{what} minigrid 8 us | 0.25 |  |  |",
        f"{what}  |  | at most 1 us | MISSED |", "",
        *rest.splitlines(),
    ]  # fmt: skip
    page = "# Measurements\n\nText.\n\n## `peers.py`\n\nOld.\n\n## `fuzz.py`\n\nKept.\n"
    assert replaced(page, made) == page.replace("## `peers.py`\n\nOld.\n", made)
    assert replaced(page, "## `new.py`\n") == f"{page}\n## `new.py`\n"


def test_intervals():
    printed = run("intervals.py", "--repeats", "20")
    assert printed.count("| skewed |") == 12


def test_splits():
    printed = run("splits.py", "--resets", "3")
    assert "target: 0 structures in both: met (0)" in printed
