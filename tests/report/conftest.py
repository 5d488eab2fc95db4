"""Runs for several tests of the report, played once."""

import pytest
from report_runs import BABYAI, MASTERMIND, SUDOKU, play


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """The folders of a random and an expert run of the same tasks."""
    folder = tmp_path_factory.mktemp("runs")
    ids = (MASTERMIND, BABYAI, SUDOKU)
    return [play(folder / agent, agent, ids) for agent in ("random", "expert")]


@pytest.fixture(scope="session")
def stubborn(tmp_path_factory):
    """The folder of a run of an agent that is stuck, and writes HTML."""
    folder = tmp_path_factory.mktemp("stubborn") / "run"
    return play(folder, "report_runs:Stubborn", (MASTERMIND,))
