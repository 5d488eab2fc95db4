"""Compare Mastermind with TextArena's and GEM's.

Each is made as its users make it, and gets actions in the form of its instructions. The
games are alike: four digits from 1 to 9 that may repeat, and 20 different wrong
guesses, new ones in every episode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

import gem
import gem.envs  # registers its environments
import gymnasium as gym
import textarena
from timing import Sample, Target, interleave, seconds, show

import aq_gym  # noqa: F401  # registers its environments
from peer_games.textarena_calls import calls

EPISODES = 5
GUESSES = 20
RULES = {
    "code_length": 4,
    "num_numbers": 9,
    "duplicate_numbers": True,
    # No guess may be the last: that one is answered differently.
    "max_turns": GUESSES + 1,
}
CODES = list(product("123456789", repeat=4))


class Player(NamedTuple):
    """One Mastermind, as its users play it.

    Attributes:
        reset: Begins an episode and returns the first observation.
        step: Makes a guess and returns the answer.
        write: Writes a guess in the form of the instructions.
        code: Returns the hidden code, for an episode without a lucky guess.
    """

    reset: Callable[..., Any]
    step: Callable[[str], Any]
    write: Callable[[Sequence[str]], str]
    code: Callable[[], Sequence[str]]


def ours(prefix: str) -> Player:
    """Make aq_gym's."""
    env = gym.make("aq/Mastermind-v0")
    return Player(
        env.reset,
        env.step,
        lambda guess: prefix + "".join(guess),
        lambda: env.get_wrapper_attr("secrets")()[0],
    )


def gems() -> Player:
    """Make GEM's, without the wrappers that its training adds."""
    env = gem.make("game:Mastermind-v0-hard", **RULES)
    return Player(
        env.reset,
        env.step,
        lambda guess: f"\\boxed{{{' '.join(guess)}}}",
        lambda: tuple(map(str, env.game_code)),
    )


def textarenas(env_id: str) -> Player:
    """Make TextArena's; its step needs a second call to get the answer."""
    env = textarena.make(env_id, **RULES)
    reset, step = calls(env)
    return Player(
        reset,
        step,
        lambda guess: f"[{' '.join(guess)}]",
        lambda: tuple(map(str, env.state.game_state["secret_code"])),
    )


def resets(player: Player, **seed: int) -> Sample:
    """Return a sample of a reset, with a seed if one is given."""
    calls = [()] * (EPISODES * GUESSES)
    reset = partial(player.reset, **seed)
    return lambda: seconds(reset, calls) / len(calls)


def steps(player: Player, rng: Random) -> Sample:
    """Return a sample of a step, over some whole episodes."""

    def sample() -> float:
        total = 0.0
        for _ in range(EPISODES):
            player.reset()
            code = tuple(player.code())
            guesses = [g for g in rng.sample(CODES, GUESSES + 1) if g != code]
            calls = [(player.write(guess),) for guess in guesses[:GUESSES]]
            total += seconds(player.step, calls)
        return total / (EPISODES * GUESSES)

    return sample


def compare(rounds: int) -> None:
    """Print a table for a step and two for a reset."""
    players = {
        "aq_gym": ours("Guess: "),
        "aq_gym, bare digits": ours(""),
        "GEM": gems(),
        "TextArena": textarenas("Mastermind-v0"),
        "TextArena, no wrappers": textarenas("Mastermind-v0-raw"),
    }
    stepping = {name: steps(player, Random(0)) for name, player in players.items()}
    targets = (
        Target("aq_gym", 1.0, "GEM"),
        Target("aq_gym", 8.0),
        Target("aq_gym", 1.0, "TextArena"),
        Target("aq_gym", 1.0, "TextArena, no wrappers"),
    )
    show("Mastermind: a step", interleave(stepping, rounds), "GEM", targets=targets)
    resetting = {name: resets(player) for name, player in players.items()}
    limit = [Target("aq_gym", 1.5, "GEM")]
    show("Mastermind: a reset", interleave(resetting, rounds), "GEM", "us", limit)
    seeded = {name: resets(players[name], seed=3) for name in ("aq_gym", "GEM")}
    title = "Mastermind: a reset with a seed"
    show(title, interleave(seeded, rounds), "GEM", "us", limit)
