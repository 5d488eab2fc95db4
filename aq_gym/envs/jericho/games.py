"""The stories: our adventures, known titles, and any story file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from aq_gym.envs.jericho.logic import (
    Memory,
    StoryError,
    check_story,
    score_variable,
)
from aq_gym.envs.jericho.logic.predicates import Predicate, Symbols, compile_predicate
from aq_gym.support.data import Download, data_folder, packaged, packaged_json
from aq_gym.support.user_files import read_bytes

# Jericho's linear congruence and its inverse; only 31 bits of its state are used.
_MODULUS, _MULTIPLIER, _INCREMENT = 2**31, 22_695_477, 1
_INVERSE = pow(_MULTIPLIER, -1, _MODULUS)
_GOAL_UNKNOWN = "Bring the story to its best ending."


@dataclass(frozen=True)
class Subgoal:
    """One step towards the goal.

    Attributes:
        name: Its name, which reveals no secret.
        reached: A function that returns whether it holds in a state.
    """

    name: str
    reached: Predicate


@dataclass(frozen=True)
class Game:
    """A story and its annotations.

    Attributes:
        name: The name, with which its task ids begin.
        story: The file's content, checked.
        goal: The goal in one sentence.
        difficulty: "easy", "hard", or "" if unknown.
        subgoals: The subgoals, the last of them the goal; empty for a story without
            annotation.
        player: The player's object, 0 if unknown.
        symbols: The numbers of objects, attributes and so on by name, for our
            adventures.
        walkthrough: The recorded solution of our adventures.
        misread: Phrases, besides the usual ones, with which the story says that it did
            not understand a line.
        opening_draws: The number of random numbers that the story draws before it first
            waits. The layout of an adventure is drawn from the random stream after
            them.
        published_seed: The seed of Jericho's published walkthrough.
        score_variable: The global variable that holds the score; None if there is no
            score, or if it is read from the status line or the story's words.
        opening: Lines that lead from the first prompt to the start of a title's
            walkthrough.
        won: A function that returns whether the story is won in a state, for stories
            whose words do not tell it.
    """

    name: str
    story: bytes
    goal: str = _GOAL_UNKNOWN
    difficulty: str = ""
    subgoals: tuple[Subgoal, ...] = ()
    player: int = 0
    symbols: Symbols | None = None
    walkthrough: Sequence[Any] = field(default=(), repr=False)
    misread: tuple[str, ...] = ()
    opening_draws: int = 0
    published_seed: int = 0
    won: Predicate | None = None
    score_variable: int | None = None
    opening: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the story file."""
        return hashlib.sha256(self.story).digest()

    @property
    def first_seed(self) -> int:
        """The least number of a task; our adventures count layouts from 1."""
        return 1 if self.symbols else 0

    def boot_seed(self, seed: int) -> int:
        """Return the seed of the random stream for a task's number."""
        for _ in range(self.opening_draws):
            seed = (seed - _INCREMENT) * _INVERSE % _MODULUS
        return seed

    @property
    def own_globals(self) -> Mapping[str, int]:
        """The global variables that an adventure declares besides the library's."""
        return self.symbols["own"] if self.symbols else {}


# The folder of the stories in the download.
_IN_ARCHIVE = Path("z-machine-games-master", "jericho-game-suite")
DOWNLOAD = Download(
    name="jericho",
    url="https://github.com/BYU-PCCL/z-machine-games/archive/master.zip",
    example="*/jericho-game-suite/zork1.z5",
    variable="AQ_GYM_DATA",
    # An archive of a branch; GitHub does not guarantee its bytes.
    known=("aq_gym.envs.jericho", "data/known.sha256"),
    note="story files that Jericho supports (their authors' licences)",
)


def find_file(name: str, notes: Mapping[str, Any], games: str | None) -> Path:
    """Find a known title's file.

    Raises:
        FileNotFoundError: If none of the folders has it.
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
    """Return the path that a user gave, or None if no file can be there."""
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
        UserFileError: If it is too large to be a story.
    """
    return read_bytes(path)


def md5(story: bytes) -> str:
    """Return the MD5 hash, which distinguishes releases."""
    return hashlib.md5(story, usedforsecurity=False).hexdigest()


_PACKAGE = "aq_gym.envs.jericho"
ADVENTURES: tuple[str, ...] = (
    "bathyscaphe", "clockwork", "ferry", "keepsakes", "lighthouse", "maze", "mine",
    "museum",
)  # fmt: skip
_LONGEST_EASY_CHAIN = 4
_MOST_EASY_SUBGOALS = 4
_PLAYERS = ("(self object)", "yourself")
_LONGEST_SHOWN = 200
# Inform's library discards a hundred random numbers before the first turn.
_LIBRARY_DRAWS = 100


