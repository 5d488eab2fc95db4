"""The text of documents, read by the libraries of the extra ``gaia``.

This file is run as a program, which imports nothing of this package: a small document
can take any time and memory, and only a process of its own can be stopped.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_MOST_ROWS = 10_000
_MOST_COLUMNS = 200
_MOST_PARTS = 500
_DEEPEST_GROUP = 10
MOST_SECONDS = 20
_MOST_MEMORY = 2**30

# The module that reads each kind of file.
MODULES = {".xlsx": "openpyxl", ".docx": "docx", ".pptx": "pptx", ".pdf": "pypdf"}


def _sheets(content: bytes) -> Iterator[str]:
    """Yield the cells of every sheet, with tabs; a filled cell names its colour."""
    import openpyxl  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        # Warnings about styles and extensions.
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), True, data_only=True)
        for sheet in book.worksheets[:_MOST_PARTS]:
            yield f"Sheet {sheet.title!r}:"
            # A sheet can say that it has millions of empty rows.
            for row in sheet.iter_rows(max_row=_MOST_ROWS, max_col=_MOST_COLUMNS):
                yield "\t".join(map(_cell, row)).rstrip("\t")


def _cell(cell: Any) -> str:
    text = "" if cell.value is None else str(cell.value)
    fill = cell.fill if getattr(cell, "has_style", False) else None
    if fill is None or fill.fill_type != "solid":
        return text
    color = fill.fgColor
    name = color.rgb[-6:] if color.type == "rgb" else f"{color.type} {color.value}"
    return f"{text} [filled {name}]".lstrip()


def _paragraphs(content: bytes) -> Iterator[str]:
    """Yield the paragraphs and tables of a document of Word, in order."""
    import docx
    from docx.table import Table

    for block in docx.Document(io.BytesIO(content)).iter_inner_content():
        if not isinstance(block, Table):
            yield block.text
            continue
        for row in block.rows:
            yield "\t".join(cell.text for cell in row.cells)


def _slides(content: bytes) -> Iterator[str]:
    """Yield the texts, tables and notes of every slide."""
    import pptx

    for number, slide in enumerate(pptx.Presentation(io.BytesIO(content)).slides, 1):
        if number > _MOST_PARTS:
            return
        yield f"Slide {number}:"
        yield from _shapes(slide.shapes, 0)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield f"Notes: {slide.notes_slide.notes_text_frame.text}"


def _shapes(shapes: Any, depth: int) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _DEEPEST_GROUP:
            yield from _shapes(shape.shapes, depth + 1)
        elif getattr(shape, "has_table", False):
            for row in shape.table.rows:
                yield "\t".join(cell.text for cell in row.cells)
        elif shape.has_text_frame:
            yield shape.text_frame.text
        else:
            yield f"[{shape.name}: not a text]"


def _pages(content: bytes) -> Iterator[str]:
    """Yield the text of every page of a PDF."""
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it is encrypted")
    for number, page in enumerate(reader.pages, 1):
        if number > _MOST_PARTS:
            return
        yield f"Page {number}:"
        yield page.extract_text()


# Each reader yields parts of the text, and may raise any error of its library.
READERS: dict[str, Callable[[bytes], Iterator[str]]] = {
    ".xlsx": _sheets,
    ".docx": _paragraphs,
    ".pptx": _slides,
    ".pdf": _pages,
}


def main() -> None:
    """Write the text of the document at the standard input, or what is wrong with it.

    The arguments are the kind of the document and how many characters are read.
    """
    # openpyxl would import it, which takes as long as all else.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    # Windows has no such limits, and macOS not all of them.
    with contextlib.suppress(ImportError):
        import resource

        limits = {"RLIMIT_CPU": MOST_SECONDS, "RLIMIT_AS": _MOST_MEMORY}
        for name, most in limits.items():
            # The user's own limit stays if it is lower.
            with contextlib.suppress(AttributeError, ValueError):
                resource.setrlimit(getattr(resource, name), (most, most))
    text = ""
    try:
        for part in READERS[sys.argv[1]](sys.stdin.buffer.read()):
            text += f"{part}\n"
            if len(text) > int(sys.argv[2]) + 1:
                break
        answer = {"text": text[:-1]}
    except MemoryError:
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 (a library may raise any)
        answer = {"error": str(error)[:100]}
    print(json.dumps(answer))  # noqa: T201


if __name__ == "__main__":
    main()
