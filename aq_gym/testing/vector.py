"""Check that vector environments give the same results as single ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Literal

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv

from aq_gym.core import TextEnv
from aq_gym.testing.case import (
    Case,
    Policy,
    StepResult,
    at,
    begin,
    contract_check,
    deterministic_only,
    expect,
    expert,
    generator,
    mixed,
    proceed,
)

_NUM_ENVS = 2
_STEPS = 6
_LONGEST = 1_000
# The pipe does not depend on how a process starts, so spawn, which imports everything
# again in each process, is tried only with shared memory.
_ASYNC: tuple[dict[str, Any], ...] = (
    {"context": "spawn", "shared_memory": True},
    {"context": "fork", "shared_memory": True},
    {"context": "fork", "shared_memory": False},
)
_FROM_INFO = (
    "progress",
    "best_progress",
    "subgoals",
    "success",
    "goal",
    "task_id",
    "difficulty",
    "source",
    "action_valid",
    "feedback",
)


def often_invalid(env: TextEnv, rng: np.random.Generator) -> str:
    """Return an invalid action often, so that feedback is compared."""
    return "fly to the moon" if rng.random() < 0.3 else mixed(env, rng)


@contract_check
@deterministic_only
def check_vector_sync(case: Case) -> None:
    """Check that a vector in one process gives the same results."""
    for singles in (_played(case, often_invalid, _STEPS), _played(case, expert, None)):
        _compare("sync", _made(case, "sync", {}), singles)


@contract_check
@deterministic_only
def check_vector_async(case: Case) -> None:
    """Check that ``make_vec`` with processes gives the same results."""
    singles = _played(case, often_invalid, _STEPS)
    for vector_kwargs in _ASYNC:
        with warnings.catch_warnings():
            # Python warns about fork in a process with threads, which is tested here.
            warnings.simplefilter("ignore", DeprecationWarning)
            envs = _made(case, "async", vector_kwargs)
            _compare(f"async {vector_kwargs}", envs, singles)


def _made(
    case: Case, mode: Literal["sync", "async"], vector_kwargs: dict[str, Any]
) -> VectorEnv[Any, Any, Any]:
    return gym.make_vec(
        case.id,
        num_envs=_NUM_ENVS,
        vectorization_mode=mode,
        vector_kwargs=vector_kwargs,
        **case.kwargs,
    )


def _compare(
    name: str, envs: VectorEnv[Any, Any, Any], singles: list[list[StepResult]]
) -> None:
    zeros = [0.0] * _NUM_ENVS
    try:
        observations, infos = envs.reset(seed=0)
        answers = (observations, zeros, zeros, zeros, infos)
        for step, moments in enumerate(zip(*singles, strict=True)):
            if step:
                answers = envs.step(tuple(moment.action or "" for moment in moments))
            with at(f"{name}: seed 0: step {step}"):
                _same(moments, *answers)
    finally:
        envs.close()


def _played(case: Case, policy: Policy, steps: int | None) -> list[list[StepResult]]:
    """Play single environments; as in a vector env, the step after an end is a reset.

    Args:
        case: The environment.
        policy: Chooses the actions.
        steps: The number of steps; None for two more than the longer episode has.
    """
    envs = [case.make() for _ in range(_NUM_ENVS)]
    rngs = [generator(seed) for seed in range(_NUM_ENVS)]
    first = steps or _LONGEST
    played = [
        [begin(env, seed), *proceed(env, policy, rng, first)]
        for seed, (env, rng) in enumerate(zip(envs, rngs, strict=True))
    ]
    most = steps or max(map(len, played)) + 1
    for env, rng, moments in zip(envs, rngs, played, strict=True):
        while len(moments) <= most:
            if moments[-1].over:
                moments.append(begin(env))
            else:
                moments += proceed(env, policy, rng, 1)
        env.close()
    return played


def _same(
    moments: tuple[StepResult, ...],
    observations: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    infos: dict[str, Any],
) -> None:
    for index, moment in enumerate(moments):
        info = {key: moment.info[key] for key in _FROM_INFO if key in moment.info}
        single = (*moment[1:5], info)
        together = (
            observations[index],
            float(rewards[index]),
            bool(terminated[index]),
            bool(truncated[index]),
            _one_of(infos, _FROM_INFO, index),
        )
        for name, one, other in zip(
            StepResult._fields[1:], single, together, strict=True
        ):
            expect(one == other, f"env {index}: {name} is {one!r}, merged {other!r}")


def _one_of(infos: dict[str, Any], keys: Iterable[str], index: int) -> dict[str, Any]:
    """Return the info of one environment from the merged info."""
    info: dict[str, Any] = {}
    for key in keys:
        if not infos.get(f"_{key}", (False,) * _NUM_ENVS)[index]:
            continue
        value = infos[key]
        # Masks are among the keys, and have no masks themselves.
        nested = isinstance(value, dict)
        info[key] = _one_of(value, value, index) if nested else value[index]
    return info