@lru_cache(maxsize=1)
def known_titles() -> Mapping[str, Mapping[str, Any]]:
    """Return the annotations of the known titles, by name."""
    titles: dict[str, dict[str, Any]] = packaged_json(_PACKAGE, "data/known.json")
    return titles


def is_known(game: Game) -> bool:
    """Return whether a story is the annotated release of a known title."""
    return md5(game.story) in {notes["md5"] for notes in known_titles().values()}


def find_game(game: str, games: str | None = None) -> Game:
    """Find a game.

    Args:
        game: One of our adventures, a known title, or the path of a story file.
        games: The folder of known titles; ``$AQ_GYM_DATA/jericho`` and
            ``$AQ_GYM_DATA`` if not given.

    Raises:
        ValueError: If the game is unknown, or its file is damaged or of another
            release.
        FileNotFoundError: If a known title's file is in none of the folders.
    """
    if game in ADVENTURES:
        return _adventure(game)
    if game in known_titles():
        return _known(game, games)
    path = story_file(game)
    if path is not None:
        return _file(path)
    shown = game if len(game) <= _LONGEST_SHOWN else f"{game[:_LONGEST_SHOWN]}..."
    raise ValueError(
        f"game={shown!r} is not a file: give one of {', '.join(ADVENTURES)}; a known "
        f"title ({', '.join(sorted(known_titles()))}); or the path of a story file"
    )


@lru_cache(maxsize=16)
def _adventure(name: str) -> Game:
    story = packaged(_PACKAGE, f"data/{name}.z5")
    symbols = packaged_json(_PACKAGE, f"data/{name}.symbols.json")
    notes = packaged_json(_PACKAGE, f"data/{name}.json")
    check_story(story)
    player = symbols["objects"]["selfobj"]
    chain = _longest_chain(notes["subgoals"])
    return Game(
        name=name,
        story=story,
        goal=notes["goal"],
        difficulty="easy" if chain <= _LONGEST_EASY_CHAIN else "hard",
        subgoals=_subgoals(notes, player, symbols),
        player=player,
        symbols=symbols,
        walkthrough=notes["walkthrough"],
        opening_draws=_LIBRARY_DRAWS,
        published_seed=1,
    )


def _known(name: str, games: str | None) -> Game:
    notes = known_titles()[name]
    story = read(find_file(name, notes, games))
    if md5(story) != notes["md5"]:
        raise ValueError(
            f"game={name!r}: {notes['file']} is not the required release "
            f"(md5 {notes['md5']})"
        )
    return _annotated(name, story)


def _annotated(name: str, story: bytes) -> Game:
    notes = known_titles()[name]
    check_story(story, checksum=False)
    easy = len(notes["subgoals"]) <= _MOST_EASY_SUBGOALS
    return Game(
        name=name,
        story=story,
        goal=notes["goal"],
        difficulty="easy" if easy else "hard",
        subgoals=_subgoals(notes, notes["player"], None),
        player=notes["player"],
        misread=tuple(notes.get("misread", ())),
        published_seed=notes.get("seed", 0),
        score_variable=notes.get("score"),
        opening=tuple(notes.get("opening", ())),
        won=compile_predicate(notes["won"], notes["player"])
        if "won" in notes
        else None,
    )


def _file(path: Path) -> Game:
    story = read(path)
    digest = md5(story)
    for name, notes in known_titles().items():
        if notes["md5"] == digest:
            return _annotated(name, story)
    try:
        check_story(story)
    except StoryError as error:
        raise StoryError(f"game={path.name!r} can't be played: {error}") from error
    return Game(
        name=path.stem,
        story=story,
        player=_player(story),
        score_variable=score_variable(story),
    )


def _player(story: bytes) -> int:
    """Find the player by its name in a story compiled by Inform; 0 if it has none."""
    memory = Memory(story)
    for number in range(1, memory.count + 1):
        if memory.name(number) in _PLAYERS:
            return number
    return 0


def _subgoals(
    notes: Mapping[str, Any], player: int, symbols: Symbols | None
) -> tuple[Subgoal, ...]:
    return tuple(
        Subgoal(entry["name"], compile_predicate(entry["when"], player, symbols))
        for entry in notes["subgoals"]
    )


def _longest_chain(subgoals: Sequence[Mapping[str, Any]]) -> int:
    """Count the subgoals that must be reached one after the other."""
    depth: dict[str, int] = {}
    for entry in subgoals:
        depth[entry["name"]] = 1 + max((depth[n] for n in entry["after"]), default=0)
    return max(depth.values())
