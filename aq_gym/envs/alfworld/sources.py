"""Where games come from: made from numbers, or read from the official files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from aq_gym.data import data_folder
from aq_gym.envs.alfworld import official
from aq_gym.envs.alfworld.generator import generate
from aq_gym.envs.alfworld.generator.export import official_texts
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.official import Game
from aq_gym.envs.alfworld.text import Words

__all__ = [
    "GENERATED",
    "OFFICIAL",
    "Files",
    "Generated",
    "Source",
    "official_games",
    "one_game",
]

GENERATED = {"generated": "all", "generated_train": "train", "generated_test": "test"}
OFFICIAL = ("train", "valid_train", "valid_seen", "valid_unseen")
GAME_FILE = "game.tw-pddl"
_FOLDER = "json_2.1.1"
_NUMBERS = 2**32


class Source(Protocol):
    """What an environment draws its games from."""

    def draw(self, rng: np.random.Generator) -> str:
        """Draw the id of a game."""

    def check(self, task_id: object) -> str:
        """Return an id of this source's; raise ValueError for anything else."""

    def game(self, task_id: str) -> Game:
        """Make a game for the native engine."""

    def texts(self, task_id: str) -> dict[str, Any]:
        """Return a game in the official format, for the reference engine."""


class Generated:
    """Endless households.

    Args:
        split: "generated", "generated_train" or "generated_test".
        task_types: The types of task to draw from.
    """

    def __init__(self, split: str, task_types: Sequence[str]) -> None:
        self._split = split
        self._types = tuple(task_types)

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a type of task and a number."""
        task_type = self._types[int(rng.integers(len(self._types)))]
        return f"{self._split}/{task_type}/{int(rng.integers(_NUMBERS))}"

    def check(self, task_id: object) -> str:
        """Return the id if it names a household of this split and these types."""
        found = _NAME.fullmatch(task_id) if isinstance(task_id, str) else None
        splits = [self._split] if self._split != "generated" else list(GENERATED)
        if (
            found is None
            or found[1] not in splits
            or found[2] not in self._types
            or int(found[3]) >= _NUMBERS
        ):
            raise ValueError(
                f"task_id={task_id!r}: give SPLIT/TASK_TYPE/NUMBER with a split of "
                f"{splits}, a type of {list(self._types)} and a number below {_NUMBERS}"
            )
        return found[0]

    def game(self, task_id: str) -> Game:
        """Make the household that an id names."""
        split, task_type, number = task_id.split("/")
        draft = generate(task_type, int(number), GENERATED[split])
        return Game(build_house(draft.atoms, draft.goal), Words(draft.sentence))

    def texts(self, task_id: str) -> dict[str, Any]:
        """Write a household in the official format."""
        split, task_type, number = task_id.split("/")
        return official_texts(generate(task_type, int(number), GENERATED[split]))


_NAME = re.compile(r"(\w+)/(\w+)/(0|[1-9][0-9]{0,9})")


class Files:
    """Games in the official format.

    Args:
        games: Every game's id and file.
        what: What they are, for messages.

    Attributes:
        ids: Every game's id, in order.
    """

    def __init__(self, games: dict[str, Path], what: str) -> None:
        self.ids = tuple(games)
        self._games = games
        self._what = what

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a game."""
        return self.ids[int(rng.integers(len(self.ids)))]

    def check(self, task_id: object) -> str:
        """Return the id if there is such a game."""
        if not isinstance(task_id, str) or task_id not in self._games:
            raise ValueError(
                f"task_id={task_id!r} is none of {self._what} "
                f"({len(self.ids)}, such as {self.ids[0]!r})"
            )
        return task_id

    def game(self, task_id: str) -> Game:
        """Read a game for the native engine."""
        path = self._games[task_id]
        return official.load_game(path, path.stat().st_mtime_ns)

    def texts(self, task_id: str) -> dict[str, Any]:
        """Read a game for the reference engine."""
        return official.read_game_file(self._games[task_id])


def official_games(
    split: str, task_types: Sequence[str], number: int | None = None
) -> Files:
    """Find the games of an official split, in the order of their paths.

    Args:
        split: One of ``OFFICIAL``.
        task_types: The types of task to keep.
        number: Keep the game at this place alone.

    Raises:
        FileNotFoundError: If there are none.
        ValueError: If there is no game at that place.
    """
    folder = data_folder("alfworld")
    # The folder itself, where that is what the variable names.
    root = folder / _FOLDER if (folder / _FOLDER).is_dir() else folder
    games = {
        "/".join((split, *path.parts[-3:-1])): path
        for path in _game_files(root / split)
        if path.parts[-3].partition("-")[0] in task_types
    }
    if not games:
        raise FileNotFoundError(
            f"split={split!r} has no games of {list(task_types)} in {folder}: get the "
            "official games with `aq-gym download alfworld`, or set ALFWORLD_DATA to "
            f"the folder that has {_FOLDER}/{split}; split='generated' needs no data"
        )
    if number is not None:
        if not 0 <= number < len(games):
            raise ValueError(
                f"game={number}: split={split!r} has the games 0 to {len(games) - 1}"
            )
        name = list(games)[number]
        games = {name: games[name]}
    return Files(games, f"the games of split={split!r}")


def one_game(path: str) -> Files:
    """Take one game file, named by its contents.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a game file.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise FileNotFoundError(f"game={path!r} is not a file")
    official.read_game_file(file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Files({f"game/{digest[:16]}": file}, "the one game given")


def _game_files(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return _listed(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _listed(folder: Path, changed: int) -> tuple[Path, ...]:
    """List the games in a folder; when it changed tells a newer listing is due."""
    # As the published environment does, leave out what has no six-types task.
    return tuple(
        path
        for path in sorted(folder.glob(f"**/{GAME_FILE}"))
        if "movable" not in path.parts[-3] and "Sliced" not in path.parts[-3]
    )
