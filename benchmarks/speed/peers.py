"""Compare the speed of our environments with that of published ones, side by side.

Every game is timed with all of its peers in one process: Mastermind, Sudoku, Hangman,
Wordle and 2048 beside TextArena and GEM (``requirements.txt``), BabyAI beside minigrid,
PDDL beside pddlgym, ALFWorld beside TextWorld, and interactive fiction beside jericho
(the extra ``dev``). Games whose peers are not installed are named as skipped.

    python benchmarks/speed/peers.py mastermind words --rounds 60
"""

from __future__ import annotations

import argparse
import pkgutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

# The published engines are played by the judges of the tests.
sys.path.append(str(Path(__file__).parents[2] / "tests"))


_ARENAS = ("gem", "nltk", "textarena")
# For each game its function in ``peer_games``, the modules of its peers, and the number
# of rounds that gives steady ratios.
GAMES = {
    "mastermind": ("games:mastermind", _ARENAS, 200),
    "sudoku": ("games:sudoku", _ARENAS, 7),
    "words": ("games:words", _ARENAS, 60),
    "babyai": ("babyai:compare", ("minigrid",), 40),
    "pddl": ("pddl:compare", ("pddlgym",), 5),
    "alfworld": ("alfworld:compare", ("alfworld", "textworld"), 3),
    "jericho": ("jericho:compare", ("jericho",), 10),
}


def main() -> None:
    """Print the tables of the games that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; by default all"
    )
    parser.add_argument("--rounds", type=int, help="samples of each candidate")
    arguments = parser.parse_args()
    games = arguments.games or list(GAMES)
    if unknown := sorted({*games} - {*GAMES}):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(GAMES)}")
    if len(games) == 1:
        play(games[0], arguments.rounds)
    # Each in a process of its own, because the peers of one may disturb another.
    for name in games[1:] and games:
        rounds = ["--rounds", str(arguments.rounds)] if arguments.rounds else []
        subprocess.run([sys.executable, __file__, name, *rounds], check=True)


def play(name: str, rounds: int | None) -> None:
    """Print the tables of one game."""
    function, needs, steady = GAMES[name]
    if missing := [module for module in needs if find_spec(module) is None]:
        print(f"{name}: skipped, needs {', '.join(missing)}\n", flush=True)
    else:
        pkgutil.resolve_name(f"peer_games.{function}")(rounds or steady)


if __name__ == "__main__":
    main()
