"""The first sheet of an ``.xlsx`` file, read with size limits."""

from __future__ import annotations

import warnings
from pathlib import Path

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.user_files import (
    DAMAGED_ARCHIVE,
    check_xml,
    open_zip,
)

_LARGEST_UNPACKED = 100_000_000
_MOST_PARTS = 1_000
_MOST_COLUMNS = 20
# What openpyxl and its XML parser, whose errors are SyntaxErrors, raise for files that
# are damaged.
_DAMAGED = (*DAMAGED_ARCHIVE, TypeError, AttributeError, SyntaxError)


class PuzzleFileError(ValueError):
    """A file of puzzles can't be read."""


def read_rows(path: Path, most: int) -> list[list[str]]:
    """Return the first sheet's cells as texts, "" for empty ones.

    Formulas are read as their last values; nothing is computed or run.

    Args:
        path: The file.
        most: How many rows to read at most.

    Raises:
        PuzzleFileError: If the file is damaged or too large when it is unpacked.
        gymnasium.error.DependencyNotInstalled: Without ``openpyxl``.
    """
    try:
        # The package has no types.
        import openpyxl  # type: ignore[import-untyped]
    except ImportError as error:
        raise DependencyNotInstalled(
            "an .xlsx file of puzzles needs openpyxl: pip install 'openpyxl>=3.1', or "
            "give a JSON file"
        ) from error
    try:
        with path.open("rb") as file, warnings.catch_warnings():
            # About styles and extensions that no puzzle needs.
            warnings.simplefilter("ignore")
            with open_zip(path.name, file, _LARGEST_UNPACKED, _MOST_PARTS) as archive:
                for part in archive.infolist():
                    if part.filename.endswith((".xml", ".rels")):
                        check_xml(path.name, archive.read(part))
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            rows = book.worksheets[0].iter_rows(
                max_row=most, max_col=_MOST_COLUMNS, values_only=True
            )
            cells = [["" if c is None else str(c) for c in row] for row in rows]
    except _DAMAGED as error:
        raise PuzzleFileError(f"{path} is not an .xlsx file: {error!s:.200}") from error
    return cells
