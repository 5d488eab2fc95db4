"""Files that are packaged, cached, and downloaded with every byte checked."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from aq_gym._download import DownloadError, fetch, unpack

__all__ = [
    "DOWNLOADS",
    "Download",
    "DownloadError",
    "cache_folder",
    "data_folder",
    "download",
    "packaged",
]


class Download(NamedTuple):
    """A published zip archive.

    Attributes:
        url: Where it is published.
        example: A pattern that some file in it must match.
        variable: The environment variable that names the folder it is unpacked in.
        size: Its size in bytes, 0 where none is known.
        sha256: Its SHA-256, "" where none is known.
        known: Package and name of a packaged list of SHA-256 of files in it, as
            ``sha256sum`` writes it.
        note: What it is, and under which licence.
    """

    url: str
    example: str
    variable: str
    size: int = 0
    sha256: str = ""
    known: tuple[str, str] | None = None
    note: str = ""


DOWNLOADS: dict[str, Download] = {
    "alfworld": Download(
        url=(
            "https://github.com/alfworld/alfworld/releases/download/0.4.0/"
            "json_2.1.2_tw-pddl.zip"
        ),
        example="json_2.1.1/*/*/*/game.tw-pddl",
        variable="ALFWORLD_DATA",
        # The release states neither size nor hash of the archive.
        known=("aq_gym.envs.alfworld", "data/official.sha256"),
        note="ALFWorld's official games (MIT)",
    ),
    "jericho": Download(
        url="https://github.com/BYU-PCCL/z-machine-games/archive/master.zip",
        example="*/jericho-game-suite/zork1.z5",
        variable="AQ_GYM_DATA",
        # An archive of a branch, whose bytes GitHub does not promise to keep.
        known=("aq_gym.envs.jericho", "data/known.sha256"),
        note="story files that Jericho supports (their authors' licences)",
    ),
}


def packaged(package: str, name: str) -> bytes:
    """Read a file that is installed with a package.

    Args:
        package: Such as ``aq_gym.envs.alfworld``.
        name: The file's path in it, with slashes.
    """
    return files(package).joinpath(name).read_bytes()


def cache_folder(name: str = "") -> Path:
    """Return where downloads are kept, without making it.

    Args:
        name: A download's own folder in it.

    Returns:
        ``$AQ_GYM_CACHE``, or ``aq_gym`` in the user's cache folder.
    """
    given = os.environ.get("AQ_GYM_CACHE")
    if given:
        return Path(given).expanduser() / name
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "aq_gym" / name


def data_folder(name: str) -> Path:
    """Return where a download's files are looked for.

    Args:
        name: A key of ``DOWNLOADS``.

    Returns:
        The folder its environment variable names, or its cache folder.

    Raises:
        ValueError: If there is no such download.
    """
    given = os.environ.get(_row(name).variable)
    return Path(given).expanduser() if given else cache_folder(name)


def download(
    name: str,
    url: str | None = None,
    to: str | Path | None = None,
    *,
    size: int = 0,
    sha256: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Download an archive, check it and unpack it; go on where one was broken off.

    Nothing is unpacked that was not checked: against the size and the SHA-256 that
    are given or known, and where neither hash is, against the known SHA-256 of files
    in it. Every file's checksum in the archive is checked in any case.

    Args:
        name: A key of ``DOWNLOADS``.
        url: Another place to get it from.
        to: Another folder to unpack it in.
        size: Its size in bytes, where the table knows none or another is meant.
        sha256: Its SHA-256, likewise.
        progress: Told the bytes there are and the bytes there will be, 0 if unknown.

    Returns:
        The folder it was unpacked in.

    Raises:
        ValueError: If there is no such download or an argument can't be meant.
        DownloadError: If it can't be had, or is not what it should be.
    """
    row = _row(name)
    source = url or row.url
    if not source.startswith(("https://", "http://")):
        raise ValueError(f"url={source!r}: give one that begins with https://")
    folder = Path(to) if to is not None else data_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{name}.zip.part"
    fetch(source, part, progress)
    try:
        digest = _check(part, size or row.size, (sha256 or row.sha256).lower())
        known = {} if sha256 or row.sha256 else _known(row)
        unpack(part, folder, row.example, known, digest)
    except DownloadError:
        # What failed a check must not be resumed.
        part.unlink()
        raise
    part.unlink()
    return folder


def _row(name: str) -> Download:
    if name not in DOWNLOADS:
        raise ValueError(f"name={name!r}: choose one of {', '.join(sorted(DOWNLOADS))}")
    return DOWNLOADS[name]


def _check(part: Path, size: int, sha256: str) -> str:
    found = part.stat().st_size
    if size and found != size:
        raise DownloadError(f"the archive has {found} bytes instead of {size}")
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 and digest != sha256:
        raise DownloadError(f"the archive's SHA-256 is {digest} instead of {sha256}")
    return digest


def _known(row: Download) -> dict[str, str] | None:
    if row.known is None:
        return None
    lines = packaged(*row.known).decode().splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    return {path: digest for digest, path in pairs}
