"""Run the notebooks of docs/notebooks/ and keep their output.

Each runs in an empty folder of its own::

    python tools/notebooks.py [NAME ...]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "docs" / "notebooks"
# Seconds for a cell, and for the start of the kernel, on a machine that is busy.
_TIMEOUT = 1_200


def executed(
    path: Path, folder: Path, replace: Mapping[str, str] | None = None
) -> nbformat.NotebookNode:
    """Return a notebook with the output of a run.

    Args:
        path: The notebook.
        folder: The folder in which it runs.
        replace: Code to replace, for a shorter run; each must occur.

    Raises:
        ValueError: If code that should be replaced does not occur.
        nbclient.exceptions.CellExecutionError: If a cell raises an error.
    """
    notebook = nbformat.read(path, as_version=4)
    for old, new in (replace or {}).items():
        cells = [cell for cell in notebook.cells if old in cell.source]
        if not cells:
            raise ValueError(f"{path.name} does not contain {old!r}")
        for cell in cells:
            cell.source = cell.source.replace(old, new)
    NotebookClient(
        notebook,
        timeout=_TIMEOUT,
        startup_timeout=_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        # The kernel warns that its local ports are not encrypted.
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    for cell in notebook.cells:
        # The time of the run is removed, because it differs each time.
        cell.metadata.pop("execution", None)
    return notebook


def main() -> None:
    """Run the notebooks and write them with their output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names without suffix; all if none")
    names = parser.parse_args().names
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not names or path.stem in names:
            with tempfile.TemporaryDirectory() as folder:
                nbformat.write(executed(path, Path(folder)), path)


if __name__ == "__main__":
    main()
