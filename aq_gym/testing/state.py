"""A state, a deep copy and a pickle in mid-episode go on exactly as the original."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import gymnasium as gym
import numpy as np

from aq_gym.testing.case import Case, Moment, begin, inner, mixed, proceed, rollout

_BEFORE = 4
_AFTER = 12


def check_state(case: Case) -> None:
    """``set_state`` goes on as the original did, in the same and in a fresh env."""
    for env, fresh in ((case.make(), case.make()), (case.make(), None)):
        world = inner(env)
        _play_a_little(world)
        state = pickle.loads(pickle.dumps(world.get_state()))
        expected = _go_on(world)
        successor = inner(fresh) if fresh else world
        successor.set_state(state)
        assert successor.get_state() == state
        assert repr(_go_on(successor)) == repr(expected)
    _refuses_strangers(case)


def _refuses_strangers(case: Case) -> None:
    world = inner(case.make())
    begin(world, 0)
    stranger = dataclasses.replace(world.get_state(), maker=("another:Env", "{}"))
    try:
        world.set_state(stranger)
    except ValueError:
        return
    raise AssertionError("set_state took another env's state")


def check_copies(case: Case) -> None:
    """Deep copies and pickles go on identically, wrappers included."""
    for duplicate in (copy.deepcopy, _through_pickle):
        for wrap in (_bare, _wrapped):
            env = wrap(case.make())
            _play_a_little(env)
            twin = duplicate(env)
            assert repr(_go_on(twin)) == repr(_go_on(env))
            next_episodes = rollout(twin, 5, steps=3), rollout(env, 5, steps=3)
            assert repr(next_episodes[0]) == repr(next_episodes[1])


def _play_a_little(env: gym.Env[str, str]) -> None:
    begin(env, 3)
    proceed(env, mixed, np.random.default_rng(1), _BEFORE)


def _go_on(env: gym.Env[str, str]) -> list[Moment]:
    rng = np.random.default_rng(2)
    moments = proceed(env, mixed, rng, _AFTER)
    # The next, unseeded episode must follow from the same random state too.
    return [*moments, begin(env), *proceed(env, mixed, rng, 3)]


def _through_pickle(env: gym.Env[str, str]) -> gym.Env[str, str]:
    copied: gym.Env[str, str] = pickle.loads(pickle.dumps(env))
    return copied


def _bare(env: gym.Env[str, str]) -> gym.Env[str, str]:
    return env


def _wrapped(env: gym.Env[str, str]) -> gym.Env[str, str]:
    from aq_gym.wrappers import ExtractAction, RepetitionRate, StepCap

    capped = StepCap(RepetitionRate(env, threshold=0.8), max_steps=50, max_invalid=20)
    return ExtractAction(capped)
