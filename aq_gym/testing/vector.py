"""Vector environments give the same text as single ones."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import gymnasium as gym

from aq_gym.testing.case import Case, Moment, rollout

_NUM_ENVS = 2
_STEPS = 4
_ASYNC: tuple[dict[str, Any], ...] = (
    {"context": "spawn", "shared_memory": True},
    {"context": "spawn", "shared_memory": False},
    {"context": "fork", "shared_memory": True},
    {"context": "fork", "shared_memory": False},
)


def check_vector_sync(case: Case) -> None:
    """``make_vec`` in one process gives the same text."""
    _compare(case, "sync", {})


def check_vector_async(case: Case) -> None:
    """``make_vec`` in processes does so, with and without shared memory."""
    for vector_kwargs in _ASYNC:
        with warnings.catch_warnings():
            # Python warns that fork and threads don't mix; that is what is tested.
            warnings.simplefilter("ignore", DeprecationWarning)
            _compare(case, "async", vector_kwargs)


def _compare(
    case: Case, mode: Literal["sync", "async"], vector_kwargs: dict[str, Any]
) -> None:
    singles = [rollout(case.make(), seed, steps=_STEPS) for seed in range(_NUM_ENVS)]
    length = min(map(len, singles))
    envs = gym.make_vec(
        case.id,
        num_envs=_NUM_ENVS,
        vectorization_mode=mode,
        vector_kwargs=vector_kwargs,
        **case.kwargs,
    )
    try:
        observations, infos = envs.reset(seed=0)
        _same(singles, 0, observations, infos)
        for step in range(1, length):
            actions = tuple(moments[step].action for moments in singles)
            observations, _, _, _, infos = envs.step(actions)
            _same(singles, step, observations, infos)
    finally:
        envs.close()


def _same(
    singles: list[list[Moment]], step: int, observations: Any, infos: dict[str, Any]
) -> None:
    moments = [single[step] for single in singles]
    assert list(observations) == [moment.observation for moment in moments]
    for key in ("progress", "best_progress", "success"):
        assert list(infos[key]) == [moment.info[key] for moment in moments], key
