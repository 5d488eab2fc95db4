"""How long do steps of the word games take, and how often do their experts win?

``steps`` times valid and invalid actions. ``experts`` plays every packaged word of
Hangman and Wordle, or every Nth, and some games of 2048; words drawn by ``reset`` are
equally likely, so that the share of all of them is the expert's success, with no
interval. Times are processor time for a move.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import mean, quantiles
from time import process_time
from typing import NamedTuple

import gymnasium as gym
import numpy as np
from timing import Sample, Target, interleave, seconds, show

import aq_gym  # noqa: F401  # registers its environments
from aq_gym.envs.game2048 import expert as player_of_2048
from aq_gym.envs.game2048.logic.game import Game2048, deal
from aq_gym.envs.hangman import expert as player_of_hangman
from aq_gym.envs.hangman.logic import words as hangman_words
from aq_gym.envs.hangman.logic.game import HangmanGame
from aq_gym.envs.wordle import expert as player_of_wordle
from aq_gym.envs.wordle.logic import words as wordle_words
from aq_gym.envs.wordle.logic.game import WordleGame
from aq_gym.evaluation.intervals import mean_interval

EPISODES = 20
LIVES, GUESSES = 6, 6
# More than any game needs, so that a failure counts with its guesses, too.
LIMIT = 20
COLD = False


class Played(NamedTuple):
    """An expert's result and times in one game.

    Attributes:
        won: Whether it won.
        times: The seconds of each of its moves.
    """

    won: bool
    times: list[float]


def steps(rounds: int) -> None:
    """Print the time of a step."""
    candidates = {
        "Hangman, a letter": stepping("aq/Hangman-v0", "jqxzvk"[:5]),
        "Hangman, repeated": stepping("aq/Hangman-v0", "eeeee"),
        "Wordle, a word": stepping(
            "aq/Wordle-v0", ["crane", "pilot", "dusty", "Guess: whelk", "c i v i c"]
        ),
        "Wordle, unknown": stepping("aq/Wordle-v0", ["zzzzz"] * 5),
        "Wordle, hard mode": stepping(
            "aq/Wordle-v0", ["crane", "pilot"], hard_mode=True
        ),
        "Wordle, the board": stepping(
            "aq/Wordle-v0", ["crane", "pilot", *["show board"] * 8]
        ),
        "2048, a move": stepping("aq/2048-v0", ["up", "left", "down", "right"] * 8),
        "2048, tolerant": stepping("aq/2048-v0", ["Move: w", "Slide left."] * 16),
    }
    limits = {name: 10 if name == "2048, a move" else 20 for name in candidates}
    targets = [Target(name, limit) for name, limit in limits.items()]
    show("A step", interleave(candidates, rounds), "2048, a move", targets=targets)


def stepping(env_id: str, actions: Sequence[str], **arguments: bool) -> Sample:
    """Return a sample of a step, over some episodes of the same actions."""
    env = gym.make(env_id, **arguments)
    calls = [(action,) for action in actions]

    def sample() -> float:
        total = 0.0
        for seed in range(EPISODES):
            env.reset(seed=seed)
            total += seconds(env.step, calls)
        return total / (EPISODES * len(calls))

    return sample


def hangman(word: str) -> Played:
    """Let the expert find a word."""
    forget()
    times: list[float] = []
    game = HangmanGame(word, LIVES)
    while not (game.solved or game.lost):
        known = game.shown, game.wrong, game.lives
        game.play(timed(times, partial(player_of_hangman.best_guess, *known)))
    return Played(game.solved, times)


def wordle(word: str, hard_mode: bool) -> Played:
    """Let the expert find a word."""
    forget()
    times: list[float] = []
    game = WordleGame(word, LIMIT)
    while not game.solved and game.left:
        known = len(word), game.clues, hard_mode
        game.play(timed(times, partial(player_of_wordle.best_guess, *known)))
    return Played(len(game.guesses) <= GUESSES, times)


def game_of_2048(size: int, level: int, seed: int) -> tuple[Played, int]:
    """Let the expert play; return the highest level, too."""
    rng = np.random.default_rng(seed)
    times: list[float] = []
    game = Game2048(deal(size, rng), level)
    while not (game.solved or game.over):
        start = process_time()
        move = player_of_2048.best_move(game.board)
        times.append(process_time() - start)
        game.play(move, rng)
    return Played(game.solved, times), game.level


def forget() -> None:
    """Empty the experts' caches, if requested."""
    if COLD:
        player_of_hangman._best_guess.cache_clear()
        player_of_wordle._best_guess.cache_clear()


def timed(times: list[float], choose: Callable[[], str]) -> str:
    """Choose a move, and record how long it took."""
    start = process_time()
    move = choose()
    times.append(process_time() - start)
    return move


def row(name: str, played: list[Played]) -> str:
    """Return a row of the table of experts."""
    times = [1_000 * time for one in played for time in one.times]
    won = sum(one.won for one in played)
    moves = mean(len(one.times) for one in played)
    p95 = quantiles(times, n=20)[-1]
    return (
        f"| {name} | {len(played):,} | {won / len(played):.1%} | {moves:.2f} | "
        f"{mean(times):.2f} | {p95:.2f} | {max(times):.1f} |"
    )


def experts(every: int, games: int) -> None:
    """Print how often and how fast the experts win."""
    print("| game | played | won | moves | mean ms | p95 ms | most ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for line in (*hangman_rows(every), *wordle_rows(every)):
        print(line, flush=True)
    for size, level in ((4, 11), (4, 9), (3, 8), (3, 7), (5, 11)):
        results = [game_of_2048(size, level, seed) for seed in range(games)]
        print(row(f"2048: {1 << level} on {size}x{size}", [p for p, _ in results]))
        interval = mean_interval([float(one.won) for one, _ in results])
        if interval.low is not None and interval.high is not None:
            print(f"  95% interval of won: {interval.low:.3f} to {interval.high:.3f}")
        low = min(reached for _, reached in results)
        print(f"  lowest of the largest tiles: {1 << low}", flush=True)


def hangman_rows(every: int) -> Iterator[str]:
    """Yield a row for each length, and for the default lengths by difficulty."""
    for length in hangman_words.LENGTHS:
        words = hangman_words.words_of_length(length)[::every]
        yield row(f"Hangman: {length} letters", [hangman(word) for word in words])
    bands: tuple[hangman_words.Band, ...] = ("easy", "hard", "all")
    for band in bands:
        words = hangman_words.words_in_bands(4, 10, band, "all")[::every]
        yield row(f"Hangman: 4 to 10, {band}", [hangman(word) for word in words])


def wordle_rows(every: int) -> Iterator[str]:
    """Yield a row for each length and mode."""
    for hard_mode in (False, True):
        for length in wordle_words.LENGTHS:
            words = wordle_words.lexicon(length).answers[::every]
            name = f"Wordle: {length} letters{', hard mode' if hard_mode else ''}"
            yield row(name, [wordle(word, hard_mode) for word in words])


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("steps", "experts"))
    parser.add_argument("--rounds", type=int, default=100, help="of steps")
    parser.add_argument("--every", type=int, default=1, help="every Nth word")
    parser.add_argument(
        "--cold", action="store_true", help="words: remember no earlier game"
    )
    parser.add_argument("--games", type=int, default=200, help="of 2048, each goal")
    options = parser.parse_args()
    global COLD
    COLD = options.cold
    if options.what == "steps":
        steps(options.rounds)
    else:
        experts(options.every, options.games)


if __name__ == "__main__":
    main()
