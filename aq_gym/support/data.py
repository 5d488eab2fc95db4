"""Packaged files, the cache folder, and checked downloads."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
import shutil
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from http.client import HTTPException
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gymnasium.error import Error

CANARY = "aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915"
"""Each of our data files and pages has it: what contains it has swallowed them."""
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


class Download(NamedTuple):
    """A published archive: zip, or tar without compression.

    Attributes:
        name: The name that ``aq-gym download`` takes.
        url: The URL where it is published.
        example: A pattern that at least one file name in it must match.
        variable: The environment variable that names the folder to unpack it in.
        size: Its size in bytes, 0 if unknown.
        sha256: Its SHA-256, "" if unknown.
        known: The package and file name of a packaged list of the SHA-256 of files in
            it, in the format of ``sha256sum``.
        note: A description with the licence.
        gated: Instructions for getting it, if that needs an account; it is then not
            downloaded.
    """

    name: str
    url: str
    example: str
    variable: str
    size: int = 0
    sha256: str = ""
    known: tuple[str, str] | None = None
    note: str = ""
    gated: str = ""


def packaged(package: str, name: str) -> bytes:
    """Return the content of a file that is installed with a package.

    Args:
        package: The package, for example ``aq_gym.envs.alfworld``.
        name: The path of the file in it, with slashes.
    """
    return files(package).joinpath(name).read_bytes()


def packaged_text(package: str, name: str) -> str:
    """Return the text of a packaged file without its first line with the canary.

    Args:
        package: As for :func:`packaged`.
        name: As for :func:`packaged`; ``.gz`` is unpacked.
    """
    data = packaged(package, name)
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    first, _, rest = text.partition("\n")
    return rest if first.endswith(CANARY) else text


def packaged_json(package: str, name: str) -> Any:
    """Return the value of a packaged JSON file without the canary.

    It is the value of an object's key "canary", or an item of a list.
    """
    value = json.loads(packaged(package, name))
    if isinstance(value, list):
        return [one for one in value if one != CANARY]
    return {key: one for key, one in value.items() if one != CANARY}


def cache_folder(name: str = "") -> Path:
    """Return the folder for downloads, without creating it.

    Returns:
        ``$AQ_GYM_CACHE``, or ``aq_gym`` in the user's cache folder.
    """
    given = os.environ.get("AQ_GYM_CACHE")
    if given:
        return Path(given).expanduser() / name
    return _own_folder("Caches", "XDG_CACHE_HOME", "~/.cache") / name


def state_folder(name: str) -> Path:
    """Return a folder for a user's files outside any project, without creating it.

    Returns:
        The folder of this name in ``aq_gym`` in the user's folder for programs'
        records.
    """
    home = "~/.local/state"
    return _own_folder("Application Support", "XDG_STATE_HOME", home) / name


def _own_folder(library: str, variable: str, usual: str) -> Path:
    """Return aq_gym's folder where the operating system keeps such folders."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = f"~/Library/{library}"
    else:
        base = os.environ.get(variable) or usual
    return Path(base).expanduser() / "aq_gym"


def named_checkout(variable: str, part: str, url: str) -> Path | None:
    """Return the checkout that an environment variable names; None if it is not set.

    Args:
        variable: The environment variable.
        part: A folder that the checkout must have.
        url: The repository.

    Raises:
        FileNotFoundError: If it names no checkout.
    """
    if not (given := os.environ.get(variable)):
        return None
    root = Path(given).expanduser()
    if (root / part).is_dir():
        return root
    raise FileNotFoundError(
        f"{variable}={given!r} has no {part}: give the path of a checkout of {url}, or "
        "unset it"
    )


def data_folder(archive: Download) -> Path:
    """Return the folder in which the files of a download are searched.

    Returns:
        The folder named by its environment variable, or its cache folder.
    """
    given = os.environ.get(archive.variable)
    return Path(given).expanduser() if given else cache_folder(archive.name)


