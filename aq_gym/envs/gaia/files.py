"""The file of a question as text; the libraries of the extra ``gaia`` read documents.

The user's files are trusted as much as their owner.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from aq_gym.support.user_files import (
    DAMAGED_ARCHIVE,
    UserFileError,
    open_zip,
)
from aq_gym.tools import ToolError

PAGE = 8_000
_MOST_TEXT = 50 * PAGE
_LARGEST_FILE = 32 * 2**20
_MOST_LISTED = 200
_MOST_ROWS, _MOST_COLUMNS = 10_000, 200
# The module that reads each kind of document.
MODULES = {".xlsx": "openpyxl", ".docx": "docx", ".pptx": "pptx", ".pdf": "pypdf"}
_KINDS = {
    "an image": "png jpg jpeg gif bmp tif tiff webp svg heic ico",
    "sound": "mp3 wav m4a ogg flac aac wma",
    "a video": "mp4 mov avi mkv webm m4v",
}
_MEDIA = {f".{end}": kind for kind, ends in _KINDS.items() for end in ends.split()}


class UnreadableFileError(ToolError):
    """A file can't be read; the message says why, for the agent."""


# Restoring a state calls this again with the same names.
@lru_cache(maxsize=256)
def kind_of(name: str) -> str:
    """Return the extension of a file's name in lower case, such as ``.xlsx``."""
    return PurePosixPath(name).suffix.lower()


def is_media(name: str) -> bool:
    """Return whether a file is an image, sound or a video, by its name."""
    return kind_of(name) in _MEDIA


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names by which a file can be read: its own, or those in an archive.

    Args:
        path: The file. A member of a zip archive is named ``ARCHIVE/MEMBER``.

    Raises:
        UnreadableFileError: If it is an archive that can't be read.
    """
    return (
        _names(path, _changed(path)) if kind_of(path.name) == ".zip" else (path.name,)
    )


@lru_cache(maxsize=64)
def _names(path: Path, changed: int) -> tuple[str, ...]:
    with _open_zip(path.name, _content(path)) as archive:
        inside = [one.filename for one in archive.infolist() if not one.is_dir()]
    return tuple(f"{path.name}/{name}" for name in inside[:_MOST_LISTED])


def read_text(path: Path, name: str) -> str:
    """Return the text of a file; the latest texts are cached.

    Args:
        path: The file.
        name: One of its names.

    Raises:
        UnreadableFileError: If the file is an image or sound, too large, damaged, or of
            an unknown kind.
    """
    return _read_text(path, name, _changed(path))


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise UnreadableFileError(f"{path.name} can't be opened.") from error


@lru_cache(maxsize=16)
def _read_text(path: Path, name: str, changed: int) -> str:
    kind = kind_of(name)
    content = _content(path)
    if name != path.name:
        content = _member(path.name, content, name[len(path.name) + 1 :])
    if kind in _MEDIA:
        raise UnreadableFileError(
            f"{name} is {_MEDIA[kind]} ({len(content):,} bytes). Images, sound and "
            "videos can't be read here."
        )
    if kind == ".zip":
        raise UnreadableFileError(f"{name} is an archive inside another: not read.")
    text = _document(name, content) if kind in READERS else _decoded(name, content)
    if len(text) > _MOST_TEXT:
        text = f"{text[:_MOST_TEXT]}\n[The rest is cut: {_MOST_TEXT:,} characters.]"
    return text


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFileError(f"{path.name} can't be opened.") from error
    if len(content) > _LARGEST_FILE:
        raise UnreadableFileError(
            f"{path.name} has more than {_LARGEST_FILE:,} bytes: not read."
        )
    return content


def _open_zip(name: str, content: bytes) -> zipfile.ZipFile:
    try:
        return open_zip(name, content)
    except UserFileError as error:
        raise UnreadableFileError(f"{error}.") from error


def _member(archive_name: str, content: bytes, member: str) -> bytes:
    try:
        with _open_zip(archive_name, content) as archive:
            inner = archive.read(member)
    except DAMAGED_ARCHIVE as error:
        raise UnreadableFileError(f"{member} is damaged: {error!s:.100}") from error
    if len(inner) > _LARGEST_FILE:
        raise UnreadableFileError(
            f"{member} has {len(inner):,} bytes; at most {_LARGEST_FILE:,} are read."
        )
    return inner


def _document(name: str, content: bytes) -> str:
    text = ""
    try:
        for part in READERS[kind_of(name)](content):
            text += f"{part}\n"
            if len(text) > _MOST_TEXT + 1:
                break
    except Exception as error:  # The libraries raise anything for a damaged file.
        raise UnreadableFileError(f"{name} is damaged: {error!s:.100}") from error
    return text[:-1]


def _decoded(name: str, content: bytes) -> str:
    utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        text = "" if b"\0" in content else content.decode("cp1252", errors="replace")
        binary = not text or text.count("\ufffd") > len(text) // 100
        if binary:
            text = "\0"
    if "\0" in text:
        raise UnreadableFileError(
            f"{name} ({len(content):,} bytes) is not a text or a document that can be "
            f"read here: {', '.join(READERS)}, .zip and text files."
        )
    return text


def _sheets(content: bytes) -> Iterator[str]:
    """Yield the cells of every sheet, with tabs; a filled cell names its colour."""
    import openpyxl  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        # openpyxl warns about styles and extensions that it ignores.
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), True, data_only=True)
        for sheet in book.worksheets:
            yield f"Sheet {sheet.title!r}:"
            # A sheet can claim to have millions of rows that are empty.
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
        yield f"Slide {number}:"
        yield from _shapes(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield f"Notes: {slide.notes_slide.notes_text_frame.text}"


def _shapes(shapes: Any) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
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
        yield f"Page {number}:"
        yield page.extract_text()


# Each reader yields parts of the text, and may raise any exception of its library.
READERS: dict[str, Callable[[bytes], Iterator[str]]] = {
    ".xlsx": _sheets,
    ".docx": _paragraphs,
    ".pptx": _slides,
    ".pdf": _pages,
}
