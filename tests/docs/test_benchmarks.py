"""The benchmarks run, and their results become tables. No test asserts a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


def run(command, warnings="error"):
    script, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, "-W", warnings, BENCHMARKS / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("command", "printed", "times"),
    [
        (
            "speed/evaluation_speed.py --rounds 1 --envs Mastermind BabyAI-text",
            "added by episode at most 40 us",
            1,
        ),
        ("speed/peers.py babyai --rounds 1", "text at most 0.333333 x minigrid", 3),
        ("speed/search_nodes.py --rounds 1", "| BabyAI-text |", 1),
        (
            "attacks/hostile_texts.py aq/Mastermind-v0 --texts 5",
            "0 answered wrongly",
            1,
        ),
        ("attacks/damaged_runs.py --times 60", "0 failures in 60 damaged", 1),
        ("validity/experts.py aq/Mystery-v0 --episodes 2", "| 2 of 2 | 100.0% |", 1),
        ("validity/intervals.py --repeats 20", "| skewed |", 12),
        ("validity/progress.py --episodes 1 --only GoToRedBall", "| moves |", 1),
        ("validity/difficulty.py aq/Hangman-v0 aq/ALFWorld-v0", "| easy (", 2),
        ("validity/splits.py --resets 3", "0 structures in both: met (0)", 1),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_it_prints(command, printed, times):
    assert run(command).count(printed) >= times


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        pytest.param(
            command, printed, marks=pytest.mark.needs(f"module:{need}"), id=need
        )
        for need, command, printed in (
            ("pddlgym", "speed/peers.py pddl --rounds 1", "a text step"),
            ("jericho", "speed/peers.py jericho --rounds 1", "1.3 x jericho"),
            ("textarena", "speed/peers.py mastermind --rounds 1", "aq_gym at most"),
            ("nltk", "speed/peers.py words --rounds 1", "TextArena, no wrappers"),
        )
    ],
)
def test_it_prints_with_other_packages(command, printed):
    assert printed in run(command, warnings="ignore")
