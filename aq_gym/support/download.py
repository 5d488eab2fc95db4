"""Download a file over HTTP and unpack a zip or tar archive that may be hostile."""

from __future__ import annotations

import hashlib
import lzma
import os
import shutil
import stat
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Self, TypeAlias

from gymnasium.error import Error

from aq_gym.support.user_files import is_bounded

_CHUNK = 1 << 20
_TIMEOUT = 60.0
# The largest number of bytes of a download, and of its unpacked files.
LARGEST = 8 << 30
_LONGEST_NAME = 255
_LONGEST_PATH = 1_000
_PARTIAL = 206
_OUT_OF_RANGE = 416
# Where a tar archive has its magic number.
_TAR_MAGIC = 257


_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    LookupError,
    RuntimeError,
    ValueError,
)


class _Tar:
    """A tar archive with the methods of a zip archive that are used here."""

    def __init__(self, path: Path) -> None:
        self._tar = tarfile.TarFile(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._tar.close()

    def infolist(self) -> list[zipfile.ZipInfo]:
        """Return its members; all but files and folders count as links."""
        infos = []
        for member in self._tar.getmembers():
            info = zipfile.ZipInfo(f"{member.name}/" if member.isdir() else member.name)
            info.file_size = member.size
            if not (member.isreg() or member.isdir()):
                info.external_attr = stat.S_IFLNK << 16
            infos.append(info)
        return infos

    def namelist(self) -> list[str]:
        """Return the names of its members."""
        return self._tar.getnames()

    def open(self, name: str | zipfile.ZipInfo) -> IO[bytes]:
        """Open a member that is a file."""
        file = self._tar.extractfile(name if isinstance(name, str) else name.filename)
        assert file is not None
        return file


_Archive: TypeAlias = zipfile.ZipFile | _Tar


class DownloadError(Error):
    """Raised if a download fails or does not pass a check."""


class IncompleteDownloadError(DownloadError):
    """Raised if a download ends early; it can be resumed."""


class TooLargeError(DownloadError):
    """Raised if a download exceeds the limit."""


def fetch(
    url: str, part: Path, progress: Callable[[int, int], None] | None = None
) -> None:
    """Download a file, resuming an earlier attempt.

    Raises:
        DownloadError: If the file cannot be downloaded in full, or has more than 8 GiB.
    """
    try:
        _fetch(url, part, progress)
    except urllib.error.HTTPError as error:
        if error.code != _OUT_OF_RANGE or not part.exists():
            raise DownloadError(
                f"{url} returned {error.code} {error.reason}"
            ) from error
        # The part is as long as the file, or longer; the checks that follow decide.
        total = (error.headers.get("Content-Range") or "").rpartition("/")[2]
        if total != str(part.stat().st_size):
            part.unlink()
            fetch(url, part, progress)
    except TooLargeError:
        part.unlink(missing_ok=True)
        raise
    except (OSError, HTTPException) as error:
        raise IncompleteDownloadError(
            f"{url} cannot be downloaded ({error}); the part received is kept"
        ) from error


def unpack(
    archive: Path,
    folder: Path,
    example: str,
    known: Mapping[str, str] | None,
    digest: str,
) -> None:
    """Unpack an archive after checking that it is safe and the expected one.

    Args:
        archive: A zip archive, or a tar archive without compression.
        folder: The folder to unpack into; no file is written outside it.
        example: A pattern that at least one file name in it must match.
        known: The SHA-256 of files in it by name; empty if the hash of the archive
            itself has been checked, None if no hash is known.
        digest: The archive's SHA-256, for messages.

    Raises:
        DownloadError: If the file is not an archive, is damaged, has a path that
            leads out of the folder, or does not have the known hashes.
    """
    try:
        with _opened(archive) as opened:
            members = [item for item in opened.infolist() if item.filename[-1:] != "/"]
            for member in members:
                _check_path(member)
            _check_clashes(members)
            if sum(member.file_size for member in members) > LARGEST:
                raise DownloadError(f"the archive unpacks to over {LARGEST} bytes")
            if not any(fnmatchcase(member.filename, example) for member in members):
                raise DownloadError(f"the archive has no file like {example}")
            _check_known(opened, known, digest)
            for member in members:
                _write(opened, member, folder)
    except _DAMAGE as error:
        raise DownloadError(f"the archive is damaged: {error}") from error
    except OSError as error:
        raise DownloadError(f"the archive cannot be unpacked: {error}") from error


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
        if total > LARGEST:
            raise TooLargeError(f"{url} has {total} bytes; at most {LARGEST} are read")
        with part.open("ab" if have else "wb") as file:
            while chunk := response.read(_CHUNK):
                have += len(chunk)
                if have > LARGEST:
                    raise TooLargeError(f"{url} has more than {LARGEST} bytes")
                file.write(chunk)
                if progress:
                    progress(have, total)
    if have < total:
        raise IncompleteDownloadError(
            f"{url} ended after {have} of {total} bytes, which are kept"
        )


def _total(response: HTTPResponse, have: int) -> int:
    """Return the length of the whole file in bytes, 0 if it is unknown."""
    length = response.headers.get("Content-Length")
    return have + int(length) if length and length.isdecimal() else 0


def _opened(archive: Path) -> _Archive:
    with archive.open("rb") as file:
        file.seek(_TAR_MAGIC)
        is_tar = file.read(5) == b"ustar"
    return _Tar(archive) if is_tar else zipfile.ZipFile(archive)


def _check_path(member: zipfile.ZipInfo) -> None:
    """Raise if a member would be written outside the folder."""
    name = member.filename
    path = PurePosixPath(name)
    windows = PureWindowsPath(name)
    leads_out = path.is_absolute() or ".." in path.parts or ".." in windows.parts
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    # For "a/" and the like, no name is left.
    no_name = not path.parts or not path.name.strip(". ")
    too_long = len(os.fsencode(name)) > _LONGEST_PATH or any(
        len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts
    )
    unsafe = leads_out or windows.drive or windows.root or is_link or "\0" in name
    if unsafe or no_name or too_long:
        raise DownloadError(f"the archive has an unsafe member, {name!r:.200}")
    if not is_bounded(member):
        raise DownloadError(
            f"the archive has a member that is encrypted or packed in another way than "
            f"by deflation, {name!r:.200}"
        )


def _check_clashes(members: list[zipfile.ZipInfo]) -> None:
    """Raise if two members have one path, or one is a folder of another."""
    # Case does not matter on some file systems.
    paths = [PurePosixPath(member.filename.casefold()) for member in members]
    seen = set(paths)
    if len(seen) < len(paths) or any(seen & set(path.parents) for path in paths):
        raise DownloadError("the archive has members whose paths clash")


def _check_known(
    opened: _Archive, known: Mapping[str, str] | None, digest: str
) -> None:
    if known is not None and not known:
        return
    present = set(opened.namelist()).intersection(known or ())
    if known is None or not present:
        raise DownloadError(
            f"the archive cannot be checked: its SHA-256 ({digest}) is not published "
            "and none of its files has a known SHA-256; pass sha256= if you trust it"
        )
    for name in sorted(present):
        with opened.open(name) as file:
            # It has every method that is used here, which its declared type does not
            # say.
            found = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        if found != known[name]:
            raise DownloadError(
                f"the SHA-256 of {name} in the archive is {found} instead of "
                f"{known[name]}"
            )


def _write(opened: _Archive, member: zipfile.ZipInfo, folder: Path) -> None:
    """Write a member under a temporary name, then rename it, so that it is complete."""
    target = folder / member.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.part")
    try:
        with opened.open(member) as source, partial.open("wb") as file:
            shutil.copyfileobj(source, file, _CHUNK)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
