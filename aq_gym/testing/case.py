"""An environment under test, ways to play it, and assertions that name the step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, cast

import gymnasium as gym
import numpy as np

from aq_gym.core import TextEnv
from aq_gym.registration import Expectations

_BEFORE = 20
_SHOWN = 120


class ContractError(AssertionError):
    """Raised if a check of the contract fails."""


def expect(condition: object, message: str) -> None:
    """Raise if a condition is false; unlike ``assert``, also under ``python -O``.

    Raises:
        ContractError: If the condition is false.
    """
    if not condition:
        raise ContractError(message)


def expect_raises(
    error: type[Exception], call: Callable[[], object], description: str
) -> None:
    """Raise if a call does not raise an error of a type.

    Raises:
        ContractError: If the call raises nothing.
    """
    try:
        call()
    except error:
        return
    raise ContractError(f"{description} did not raise {error.__name__}")


@contextmanager
def at(place: object) -> Iterator[None]:
    """Add a place to the messages of errors raised inside the block."""
    try:
        yield
    except ContractError as error:
        error.args = (f"{place}: {error}",)
        raise


def difference(first: str, second: str) -> str:
    """Return excerpts of two texts around their first difference."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    first_difference = next((place for place, (a, b) in pairs if a != b), shorter)
    start = max(0, first_difference - _BEFORE)
    end = start + _SHOWN
    dots = "..." if start else ""
    return f"{dots}{first[start:end]} and {dots}{second[start:end]}"


P = ParamSpec("P")
Policy: TypeAlias = Callable[[TextEnv, np.random.Generator], str]

HELP = "check valid actions"
GARBAGE = ("", "  \n ", "fly to the moon", "\x00", "\ud800", "x" * 10_000, "ünïcödé 🙂")


class Case(NamedTuple):
    """An environment under test.

    Attributes:
        id: The id that ``gymnasium.make`` takes.
        kwargs: JSON-serializable constructor arguments.
        expectations: What to check; by default, everything.
    """

    id: str
    kwargs: Mapping[str, Any] = {}
    expectations: Expectations = Expectations()

    def make(self, **more: object) -> gym.Env[str, str]:
        """Make the environment with Gymnasium's default wrappers."""
        return gym.make(self.id, **{**self.kwargs, **more})

    def __str__(self) -> str:
        arguments = "".join(
            f", {name}={value!r}" for name, value in self.kwargs.items()
        )
        return f"{self.id}{arguments}"


def contract_check(
    check: Callable[Concatenate[Case, P], None],
) -> Callable[Concatenate[Case, P], None]:
    """Add the names of the check and the environment to every error."""

    @functools.wraps(check)
    def run(case: Case, /, *args: P.args, **kwargs: P.kwargs) -> None:
        where = f"{check.__name__} of {case}"
        try:
            with at(where):
                check(case, *args, **kwargs)
        except ContractError:
            raise
        except Exception as error:
            error.add_note(f"in {where}")
            raise

    return run


def deterministic_only(
    check: Callable[Concatenate[Case, P], None],
) -> Callable[Concatenate[Case, P], None]:
    """Skip a check if the environment does not promise to be deterministic."""

    @functools.wraps(check)
    def run(case: Case, /, *args: P.args, **kwargs: P.kwargs) -> None:
        if case.expectations.deterministic:
            check(case, *args, **kwargs)

    return run


class StepResult(NamedTuple):
    """The result of a reset or step; the action of a reset is None."""

    action: str | None
    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    @property
    def over(self) -> bool:
        """Whether the episode ended with this step."""
        return self.terminated or self.truncated


def inner(env: gym.Env[str, str]) -> TextEnv:
    """Return the TextEnv inside the wrappers.

    Raises:
        TypeError: If there is no TextEnv.
    """
    base = env.unwrapped
    if not isinstance(base, TextEnv):
        raise TypeError(f"{base} is not an aq_gym.TextEnv")
    return base


def generator(seed: int) -> np.random.Generator:
    """Return a generator for an agent, independent of the environment's own."""
    return np.random.default_rng([seed, 1])


def mostly_sampled(env: TextEnv, rng: np.random.Generator) -> str:
    """Return mostly sampled actions, and sometimes help or nonsense."""
    dice = rng.random()
    if dice < 0.85:
        return sample(env, rng)
    return HELP if dice < 0.9 else GARBAGE[int(rng.integers(len(GARBAGE)))]


def mixed(env: TextEnv, rng: np.random.Generator) -> str:
    """Return an expert action sometimes, and otherwise a sampled or invalid one."""
    return expert(env, rng) if rng.random() < 0.3 else mostly_sampled(env, rng)


def expert(env: TextEnv, rng: np.random.Generator) -> str:
    """Return the action of the expert, or the help action if it gives up."""
    return env.expert_action() or HELP


def sample(env: TextEnv, rng: np.random.Generator) -> str:
    """Sample an action, or return the help action if there is none."""
    try:
        return env.sample_action(rng)
    except ValueError:
        if env.admissible_actions():
            raise
        return HELP


def begin(
    env: gym.Env[str, str], seed: int | None = None, **options: object
) -> StepResult:
    """Reset and record."""
    observation, info = env.reset(seed=seed, options=options or None)
    return StepResult(None, observation, 0.0, False, False, info)


def take(env: gym.Env[str, str], action: str) -> StepResult:
    """Step and record."""
    observation, reward, terminated, truncated, info = env.step(action)
    return StepResult(
        action, observation, cast(float, reward), terminated, truncated, info
    )


def proceed(
    env: gym.Env[str, str], policy: Policy, rng: np.random.Generator, steps: int
) -> list[StepResult]:
    """Continue an episode for a number of steps, or to its end."""
    moments: list[StepResult] = []
    while len(moments) < steps and not (moments and moments[-1].over):
        # The audit plays environments that are no TextEnv, with a policy of its own.
        moments.append(take(env, policy(cast(TextEnv, env.unwrapped), rng)))
    return moments


def rollout(
    env: gym.Env[str, str], seed: int, policy: Policy = mixed, steps: int = 1_000
) -> list[StepResult]:
    """Play an episode from its reset for at most a number of steps."""
    start = begin(env, seed)
    return [start, *proceed(env, policy, generator(seed), steps)]


def into_episode(env: gym.Env[str, str], seed: int, steps: int) -> None:
    """Play a number of steps, or fewer so that the episode does not end."""
    moments = rollout(env, seed, steps=steps)
    if moments[-1].over:
        begin(env, seed)
        for moment in moments[1:-1]:
            again = take(env, cast(str, moment.action))
            expect(not again.over, f"seed {seed} ends sooner when played again")


def rows(moments: Sequence[StepResult]) -> list[list[str]]:
    """Return moments as ASCII, which shows every character and the order of keys."""
    return [[ascii(field) for field in moment] for moment in moments]


def expect_same(
    expected: Sequence[Sequence[str]],
    got: Sequence[Sequence[str]],
    description: str,
) -> None:
    """Raise if two records made by :func:`rows` are different.

    Raises:
        ContractError: If they differ; the message shows the first difference.
    """
    for step, (left, right) in enumerate(zip(expected, got, strict=False)):
        for field, one, other in zip(StepResult._fields, left, right, strict=True):
            if one != other:
                raise ContractError(
                    f"{description}: at step {step} {field} is {difference(one, other)}"
                )
    lengths = len(expected), len(got)
    expect(
        lengths[0] == lengths[1],
        f"{description}: {lengths[0]} and {lengths[1]} moments",
    )
