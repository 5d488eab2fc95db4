"""The sources of games: generated households, and the official files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from aq_gym.core.tasks import GeneratedTasks, TaskSource, UserTasks
from aq_gym.envs.alfworld import official
from aq_gym.envs.alfworld.export import official_texts
from aq_gym.envs.alfworld.households import NO_LIMITS, Draft, Limits, generate
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.logic.house import TASK_TYPES
from aq_gym.envs.alfworld.official import HouseholdGame
from aq_gym.envs.alfworld.text import Words
from aq_gym.support.data import Download, data_folder

GENERATED = {"generated": "all", "generated_train": "train", "generated_test": "test"}
OFFICIAL = ("official_train", "valid_train", "valid_seen", "valid_unseen")
# The splits of generated households, with the longer names in task ids.
_SHORT = {"all": "generated", "train": "generated_train", "test": "generated_test"}
GAME_FILE = "game.tw-pddl"
_FOLDER = "json_2.1.1"
DOWNLOAD = Download(
    name="alfworld",
    url=(
        "https://github.com/alfworld/alfworld/releases/download/0.4.0/"
        "json_2.1.2_tw-pddl.zip"
    ),
    example=f"{_FOLDER}/*/*/*/{GAME_FILE}",
    variable="ALFWORLD_DATA",
    # The release states neither the size nor the hash of the archive.
    known=("aq_gym.envs.alfworld", "data/official.sha256"),
    note="ALFWorld's official games (MIT)",
)
_NUMBERS = 2**32
_NAME = re.compile(r"(\w+)/(\w+)/(0|[1-9][0-9]{0,9})(/\w+|)")


class GameTask(Protocol):
    """A game."""

    def game(self) -> HouseholdGame:
        """Return the game for the engine."""

    def texts(self) -> dict[str, Any]:
        """Return the game in the official format, for TextWorld."""


class GeneratedGame(NamedTuple):
    """A generated household.

    Attributes:
        split: "generated", "generated_train" or "generated_test".
        task_type: One of the six types.
        number: Its number.
        limits: Its size.
    """

    split: str
    task_type: str
    number: int
    limits: Limits = NO_LIMITS

    def game(self) -> HouseholdGame:
        """Generate the household."""
        draft = self._draft()
        return HouseholdGame(
            build_house(draft.atoms, draft.goal), Words(draft.sentence)
        )

    def texts(self) -> dict[str, Any]:
        """Generate the household, in the official format."""
        return official_texts(self._draft())

    def _draft(self) -> Draft:
        split = GENERATED[self.split]
        return generate(self.task_type, self.number, split, self.limits)


class GameFile(NamedTuple):
    """A file in the official format."""

    path: Path

    def game(self) -> HouseholdGame:
        """Read the file for the engine."""
        return official.load_game(self.path, self.path.stat().st_mtime_ns)

    def texts(self) -> dict[str, Any]:
        """Read the texts of the file."""
        return official.read_game_file(self.path)


def task_source(
    split: str,
    task_type: str | Sequence[str] | None,
    game: str | int | None,
    limits: Limits = NO_LIMITS,
) -> TaskSource[GameTask]:
    """Return the source of games; see :class:`AlfworldEnv` for the arguments.

    Args:
        split: The split; "all" is the default and excludes no other argument.
        task_type: The types of task.
        game: A path as text, a number, or None.
        limits: The size of generated households.

    Raises:
        ValueError: If the value of an argument is not allowed, or two arguments
            contradict each other.
        FileNotFoundError: If the games are missing.
    """
    names = (*_SHORT, *OFFICIAL, *GENERATED)
    if split not in names:
        raise ValueError(f"split={split!r}: choose one of {', '.join(names)}")
    named, split = split, _SHORT.get(split, split)
    types = _task_types(task_type)
    for name, value in limits._asdict().items():
        if value is not None and (value < 0 or split not in GENERATED or game):
            raise ValueError(
                f"{name}={value} must be at least 0, for generated households"
            )
    if isinstance(game, str):
        _check_one_game(named, task_type, game)
        return _one_game(game)
    if split in OFFICIAL:
        return official_games(split, types, game)
    if game is not None:
        raise ValueError(
            f"game={game} needs an official split, not split={named!r}: choose one of "
            f"{', '.join(OFFICIAL)}"
        )
    return generated_games(split, types, limits)


def generated_games(
    split: str, task_types: Sequence[str], limits: Limits = NO_LIMITS
) -> GeneratedTasks[GeneratedGame]:
    """Return the source of generated households.

    Args:
        split: "generated", "generated_train" or "generated_test".
        task_types: The types of task to draw from.
        limits: The size of the households.
    """
    chooser = _Chooser(split, tuple(task_types), limits)
    form = (
        f"SPLIT/TASK_TYPE/NUMBER with a split of {list(chooser.splits)}, a type of "
        f"{list(task_types)} and a number below {_NUMBERS}"
        + (f", and {chooser.size}" if chooser.size else "")
    )
    return GeneratedTasks(chooser.draw, chooser.make, form)


class _Chooser(NamedTuple):
    split: str
    types: tuple[str, ...]
    limits: Limits

    @property
    def size(self) -> str:
        given = {k: v for k, v in self.limits._asdict().items() if v is not None}
        return "/" * bool(given) + "_".join(f"{k}{v}" for k, v in given.items())

    @property
    def splits(self) -> tuple[str, ...]:
        return (self.split,) if self.split != "generated" else tuple(GENERATED)

    def draw(self, rng: np.random.Generator) -> str:
        task_type = self.types[int(rng.integers(len(self.types)))]
        return f"{self.split}/{task_type}/{int(rng.integers(_NUMBERS))}{self.size}"

    def make(self, task_id: str) -> GeneratedGame | None:
        found = _NAME.fullmatch(task_id)
        if found is None:
            return None
        split, task_type, number = found[1], found[2], int(found[3])
        if split not in self.splits or task_type not in self.types:
            return None
        if number >= _NUMBERS or found[4] != self.size:
            return None
        return GeneratedGame(split, task_type, number, self.limits)


def official_games(
    split: str, task_types: Sequence[str], number: int | None = None
) -> UserTasks[GameFile]:
    """Return the games of an official split, in the order of their paths.

    Args:
        split: One of ``OFFICIAL``.
        task_types: The types of task to include.
        number: The index of a single game; None for all.

    Raises:
        FileNotFoundError: If there are no games.
        ValueError: If the index is out of range.
    """
    folder, root = data_folder(DOWNLOAD), _official_root()
    games = {
        "/".join((split, *path.parts[-3:-1])): GameFile(path)
        for path in _game_files(root / split.removeprefix("official_"))
        if path.parts[-3].partition("-")[0] in task_types
    }
    if not games:
        raise FileNotFoundError(
            f"split={split!r} has no games of {list(task_types)} in {folder}: get the "
            "official games with `aq-gym download alfworld`, or set ALFWORLD_DATA to "
            f"the folder that has {_FOLDER}/{split.removeprefix('official_')}; "
            "split='all', 'train' and 'test' need no data"
        )
    if number is not None:
        if not 0 <= number < len(games):
            raise ValueError(
                f"game={number}: split={split!r} has the games 0 to {len(games) - 1}"
            )
        name = list(games)[number]
        games = {name: games[name]}
    return UserTasks(games, f"the games of split={split!r}")


def _official_root() -> Path:
    folder = data_folder(DOWNLOAD)
    # The variable may also name the inner folder.
    return folder / _FOLDER if (folder / _FOLDER).is_dir() else folder


def is_official(game: str | int | None) -> bool:
    """Return whether a game is in the folder of the official games."""
    if not isinstance(game, str):
        return True
    root, file = _official_root(), Path(game).expanduser()
    return not file.is_file() or file.resolve().is_relative_to(root.resolve())


def _task_types(task_type: str | Sequence[str] | None) -> Sequence[str]:
    if task_type is None:
        return TASK_TYPES
    types = [task_type] if isinstance(task_type, str) else task_type
    if not types or not set(types) <= set(TASK_TYPES):
        raise ValueError(
            f"task_type={task_type!r}: choose from {', '.join(TASK_TYPES)}"
        )
    return types


def _check_one_game(
    split: str, task_type: str | Sequence[str] | None, game: str
) -> None:
    """Refuse a split or type beside a file: a file has no split, and its own type."""
    given = []
    if split not in ("all", "generated"):
        given.append(f"split={split!r}")
    if task_type is not None:
        given.append(f"task_type={task_type!r}")
    if given:
        raise ValueError(
            f"game={game!r} is one file, so {' and '.join(given)} cannot be given: "
            "omit that, or give game= the number of a game in an official split"
        )


def _one_game(path: str) -> UserTasks[GameFile]:
    """Return a source with one file; its id is a hash of the contents."""
    file = Path(path).expanduser().resolve()
    if not file.is_file() and re.fullmatch(r"\w+(/[\w-]+){2}", path):
        file = _official_root() / path / GAME_FILE
    if not file.is_file():
        raise FileNotFoundError(f"game={path!r} is not a file")
    official.read_game_file(file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return UserTasks({f"game/{digest[:16]}": GameFile(file)}, "the given game")


def _game_files(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return _listed(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _listed(folder: Path, changed: int) -> tuple[Path, ...]:
    """Return the games in a folder; ``changed`` invalidates the cache."""
    # The published environment leaves out the same task types.
    return tuple(
        path
        for path in sorted(folder.glob(f"**/{GAME_FILE}"))
        if "movable" not in path.parts[-3] and "Sliced" not in path.parts[-3]
    )
