"""The benchmarks run; none of the tests asserts a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("script", "arguments", "printed"),
    [
        ("cipher_step.py", ["--rounds", "1"], "target: rails at most 20 us"),
        ("cipher_expert.py", ["--instances", "2"], "| railfence | hard | 100.0% |"),
        ("cipher_similarity.py", ["--pairs", "9"], "two texts: 9 pairs, mean 0."),
    ],
)
def test_a_benchmark_runs(script, arguments, printed):
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "benchmarks" / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout
