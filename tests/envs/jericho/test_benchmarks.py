"""The benchmarks run; how fast anything is stands in none of the tests."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


def run(root, script, *arguments):
    done = subprocess.run(
        [sys.executable, root / "benchmarks" / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.needs("module:jericho")
def test_step(root):
    printed = run(root, "jericho_step.py", "--rounds", "1", "maze")
    assert "aq_gym at most 1.6 x jericho" in printed


def test_actions(root):
    printed = run(root, "jericho_actions.py", "--nodes", "20", "maze")
    assert "next step found at least 99.4%: met (100.0%)" in printed
    assert "| maze | " in printed
    assert "nodes/s" in printed and "p95 ms" in printed


def test_fuzz(root):
    printed = run(root, "jericho_fuzz.py", "--count", "16")
    assert "museum {'steps': 2" in printed
