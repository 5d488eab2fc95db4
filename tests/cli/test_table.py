"""The table at the end of a run."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from aq_gym.cli.table import bar_of, print_results
from aq_gym.evaluation import Suite, Task, run


@pytest.fixture(scope="module")
def episodes(tmp_path_factory):
    tasks = [Task("aq/Mastermind-v0", seed, max_steps=3) for seed in range(2)]
    tasks += [Task("aq/2048-v0", seed, max_steps=3) for seed in range(2)]
    suite = Suite("two", tuple(tasks))
    return run(suite, tmp_path_factory.mktemp("run"), "random", workers=1)


def printed(episodes, width=100, terminal=True):
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=terminal, no_color=True, highlight=False
    )
    print_results(console, "random", episodes)
    return file.getvalue()


def test_a_row_for_each_benchmark_and_all(episodes):
    lines = printed(episodes).splitlines()
    names = [line.split()[0] for line in lines if line.startswith(("aq/", "all"))]
    assert names == ["aq/Mastermind-v0", "aq/2048-v0", "all"]
    assert "repetition rate" not in lines[1]
    assert max(map(len, printed(episodes, width=80).splitlines())) <= 80
    assert "In summary.json, and in a wide terminal" in printed(episodes)


def test_files_have_all_metrics(episodes):
    text = printed(episodes, width=80, terminal=False)
    assert "grounding" in text
    assert "wide terminal" not in text
    assert "…" not in text


def test_one_environment_has_a_row_for_each_metric(episodes):
    own = [one for one in episodes if "Mastermind" in one.env]
    own[0] = replace(own[0], difficulty="hard")
    lines = printed(own).splitlines()
    assert lines[2].split() == ["random", "easy", "hard"]
    assert any(line.startswith("repetition rate  ") for line in lines)


@pytest.mark.parametrize(
    ("share", "bar"),
    [(0, ""), (1, "█" * 10), (0.55, "█████▌"), (0.01, "▏"), (-1, ""), (7, "█" * 10)],
)
def test_a_bar_shows_a_share(share, bar):
    assert bar_of(share) == f"{bar:<10}"


def test_a_bar_needs_no_blocks():
    assert bar_of(0.5, ascii_only=True) == "#####     "
