"""Compare Mastermind, Sudoku, Hangman, Wordle and 2048 with TextArena's and GEM's.

Each is made as its users make it, and gets actions in the form of its own instructions.
TextArena's step returns no answer, so that a step of it is ``step`` and
``get_observation``; GEM's board of Hangman and 2048 is in the info of its step.

The actions of an episode are 20 wrong guesses of Mastermind, five wrong letters or
words, 24 random moves of 2048, and the right moves that fill a Sudoku.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from random import Random
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
# No guess may be the last: that one is answered differently.
RULES: dict[str, Any] = {"code_length": 4, "num_numbers": 9, "duplicate_numbers": True}
RULES["max_turns"] = GUESSES + 1
CODES = ["".join(code) for code in product("123456789", repeat=4)]

# Returns the actions of an episode, from its secret.
Moves: TypeAlias = Callable[[Any, Random], list[str]]


class Player(NamedTuple):
    """One game, as its users play it.

    Attributes:
        reset: Begins an episode and returns the first observation.
        step: Acts and returns the answer.
        write: Writes an action in the form of the instructions.
        secret: Returns what the actions of an episode depend on.
    """

    reset: Callable[..., Any]
    step: Callable[[str], Any]
    write: Callable[[str], str]
    secret: Callable[[], Any]


def ours(env_id: str, form: str, secret: Any = None, **arguments: Any) -> Player:
    """Make an environment of aq_gym; by default its secret is the hidden text."""
    env = gym.make(env_id, **arguments)
    hidden = partial(secret or _hidden, env)
    return Player(env.reset, env.step, form.format, hidden)


def gems(env_id: str, secret: Any, apart: str = "", **arguments: Any) -> Player:
    """Make an environment of GEM; ``apart`` separates the characters of an action."""
    env = gem.make(env_id, **arguments)

    def write(action: str) -> str:
        return f"\\boxed{{{apart.join(action)}}}"

    return Player(env.reset, env.step, write, partial(secret, env))


def textarenas(env_id: str, secret: Any, apart: str = "", **arguments: Any) -> Player:
    """Make one of TextArena; ``apart`` separates the characters of an action."""
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
        done, _ = env.step(action)
        return done, env.get_observation()

    def write(action: str) -> str:
        return f"[{apart.join(action)}]"

    return Player(reset, step, write, partial(secret, inner))


def steps(player: Player, moves: Moves) -> Sample:
    """Return a sample of a step, over some whole episodes."""
    rng = Random(0)

    def sample() -> float:
        total, count = 0.0, 0
        for _ in range(EPISODES):
            player.reset()
            calls = [(player.write(m),) for m in moves(player.secret(), rng)]
            total += seconds(player.step, calls)
            count += len(calls)
        return total / count

    return sample


def resets(player: Player, **seed: int) -> Sample:
    """Return a sample of a reset, with a seed if one is given."""
    calls = [()] * RESETS
    return lambda: seconds(partial(player.reset, **seed), calls) / RESETS


def compare(
    title: str,
    players: Mapping[str, Player],
    moves: Moves,
    rounds: int,
    reset_targets: Sequence[Target] = (),
) -> None:
    """Print a table for a step and one for a reset."""
    stepping = {name: steps(player, moves) for name, player in players.items()}
    targets = [Target(OURS, 20)]
    targets += [Target(OURS, 1, name) for name in players if OURS not in name]
    show(f"{title}: a step", interleave(stepping, rounds), OURS, "us", targets)
    resetting = {name: resets(player) for name, player in players.items()}
    times = interleave(resetting, rounds)
    show(f"{title}: a reset", times, OURS, "us", reset_targets)


def mastermind(rounds: int) -> None:
    """Compare Mastermind, with a table for a reset with a seed, too."""

    def code(env: Any) -> str:
        return "".join(map(str, env.game_code))

    def arena_code(env: Any) -> str:
        return "".join(map(str, env.state.game_state["secret_code"]))

    def guesses(secret: str, rng: Random) -> list[str]:
        drawn = rng.sample(CODES, GUESSES + 1)
        return [guess for guess in drawn if guess != secret][:GUESSES]

    players = {
        OURS: ours("aq/Mastermind-v0", "Guess: {}"),
        "GEM": gems("game:Mastermind-v0-hard", code, " ", **RULES),
        "TextArena": textarenas("Mastermind-v0", arena_code, " ", **RULES),
        "TextArena, no wrappers": textarenas(
            "Mastermind-v0-raw", arena_code, " ", **RULES
        ),
    }
    targets = [Target(OURS, 1.5, "GEM")]
    compare("Mastermind", players, guesses, rounds, targets)
    seeded = {name: resets(players[name], seed=3) for name in (OURS, "GEM")}
    times = interleave(seeded, rounds)
    show("Mastermind: a reset with a seed", times, OURS, "us", targets)


def sudoku(rounds: int) -> None:
    """Compare Sudoku."""

    def board(env: Any) -> list[str]:
        (solution,) = env.unwrapped.secrets()
        blank = env.unwrapped.get_state().world[0]
        cells = [n for n, given in enumerate(blank) if given == "."]
        return [f"{n // 9 + 1} {n % 9 + 1} {solution[n]}" for n in cells]

    def their_board(attribute: str, env: Any) -> list[str]:
        cells = product(range(9), repeat=2)
        given, full = getattr(env, attribute), env.full_grid
        return [f"{r + 1} {c + 1} {full[r][c]}" for r, c in cells if not given[r][c]]

    arena = partial(their_board, "game_board")
    players = {
        OURS: ours("aq/Sudoku-v0", "{}", board, difficulty="hard"),
        "aq_gym, easy": ours("aq/Sudoku-v0", "{}", board, difficulty="easy"),
        "GEM, hard": gems("game:Sudoku-v0-hard", partial(their_board, "board")),
        "TextArena, very easy": textarenas("Sudoku-v0-very-easy", arena),
        "TextArena": textarenas("Sudoku-v0", arena),
    }
    targets = [Target(OURS, 1, name) for name in players if OURS not in name]
    compare("Sudoku", players, lambda moves, rng: list(moves), rounds, targets)


def words(rounds: int) -> None:
    """Compare Hangman, Wordle and 2048."""

    def word(key: str, env: Any) -> str:
        state = getattr(env, "state", None)
        found = state.game_state.get(key, "") if state else getattr(env, key, "")
        return "".join(found).lower()

    def letters(secret: str, rng: Random) -> list[str]:
        return rng.sample(sorted(set("abcdefghijklmnopqrstuvwxyz") - set(secret)), 5)

    def others(secret: str, rng: Random) -> list[str]:
        return rng.sample([word for word in WORDS if word != secret], 5)

    def directions(secret: str, rng: Random) -> list[str]:
        return rng.choices(("up", "down", "left", "right"), k=24)

    games: Any = (
        ("Hangman", "Guess: {}", {"length": 5}, letters, "Hangman-v0-hard",
         {"word_length": 5}, "target_word"),
        ("Wordle", "Guess: {}", {}, others, "Wordle-v0-hard", {}, "secret_word"),
        ("2048", "{}", {}, directions, "Game2048-v0-extreme-hard", {}, ""),
    )  # fmt: skip
    for name, form, rules, moves, gem_id, gem_rules, key in games:
        arena = partial(word, key)
        gems_own = gems(f"game:{gem_id}", partial(word, "secret_word"), **gem_rules)
        players = {
            OURS: ours(f"aq/{name}-v0", form, **rules),
            "GEM": gems_own,
            "TextArena": textarenas(f"{name}-v0", arena),
            "TextArena, no wrappers": textarenas(f"{name}-v0-raw", arena),
        }
        compare(name, players, moves, rounds)


def _hidden(env: Any) -> str:
    return "".join(env.get_wrapper_attr("secrets")())