def source_of(
    archive: Download, data_dir: str | None, files: Iterable[Path] = ()
) -> Literal["generated", "published", "user"]:
    """Return where the instances of a benchmark with published files come from.

    Args:
        archive: The published files.
        data_dir: The folder that is read: "downloaded" for that of the download, None
            for generated instances.
        files: The files that are read.

    Returns:
        "published" for the folder of the download, or if the SHA-256 of every file is
        known; "user" for other files.
    """
    if data_dir is None:
        return "generated"
    folder, given = data_folder(archive).resolve(), Path(data_dir).expanduser()
    if data_dir == "downloaded" or given.resolve() == folder:
        return "published"
    known = (_known(archive) or {}).values()
    digests = {hashlib.sha256(one.read_bytes()).hexdigest() for one in files}
    return "published" if digests and digests <= {*known} else "user"


def download(
    archive: Download,
    url: str | None = None,
    to: str | Path | None = None,
    *,
    size: int = 0,
    sha256: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Download an archive, check it and unpack it, resuming an earlier attempt.

    Nothing is unpacked before it is checked: against the size and the SHA-256 that are
    given or known or, if neither hash is known, against the known SHA-256 of files in
    it. The checksum of every file in the archive is always checked.

    Args:
        archive: The archive.
        url: Another URL for the archive.
        to: Another folder to unpack it in.
        size: The expected size in bytes, in place of the known size.
        sha256: The expected SHA-256, in place of the known hash.
        progress: Called with the number of bytes received and the total, 0 if unknown.

    Returns:
        The folder with the unpacked files.

    Raises:
        ValueError: If ``url`` is not an HTTP URL.
        DownloadError: If the download fails, does not pass a check, or needs an
            account.
    """
    if archive.gated and url is None:
        raise DownloadError(archive.gated)
    source = url or archive.url
    if not source.startswith(("https://", "http://")):
        raise ValueError(f"url={source!r} must begin with https:// or http://")
    folder = Path(to) if to is not None else data_folder(archive)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{archive.name}.zip.part"
    _download(source, part, progress)
    try:
        digest = _check(part, size or archive.size, (sha256 or archive.sha256).lower())
        known = {} if sha256 or archive.sha256 else _known(archive)
        _unpack(part, folder, archive.example, known, digest)
    except DownloadError:
        # A file that failed a check must not be resumed.
        part.unlink()
        raise
    part.unlink()
    return folder


def _check(part: Path, size: int, sha256: str) -> str:
    found = part.stat().st_size
    if size and found != size:
        raise DownloadError(f"the archive has {found} bytes instead of {size}")
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 and digest != sha256:
        raise DownloadError(f"the archive's SHA-256 is {digest} instead of {sha256}")
    return digest


def _known(archive: Download) -> dict[str, str] | None:
    if archive.known is None:
        return None
    lines = packaged(*archive.known).decode().splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    return {path: digest for digest, path in pairs}


def _download(
    url: str, part: Path, progress: Callable[[int, int], None] | None = None
) -> None:
    """Download a file, resuming an earlier attempt.

    Raises:
        DownloadError: If the file cannot be downloaded in full.
    """
    try:
        _request(url, part, progress)
    except urllib.error.HTTPError as error:
        if error.code != _OUT_OF_RANGE or not part.exists():
            raise DownloadError(
                f"{url} returned {error.code} {error.reason}"
            ) from error
        # The part has at least the file's length; the later checks decide whether it is
        # valid.
        total = (error.headers.get("Content-Range") or "").rpartition("/")[2]
        if total != str(part.stat().st_size):
            part.unlink()
            _download(url, part, progress)
    except (OSError, HTTPException) as error:
        raise DownloadError(
            f"{url} cannot be downloaded ({error}); the part received is kept"
        ) from error


def _unpack(
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
        found = {
            path.relative_to(unpacked).as_posix(): path
            for path in unpacked.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        if not any(fnmatchcase(name, example) for name in found):
            raise DownloadError(f"the archive has no file like {example}")
        _check_known(found, known, digest)
        for name, path in found.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            path.replace(folder / name)
    except _DAMAGE as error:
        raise DownloadError(f"the archive is damaged: {error}") from error
    except OSError as error:
        raise DownloadError(f"the archive cannot be unpacked: {error}") from error
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def _request(url: str, part: Path, progress: Callable[[int, int], None] | None) -> None:
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
