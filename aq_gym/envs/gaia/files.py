"""The file of a question, read as text with size limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from functools import lru_cache
from pathlib import Path, PurePosixPath

from aq_gym.envs.gaia import documents
from aq_gym.envs.gaia.documents import READERS
from aq_gym.support.process import search_path
from aq_gym.support.user_files import (
    DAMAGED_ARCHIVE,
    UserFileError,
    open_zip,
)
from aq_gym.tools import ToolError

PAGE = 8_000
_MOST_TEXT = 50 * PAGE
_LARGEST_FILE = 32 * 2**20
_LARGEST_XML = 16 * 2**20
_MOST_LISTED = 200
_KINDS = {
    "an image": "png jpg jpeg gif bmp tif tiff webp svg heic ico",
    "sound": "mp3 wav m4a ogg flac aac wma",
    "a video": "mp4 mov avi mkv webm m4v",
}
_MEDIA = {f".{end}": kind for kind, ends in _KINDS.items() for end in ends.split()}


class UnreadableFileError(ToolError):
    """A file can't be read; the message says why, for the agent."""


# A restored state asks for it again.
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
        path: The file. What is in a zip archive is named ``ARCHIVE/MEMBER``.

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
        UnreadableFileError: If it can't be read: it is an image or sound, too large,
            damaged, or of an unknown kind.
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
    kind = kind_of(name)
    if kind != ".pdf":
        _check_office(name, content)
    command = [sys.executable, "-P", documents.__file__, kind, str(_MOST_TEXT)]
    try:
        # Its own limits are of processor time; this ends one that waits.
        said = subprocess.run(
            command,
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": search_path()},
            timeout=20 * documents.MOST_SECONDS,
            check=True,
        ).stdout
    except subprocess.SubprocessError as error:
        raise UnreadableFileError(
            f"{name} can't be read within {documents.MOST_SECONDS} seconds and 1 GiB."
        ) from error
    answer: dict[str, str] = json.loads(said)
    if "error" in answer:
        raise UnreadableFileError(f"{name} is damaged: {answer['error']}")
    return answer["text"]


def _check_office(name: str, content: bytes) -> None:
    """Refuse XML that is too large."""
    with _open_zip(name, content) as archive:
        parts = [
            one
            for one in archive.infolist()
            if kind_of(one.filename) in (".xml", ".rels")
        ]
        size = sum(part.file_size for part in parts)
        if size > _LARGEST_XML:
            raise UnreadableFileError(
                f"{name} has {size:,} bytes of XML; at most {_LARGEST_XML:,} are read."
            )


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
