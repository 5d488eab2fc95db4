"""The benchmarks of ScienceWorld run; their figures are in the README of its folder."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("module:scienceworld")


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["scienceworld_step.py", "--rounds", "1", "--tasks", "find-plant"], "package"),
        (
            ["scienceworld_expert.py", "--variations", "1", "--tasks", "find-plant"],
            "1 of 1 solved",
        ),
    ],
)
def test_it_runs(root, arguments, printed):
    script, *options = arguments
    done = subprocess.run(
        [sys.executable, root / "benchmarks" / script, *options],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout
