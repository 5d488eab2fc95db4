"""Compare Mastermind, Sudoku, Hangman, Wordle and 2048 with TextArena's and GEM's.

Each is made as its users make it, and gets actions in the form of its own instructions.
TextArena's step returns no answer, so that a step of it is ``step`` and
``get_observation``; GEM's board of Hangman and 2048 is in the info of its step.

The actions of an episode are 20 wrong guesses of Mastermind, five wrong letters or
words, 24 random moves of 2048, and the right moves that fill a Sudoku.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from itertools import product
from random import Random
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeAlias

import gymnasium as gym
from timing import Sample, Target, interleave, seconds, show

import aq_gym  # noqa: F401  # registers its environments
from aq_gym.envs.wordle.game import lexicon

# Their words come from NLTK's data, which is not installed with them; here they get
# ours, so that nothing is downloaded. TextArena also tags words to find the nouns,
# which is left out. Both concern the making of an environment, not its steps.
WORDS = lexicon(5).answers
nltk: Any = import_module("nltk")
nltk.download = lambda *args, **kwargs: True
nltk.pos_tag = lambda words: [(word, "NN") for word in words]
nltk.corpus.words = type("Words", (), {"words": staticmethod(lambda *_: list(WORDS))})

import gem  # noqa: E402
import gem.envs  # noqa: E402  # registers its environments
import textarena  # noqa: E402

OURS = "aq_gym"
EPISODES = 5
RESETS = 20
GUESSES = 20
# No guess may be the last one, which is answered differently.
RULES: dict[str, Any] = {"code_length": 4, "num_numbers": 9, "duplicate_numbers": True}
RULES["max_turns"] = GUESSES + 1
CODES = ["".join(code) for code in product("123456789", repeat=4)]
DIRECTIONS = "up", "down", "left", "right"
CELLS = tuple(product(range(9), repeat=2))

# Returns the actions of an episode, from its secret.
Moves: TypeAlias = Callable[[Any, Random], list[str]]


class Player(NamedTuple):
    """One game, as its users play it.

    Attributes:
        reset: Begins an episode and returns the first observation.
        step: Acts and returns the answer.
        form: An action in the form of the instructions.
        apart: The text between the characters of an action.
        secret: Returns the secret on which the actions of an episode depend.
    """

    reset: Callable[[], Any]
    step: Callable[[str], Any]
    form: str
    apart: str
    secret: Callable[[], Any]


def ours(env_id: str, form: str, secret: Any = None, **arguments: Any) -> Player:
    """Make an environment of aq_gym; by default its secret is the hidden text."""
    env: Any = gym.make(env_id, **arguments)
    hidden = partial(secret or (lambda env: "".join(env.unwrapped.secrets())), env)
    return Player(env.reset, env.step, form, "", hidden)


def gems(env_id: str, secret: Any, apart: str = "", **arguments: Any) -> Player:
    """Make an environment of GEM."""
    env = gem.make(f"game:{env_id}", **arguments)
    return Player(env.reset, env.step, "\\boxed{{{}}}", apart, partial(secret, env))


def textarenas(env_id: str, secret: Any, apart: str = "", **arguments: Any) -> Player:
    """Make an environment of TextArena."""
    env = inner = textarena.make(env_id, **arguments)
    while hasattr(inner, "env"):
        inner = inner.env
    # Its default wrapper keeps the texts of earlier episodes too, so that an env that
    # is used again would slow down from reset to reset.
    texts = getattr(env, "full_observations", {})

    def reset() -> object:
        texts.clear()
        env.reset(num_players=1)
        return env.get_observation()

    def step(action: str) -> object:
        return env.step(action), env.get_observation()

    return Player(reset, step, "[{}]", apart, partial(secret, inner))


def steps(player: Player, moves: Moves) -> Sample:
    """Return a sample of a step, over some whole episodes."""
    rng = Random(0)

    def sample() -> float:
        total, count = 0.0, 0
        for _ in range(EPISODES):
            player.reset()
            written = map(player.apart.join, moves(player.secret(), rng))
            calls = [(player.form.format(one),) for one in written]
            total += seconds(player.step, calls)
            count += len(calls)
        return total / count

    return sample


def resets(player: Player) -> Sample:
    """Return a sample of a reset."""
    return lambda: seconds(player.reset, [()] * RESETS) / RESETS


def compare(
    title: str, players: Mapping[str, Player], moves: Moves, rounds: int
) -> None:
    """Print a table for a step and one for a reset."""
    targets = [Target(OURS, 1.3, name) for name in players if OURS not in name]
    stepping = {name: steps(player, moves) for name, player in players.items()}
    show(f"{title}: a step", interleave(stepping, rounds), OURS, targets=targets)
    resetting = {name: resets(player) for name, player in players.items()}
    show(f"{title}: a reset", interleave(resetting, rounds), OURS)


def mastermind(rounds: int) -> None:
    """Compare Mastermind."""

    def guesses(secret: Any, rng: Random) -> list[str]:
        drawn = rng.sample(CODES, GUESSES + 1)
        return [one for one in drawn if one != "".join(map(str, secret))][:GUESSES]

    arena = partial(
        textarenas, secret=lambda env: env.state.game_state["secret_code"], apart=" "
    )
    players = {
        OURS: ours("aq/Mastermind-v0", "Guess: {}"),
        "GEM": gems("Mastermind-v0-hard", lambda env: env.game_code, " ", **RULES),
        "TextArena": arena("Mastermind-v0", **RULES),
        "TextArena, no wrappers": arena("Mastermind-v0-raw", **RULES),
    }
    compare("Mastermind", players, guesses, rounds)


def sudoku(rounds: int) -> None:
    """Compare Sudoku."""

    def board(env: Any) -> list[str]:
        given, full = env.unwrapped.get_state().world[0], env.unwrapped.secrets()[0]
        cells = [n for n, one in enumerate(given) if one == "."]
        return [f"{n // 9 + 1} {n % 9 + 1} {full[n]}" for n in cells]

    def missing(given: Any, full: Any) -> list[str]:
        return [f"{r + 1} {c + 1} {full[r][c]}" for r, c in CELLS if not given[r][c]]

    players = {
        OURS: ours("aq/Sudoku-v0", "{}", board, difficulty="hard"),
        "GEM, hard": gems(
            "Sudoku-v0-hard", lambda env: missing(env.board, env.full_grid)
        ),
        "TextArena": textarenas(
            "Sudoku-v0", lambda env: missing(env.game_board, env.full_grid)
        ),
    }
    compare("Sudoku", players, lambda moves, rng: moves, rounds)


def words(rounds: int) -> None:
    """Compare Hangman, Wordle and 2048."""

    def others(drawn: Iterable[str], secret: Any, rng: Random) -> list[str]:
        word = "".join(secret).lower()
        return rng.sample([one for one in drawn if one not in (word, *word)], 5)

    games: Any = (
        ("Hangman", "Guess: {}", {"length": 5}, partial(others, ascii_lowercase),
         "Hangman-v0-hard", {"word_length": 5}, "target_word"),
        ("Wordle", "Guess: {}", {}, partial(others, WORDS),
         "Wordle-v0-hard", {}, "secret_word"),
        ("2048", "{}", {}, lambda _, rng: rng.choices(DIRECTIONS, k=24),
         "Game2048-v0-extreme-hard", {}, ""),
    )  # fmt: skip
    for name, form, rules, moves, gem_id, gem_rules, key in games:
        arena = partial(
            textarenas, secret=lambda env, key=key: env.state.game_state.get(key, "")
        )
        players = {
            OURS: ours(f"aq/{name}-v0", form, **rules),
            "GEM": gems(
                gem_id, lambda env: getattr(env, "secret_word", ""), **gem_rules
            ),
            "TextArena": arena(f"{name}-v0"),
            "TextArena, no wrappers": arena(f"{name}-v0-raw"),
        }
        compare(name, players, moves, rounds)
