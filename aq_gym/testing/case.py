"""What the contract is checked on, and how episodes are recorded to compare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

import gymnasium as gym
import numpy as np

from aq_gym.core import TextEnv

Policy: TypeAlias = Callable[[TextEnv, np.random.Generator], str]

GARBAGE = ("", "  \n ", "fly to the moon", "\x00", "\ud800", "x" * 10_000, "ünïcödé 🙂")


class Case(NamedTuple):
    """An environment under test.

    Attributes:
        id: What ``gymnasium.make`` takes.
        kwargs: Constructor arguments, JSON-safe.
    """

    id: str
    kwargs: Mapping[str, Any] = {}

    def make(self, **more: object) -> gym.Env[str, str]:
        """Make the environment with Gymnasium's default wrappers."""
        return gym.make(self.id, **{**self.kwargs, **more})


class Moment(NamedTuple):
    """One reset or step as the caller saw it; the action of a reset is None."""

    action: str | None
    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    @property
    def over(self) -> bool:
        """Whether the episode ended here."""
        return self.terminated or self.truncated


def inner(env: gym.Env[str, str]) -> TextEnv:
    """Return the TextEnv inside the wrappers.

    Raises:
        TypeError: If there is none.
    """
    base = env.unwrapped
    if not isinstance(base, TextEnv):
        raise TypeError(f"{base} is not an aq_gym.TextEnv: the contract is about those")
    return base


def mixed(env: TextEnv, rng: np.random.Generator) -> str:
    """Act as a mediocre agent: some sense, some luck, some nonsense."""
    dice = rng.random()
    if dice < 0.3:
        return env.expert_action()
    if dice < 0.8:
        return env.sample_action(rng)
    if dice < 0.85:
        return "check valid actions"
    return GARBAGE[int(rng.integers(len(GARBAGE)))]


def expert(env: TextEnv, rng: np.random.Generator) -> str:
    """Act as the reference policy does."""
    return env.expert_action()


def begin(env: gym.Env[str, str], seed: int | None = None, **options: object) -> Moment:
    """Reset and record."""
    observation, info = env.reset(seed=seed, options=options or None)
    return Moment(None, observation, 0.0, False, False, info)


def take(env: gym.Env[str, str], action: str) -> Moment:
    """Step and record."""
    observation, reward, terminated, truncated, info = env.step(action)
    return Moment(action, observation, cast(float, reward), terminated, truncated, info)


def proceed(
    env: gym.Env[str, str], policy: Policy, rng: np.random.Generator, steps: int
) -> list[Moment]:
    """Go on with a running episode for some steps, or to its end."""
    moments: list[Moment] = []
    while len(moments) < steps and not (moments and moments[-1].over):
        moments.append(take(env, policy(inner(env), rng)))
    return moments


def rollout(
    env: gym.Env[str, str], seed: int, policy: Policy = mixed, steps: int = 1_000
) -> list[Moment]:
    """Play one episode from its reset, at most some steps of it."""
    start = begin(env, seed)
    return [start, *proceed(env, policy, np.random.default_rng(seed), steps)]
