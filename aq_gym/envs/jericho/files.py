"""Find and read story files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aq_gym.support.data import Download, data_folder
from aq_gym.support.user_files import read_bytes

# Where they are in the download.
_IN_ARCHIVE = Path("z-machine-games-master", "jericho-game-suite")
_LARGEST_FILE = 1_000_000
DOWNLOAD = Download(
    name="jericho",
    url="https://github.com/BYU-PCCL/z-machine-games/archive/master.zip",
    example="*/jericho-game-suite/zork1.z5",
    variable="AQ_GYM_DATA",
    # An archive of a branch, whose bytes GitHub does not guarantee.
    known=("aq_gym.envs.jericho", "data/known.sha256"),
    note="story files that Jericho supports (their authors' licences)",
)


def find_file(name: str, notes: Mapping[str, Any], games: str | None) -> Path:
    """Find a known title's file.

    Raises:
        FileNotFoundError: If it is in none of the folders.
    """
    folders = _folders(games)
    for folder in folders:
        path = story_file(str(folder / notes["file"]))
        if path is not None:
            return path
    places = " or ".join(f"{folder!s:.200}" for folder in folders)
    raise FileNotFoundError(
        f"game={name!r} needs the story file {notes['file']} (md5 {notes['md5']}) in "
        f"{places}; set AQ_GYM_DATA, give games='folder', or get it with "
        "`aq-gym download jericho`"
    )


def story_file(path: str) -> Path | None:
    """Return a path that a user gave, None where no file can be under it."""
    try:
        found = Path(path).expanduser()
        return found if found.is_file() else None
    except (OSError, RuntimeError):
        # The name is too long, the folder is not readable, or the user is unknown.
        return None


def _folders(games: str | None) -> list[Path]:
    if games is not None:
        return [Path(games)]
    data = data_folder(DOWNLOAD)
    return [data / "jericho", data, data / _IN_ARCHIVE]


def read(path: Path) -> bytes:
    """Read a story file.

    Raises:
        UserFileError: If it is too large to be one.
    """
    return read_bytes(path, _LARGEST_FILE)


def md5(story: bytes) -> str:
    """Return the hash that distinguishes releases."""
    return hashlib.md5(story, usedforsecurity=False).hexdigest()
