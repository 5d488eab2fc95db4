"""Download a file over HTTP, and unpack a zip or tar archive."""

from __future__ import annotations

import hashlib
import lzma
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from http.client import HTTPException
from pathlib import Path

from gymnasium.error import Error

_CHUNK = 1 << 20
_TIMEOUT = 60.0
_PARTIAL = 206
_OUT_OF_RANGE = 416
_DAMAGE = (
    shutil.ReadError,
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


class DownloadError(Error):
    """Raised if a download fails or does not pass a check."""


def fetch(
    url: str, part: Path, progress: Callable[[int, int], None] | None = None
) -> None:
    """Download a file, resuming an earlier attempt.

    Raises:
        DownloadError: If the file cannot be downloaded in full.
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
    except (OSError, HTTPException) as error:
        raise DownloadError(
            f"{url} cannot be downloaded ({error}); the part received is kept"
        ) from error


def unpack(
    archive: Path,
    folder: Path,
    example: str,
    known: Mapping[str, str] | None,
    digest: str,
) -> None:
    """Unpack an archive, and check that it is the expected one.

    Args:
        archive: A zip archive, or a tar archive without compression.
        folder: The folder to unpack into; no file is written outside it.
        example: A pattern that at least one file name in it must match.
        known: The SHA-256 of files in it by name; empty if the hash of the archive
            itself has been checked, None if no hash is known.
        digest: The archive's SHA-256, for messages.

    Raises:
        DownloadError: If the file is not an archive, is damaged, or does not have the
            known hashes. No file is in the folder then.
    """
    unpacked = folder / f".{archive.name}.unpacked"
    try:
        if tarfile.is_tarfile(archive):
            shutil.unpack_archive(archive, unpacked, "tar", filter="data")
        else:
            shutil.unpack_archive(archive, unpacked, "zip")
        files = {
            path.relative_to(unpacked).as_posix(): path
            for path in unpacked.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        if not any(fnmatchcase(name, example) for name in files):
            raise DownloadError(f"the archive has no file like {example}")
        _check_known(files, known, digest)
        for name, path in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            path.replace(folder / name)
    except _DAMAGE as error:
        raise DownloadError(f"the archive is damaged: {error}") from error
    except OSError as error:
        raise DownloadError(f"the archive cannot be unpacked: {error}") from error
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def _fetch(url: str, part: Path, progress: Callable[[int, int], None] | None) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "aq-gym"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:
        if response.status != _PARTIAL:
            have = 0
        length = response.headers.get("Content-Length") or ""
        total = have + int(length) if length.isdecimal() else 0
        with part.open("ab" if have else "wb") as file:
            while chunk := response.read(_CHUNK):
                have += len(chunk)
                file.write(chunk)
                if progress:
                    progress(have, total)
    if have < total:
        raise DownloadError(
            f"{url} ended after {have} of {total} bytes, which are kept"
        )


def _check_known(
    files: Mapping[str, Path], known: Mapping[str, str] | None, digest: str
) -> None:
    if known is not None and not known:
        return
    present = sorted(set(files).intersection(known or ()))
    if known is None or not present:
        raise DownloadError(
            f"the archive cannot be checked: its SHA-256 ({digest}) is not published "
            "and none of its files has a known SHA-256; pass sha256= if you trust it"
        )
    for name in present:
        with files[name].open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != known[name]:
            raise DownloadError(
                f"the SHA-256 of {name} in the archive is {found} instead of "
                f"{known[name]}"
            )
