"""Fetching a file over HTTP, and unpacking a zip archive that may be hostile."""

from __future__ import annotations

import hashlib
import shutil
import stat
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath, PureWindowsPath

from gymnasium.error import Error

__all__ = ["DownloadError", "fetch", "unpack"]

_CHUNK = 1 << 20
_TIMEOUT = 60.0
_LARGEST = 8 << 30
_PARTIAL = 206
_OUT_OF_RANGE = 416


class DownloadError(Error):
    """A download that failed or is not what it should be."""


class BrokenOffError(DownloadError):
    """A download that ended too soon; what there is of it can be resumed."""


def fetch(
    url: str, part: Path, progress: Callable[[int, int], None] | None = None
) -> None:
    """Fetch a file, going on from what an earlier try left.

    Args:
        url: Where it is.
        part: The file to write, perhaps begun already.
        progress: Told the bytes there are and the bytes there will be.

    Raises:
        DownloadError: If it can't be had in full.
    """
    try:
        _fetch(url, part, progress)
    except urllib.error.HTTPError as error:
        if error.code != _OUT_OF_RANGE or not part.exists():
            raise DownloadError(f"{url} answers {error.code} {error.reason}") from error
        # The part is as long as the file, or longer: the checks will tell.
        total = (error.headers.get("Content-Range") or "").rpartition("/")[2]
        if total != str(part.stat().st_size):
            part.unlink()
            fetch(url, part, progress)
    except (OSError, HTTPException) as error:
        raise BrokenOffError(
            f"{url} can't be fetched ({error}); what there is of it is kept: try again"
        ) from error


def unpack(
    archive: Path,
    folder: Path,
    example: str,
    known: Mapping[str, str] | None,
    digest: str,
) -> None:
    """Unpack a zip archive, once it is known to be harmless and the right one.

    Args:
        archive: The archive.
        folder: Where to; no file is written outside it.
        example: A pattern that some file in it must match.
        known: SHA-256 of files in it; empty when the archive's own has been checked,
            None when nothing is known at all.
        digest: The archive's SHA-256, for messages.

    Raises:
        DownloadError: If it is not a zip archive, is damaged, has a path that leads
            out of the folder, or is not what it should be.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = [item for item in opened.infolist() if not item.is_dir()]
            for member in members:
                _check_path(member)
            if sum(member.file_size for member in members) > _LARGEST:
                raise DownloadError(f"the archive unpacks to over {_LARGEST} bytes")
            if not any(fnmatchcase(member.filename, example) for member in members):
                raise DownloadError(f"the archive has no file like {example}")
            _check_known(opened, known, digest)
            for member in members:
                _write(opened, member, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DownloadError(f"the archive is damaged: {error}") from error


def _fetch(url: str, part: Path, progress: Callable[[int, int], None] | None) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "aq-gym"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:
        if response.status != _PARTIAL:
            have = 0
        total = _total(response, have)
        with part.open("ab" if have else "wb") as file:
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                have += len(chunk)
                if progress:
                    progress(have, total)
    if have < total:
        raise BrokenOffError(
            f"{url} broke off after {have} of {total} bytes, which are kept: try again"
        )


def _total(response: HTTPResponse, have: int) -> int:
    """Return how long the file will be, 0 if the server does not say."""
    length = response.headers.get("Content-Length")
    return have + int(length) if length and length.isdecimal() else 0


def _check_path(member: zipfile.ZipInfo) -> None:
    """Refuse a member that would be written elsewhere than in the folder."""
    name = member.filename
    path = PurePosixPath(name)
    windows = PureWindowsPath(name)
    leads_out = path.is_absolute() or ".." in path.parts or ".." in windows.parts
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    if leads_out or windows.drive or windows.root or is_link or "\0" in name:
        raise DownloadError(f"the archive has an unsafe member, {name!r}")


def _check_known(
    opened: zipfile.ZipFile, known: Mapping[str, str] | None, digest: str
) -> None:
    if known is not None and not known:
        return
    present = set(opened.namelist()).intersection(known or ())
    if known is None or not present:
        raise DownloadError(
            f"the archive can't be checked: no SHA-256 of it is published (it has "
            f"{digest}) and it has no file whose SHA-256 is known; give sha256= if "
            "you know it to be right"
        )
    for name in sorted(present):
        with opened.open(name) as file:
            found = hashlib.sha256(file.read()).hexdigest()
        if found != known[name]:
            raise DownloadError(
                f"the SHA-256 of {name} in the archive is {found} instead of "
                f"{known[name]}"
            )


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path) -> None:
    """Write a member so that a file that is there is always a whole one."""
    target = folder / member.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.part")
    try:
        with opened.open(member) as source, partial.open("wb") as file:
            shutil.copyfileobj(source, file, _CHUNK)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
