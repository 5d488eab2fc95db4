"""Compare Hangman, Wordle and 2048 with TextArena's and GEM's.

Each is made as its users make it, and asked in the form of its own instructions. Their
words come from NLTK's data, which is not installed with them; here they get ours, so
that nothing is downloaded and all have the same words. TextArena also tags words to
find the nouns, which is left out. That concerns the making of an environment, not its
steps, except that TextArena looks a guess up in a dictionary, as ours does and GEM's
does not.

An episode of Hangman is five wrong letters, one of Wordle five wrong words, one of 2048
24 random moves. TextArena's step returns no answer, so that a step of it is ``step``
and ``get_observation``; GEM's board of Hangman and 2048 is in the info of its step.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

import gymnasium as gym
from timing import Sample, Target, interleave, seconds, show

import aq_gym  # noqa: F401  # registers its environments
from aq_gym.envs.wordle.logic.words import lexicon
from peer_games.textarena_calls import calls

ANSWERS = lexicon(5).answers
nltk: Any = import_module("nltk")
nltk.download = lambda *args, **kwargs: True
nltk.pos_tag = lambda words: [(word, "NN") for word in words]
nltk.corpus.words = type("Words", (), {"words": staticmethod(lambda *_: list(ANSWERS))})

import gem  # noqa: E402
import gem.envs  # noqa: E402  # registers its environments
import textarena  # noqa: E402

EPISODES = 10
MOVES = 24
DIRECTIONS = ("up", "down", "left", "right")


class Player(NamedTuple):
    """One game, as its users play it.

    Attributes:
        reset: Begins an episode and returns the first observation.
        step: Acts and returns the answer.
        form: The form of an action, with ``{}`` for it.
        secret: Returns the hidden word, "" where there is none.
    """

    reset: Callable[[], Any]
    step: Callable[[str], Any]
    form: str
    secret: Callable[[], str]


def ours(env_id: str, form: str, **arguments: Any) -> Player:
    """Make aq_gym's."""
    env = gym.make(env_id, **arguments)
    secrets = env.get_wrapper_attr("secrets")
    return Player(env.reset, env.step, form, lambda: "".join(secrets()))


def gems(env_id: str, attribute: str, **arguments: Any) -> Player:
    """Make GEM's, without the wrappers that its training adds."""
    env = gem.make(env_id, **arguments)
    return Player(
        env.reset,
        env.step,
        "\\boxed{{{}}}",
        lambda: "".join(getattr(env, attribute, "")).lower(),
    )


def textarenas(env_id: str, key: str) -> Player:
    """Make TextArena's; its step needs a second call to get the answer."""
    env = textarena.make(env_id)
    reset, step = calls(env)
    return Player(
        reset, step, "[{}]", lambda: str(env.state.game_state.get(key, "")).lower()
    )


def wrong_letters(secret: str, rng: Random) -> list[str]:
    """Draw letters that a word does not have."""
    letters = sorted(set("abcdefghijklmnopqrstuvwxyz") - set(secret))
    return rng.sample(letters, 5)


def wrong_words(secret: str, rng: Random) -> list[str]:
    """Draw words that are not the secret."""
    return rng.sample([word for word in ANSWERS if word != secret], 5)


def random_moves(secret: str, rng: Random) -> list[str]:
    """Draw directions."""
    return rng.choices(DIRECTIONS, k=MOVES)


def steps(
    player: Player, actions: Callable[[str, Random], list[str]], rng: Random
) -> Sample:
    """Return a sample of a step, over some whole episodes."""

    def sample() -> float:
        total, count = 0.0, 0
        for _ in range(EPISODES):
            player.reset()
            calls = [(player.form.format(a),) for a in actions(player.secret(), rng)]
            total += seconds(player.step, calls)
            count += len(calls)
        return total / count

    return sample


def resets(player: Player) -> Sample:
    """Return a sample of a reset."""
    calls = [()] * 20
    return lambda: seconds(player.reset, calls) / len(calls)


def compare_game(
    title: str,
    players: dict[str, Player],
    actions: Callable[[str, Random], list[str]],
    rounds: int,
) -> None:
    """Print a table for a step and one for a reset."""
    stepping = {name: steps(p, actions, Random(0)) for name, p in players.items()}
    targets = [Target("aq_gym", 20.0)]
    targets += [Target("aq_gym", 1.0, name) for name in players if name != "aq_gym"]
    show(f"{title}: a step", interleave(stepping, rounds), "aq_gym", targets=targets)
    resetting = {name: resets(player) for name, player in players.items()}
    show(f"{title}: a reset", interleave(resetting, rounds), "aq_gym")


def compare(rounds: int) -> None:
    """Print two tables for each game."""
    hangmen = {
        "aq_gym": ours("aq/Hangman-v0", "Guess: {}", length=5),
        "GEM": gems("game:Hangman-v0-hard", "secret_word", word_length=5),
        "TextArena": textarenas("Hangman-v0", "target_word"),
        "TextArena, no wrappers": textarenas("Hangman-v0-raw", "target_word"),
    }
    compare_game("Hangman", hangmen, wrong_letters, rounds)
    wordles = {
        "aq_gym": ours("aq/Wordle-v0", "Guess: {}"),
        "GEM": gems("game:Wordle-v0-hard", "secret_word"),
        "TextArena": textarenas("Wordle-v0", "secret_word"),
        "TextArena, no wrappers": textarenas("Wordle-v0-raw", "secret_word"),
    }
    compare_game("Wordle", wordles, wrong_words, rounds)
    boards = {
        "aq_gym": ours("aq/2048-v0", "{}"),
        "GEM": gems("game:Game2048-v0-extreme-hard", ""),
        "TextArena": textarenas("2048-v0", ""),
        "TextArena, no wrappers": textarenas("2048-v0-raw", ""),
    }
    compare_game("2048", boards, random_moves, rounds)
