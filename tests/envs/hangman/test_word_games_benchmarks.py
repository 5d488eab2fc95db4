"""The benchmarks run; none of the tests asserts a time."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]


def run(script, *arguments, warnings="error"):
    done = subprocess.run(
        [sys.executable, "-W", warnings, ROOT / "benchmarks" / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_steps():
    printed = run("word_games.py", "steps", "--rounds", "1")
    assert "target: 2048, a move at most 10 us" in printed


def test_experts():
    printed = run("word_games.py", "experts", "--every", "500", "--games", "1")
    assert "| Wordle: 5 letters | 3 | 100.0% |" in printed
    assert "| 2048: 128 on 3x3 | 1 | 100.0% |" in printed


@pytest.mark.skipif(
    not (find_spec("gem") and find_spec("textarena")),
    reason="needs the packages of benchmarks/requirements.txt",
)
def test_peers():
    printed = run("peers.py", "words", "--rounds", "1", warnings="default")
    assert printed.count("TextArena, no wrappers") == 9
