"""Compare the speed of our environments with that of published ones, side by side.

Every game is timed with all of its peers in one process: Mastermind, Sudoku, Hangman,
Wordle and 2048 beside TextArena and GEM (``requirements.txt``), BabyAI beside minigrid,
PDDL beside pddlgym, ALFWorld beside TextWorld, and interactive fiction beside jericho
(the extra ``test``). Games whose peers are not installed are named as skipped.

    python benchmarks/speed/peers.py mastermind words --rounds 60
"""

from __future__ import annotations

import argparse
import pkgutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

# The published engines are played by the judges of the tests.
sys.path.append(str(Path(__file__).parents[2] / "tests"))


class Comparison(NamedTuple):
    """The comparison of one game.

    Attributes:
        function: The function of ``peer_games`` that takes the rounds.
        needs: The modules of its peers.
        rounds: The number of rounds that gives steady ratios.
    """

    function: str
    needs: tuple[str, ...]
    rounds: int


_ARENAS = ("gem", "nltk", "textarena")
GAMES = {
    "mastermind": Comparison("games:mastermind", _ARENAS, 200),
    "sudoku": Comparison("games:sudoku", _ARENAS, 7),
    "words": Comparison("games:words", _ARENAS, 60),
    "babyai": Comparison("babyai:compare", ("minigrid",), 40),
    "pddl": Comparison("pddl:compare", ("pddlgym",), 5),
    "alfworld": Comparison("alfworld:compare", ("alfworld", "textworld"), 3),
    "jericho": Comparison("jericho:compare", ("jericho",), 10),
}


def main() -> None:
    """Print the tables of the games that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; by default all"
    )
    parser.add_argument("--rounds", type=int, help="samples of each candidate")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.games) - set(GAMES))
    if unknown:
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(GAMES)}")
    games = arguments.games or list(GAMES)
    if len(games) == 1:
        play(games[0], arguments.rounds)
        return
    # Each in a process of its own: what one needs of its peers may disturb another.
    rounds = ["--rounds", str(arguments.rounds)] if arguments.rounds else []
    runs = [
        subprocess.run([sys.executable, __file__, name, *rounds], check=False)
        for name in games
    ]
    sys.exit(max(run.returncode for run in runs))


def play(name: str, rounds: int | None) -> None:
    """Print the tables of one game."""
    game = GAMES[name]
    missing = [module for module in game.needs if find_spec(module) is None]
    if missing:
        print(f"{name}: skipped, needs {', '.join(missing)}\n", flush=True)
        return
    compare = pkgutil.resolve_name(f"peer_games.{game.function}")
    compare(rounds or game.rounds)


if __name__ == "__main__":
    main()
