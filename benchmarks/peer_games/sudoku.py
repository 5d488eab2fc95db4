"""Compare Sudoku with TextArena's and GEM's.

Right moves fill the board of each episode. Ours is made by plain ``gym.make`` with its
default wrappers. TextArena keeps what the agent reads apart from ``step``, so that both
are shown: the step alone, and with ``get_observation``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from statistics import median
from typing import Any, NamedTuple

import gem
import gymnasium as gym
import textarena
from timing import Sample, Target, interleave, seconds, show

import aq_gym  # noqa: F401  registers the ids

RESETS = 10
OURS = "aq_gym, hard"


class Peer(NamedTuple):
    """One environment under test.

    Attributes:
        reset: Begins the episode of a seed.
        moves: Lists right moves that fill the board.
        step: Makes a move.
    """

    reset: Callable[[int], object]
    moves: Callable[[], list[str]]
    step: Callable[[str], object]


def ours(difficulty: str) -> Peer:
    """Make our environment with one difficulty."""
    env = gym.make("aq/Sudoku-v0", difficulty=difficulty)
    unwrapped: Any = env.unwrapped

    def moves() -> list[str]:
        (solution,) = unwrapped.secrets()
        blank = unwrapped.get_state().world[0]
        return [
            f"Row: {i // 9 + 1}, Column: {i % 9 + 1}, Value: {digit}"
            for i, digit in enumerate(solution)
            if blank[i] == "."
        ]

    return Peer(lambda seed: env.reset(seed=seed), moves, env.step)


def their_moves(solution: Any, board: Any, form: str) -> list[str]:
    """Return the right moves of a board that has 0 for empty cells."""
    return [
        form.format(row + 1, column + 1, solution[row][column])
        for row in range(9)
        for column in range(9)
        if board[row][column] == 0
    ]


def from_gem() -> Peer:
    """Make GEM's 9x9 board."""
    env = gem.make("game:Sudoku-v0-hard")

    def moves() -> list[str]:
        return their_moves(env.full_grid, env.board, "\\boxed{{{} {} {}}}")

    return Peer(lambda seed: env.reset(seed=seed), moves, env.step)


def from_textarena(env_id: str, read: bool) -> Peer:
    """Make one of TextArena's boards, with or without what the agent reads."""
    env = textarena.make(env_id)
    inner = env
    while hasattr(inner, "env"):
        inner = inner.env

    def reset(seed: int) -> None:
        # Its board comes from the global generator, whatever the seed.
        random.seed(seed)
        env.reset(num_players=1, seed=seed)
        env.get_observation()

    def moves() -> list[str]:
        return their_moves(inner.full_grid, inner.game_board, "[{} {} {}]")

    def step(action: str) -> None:
        env.step(action)
        env.get_observation()

    return Peer(reset, moves, step if read else env.step)


def resets(peer: Peer) -> Sample:
    """Return a sample of the median of some resets."""
    seeds = count(1)
    return lambda: median(seconds(peer.reset, [(next(seeds),)]) for _ in range(RESETS))


def steps(peer: Peer) -> Sample:
    """Return a sample of a step, over a whole episode."""
    seeds = count(1)

    def sample() -> float:
        peer.reset(next(seeds))
        calls = [(move,) for move in peer.moves()]
        return seconds(peer.step, calls) / len(calls)

    return sample


def compare(rounds: int) -> None:
    """Print a table for a step and one for a reset."""
    peers = {
        OURS: ours("hard"),
        "aq_gym, easy": ours("easy"),
        "GEM, hard": from_gem(),
        "TextArena, very easy": from_textarena("Sudoku-v0-very-easy", read=False),
        "TextArena": from_textarena("Sudoku-v0", read=False),
        "TextArena, observation": from_textarena("Sudoku-v0", read=True),
    }
    targets = [Target(OURS, 1.0, name) for name in peers if "aq_gym" not in name]
    stepping = {name: steps(peer) for name, peer in peers.items()}
    show("Sudoku: a step", interleave(stepping, rounds), OURS, "us", targets)
    resetting = {name: resets(peer) for name, peer in peers.items()}
    show("Sudoku: a reset", interleave(resetting, rounds), OURS, "ms", targets)
