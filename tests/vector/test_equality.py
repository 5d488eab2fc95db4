"""Ours and Gymnasium's SyncVectorEnv return the same, over every registered id."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

import aq_gym
from aq_gym.registration import TABLE
from aq_gym.vector import TextVectorEnv

MODES = st.sampled_from(AutoresetMode)


def ids(family):
    for row in TABLE:
        if row.family == family:
            needs = pytest.mark.needs(*(f"module:{name}" for name in row.requires))
            yield pytest.param(row.id, marks=needs, id=row.id)


def play(ours, theirs, steps, rng):
    """Take the same actions in both, valid and invalid ones, over several episodes."""
    disabled = ours.autoreset_mode is AutoresetMode.DISABLED
    for _ in range(steps):
        actions = [
            env.unwrapped.sample_action(rng) if rng.random() < 0.7 else "fly away"
            for env in theirs.envs
        ]
        result = theirs.step(actions)
        same(ours.step(actions), result)
        over = result[2] | result[3]
        if disabled and over.any():
            options = [{"reset_mask": over.copy()} for _ in range(2)]
            seeds = [5] * ours.num_envs
            again = theirs.reset(seed=seeds, options=options[0])
            same(ours.reset(seed=seeds, options=options[1]), again)
            assert "reset_mask" in options[1]


def compare(env_id, mode, num_envs, seed, steps, cap):
    theirs = gym.make_vec(
        env_id,
        num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        max_episode_steps=cap,
    )
    ours = gym.make_vec(env_id, num_envs, autoreset_mode=mode, max_episode_steps=cap)
    try:
        assert isinstance(ours, TextVectorEnv)
        assert ours.metadata == theirs.metadata
        for space in ("", "single_"):
            for kind in ("observation_space", "action_space"):
                mine = getattr(ours, space + kind)
                assert mine == getattr(theirs, space + kind)
        same(ours.reset(seed=seed), theirs.reset(seed=seed))
        assert ours.np_random_seed == theirs.np_random_seed
        play(ours, theirs, steps, np.random.default_rng(seed))
        same(ours.reset(), theirs.reset())
    finally:
        ours.close()
        theirs.close()


@pytest.mark.parametrize("env_id", [*ids(family=False)])
@settings(max_examples=6, derandomize=True)
@given(
    mode=MODES,
    num_envs=st.integers(1, 4),
    seed=st.integers(0, 99),
    steps=st.integers(1, 8),
    cap=st.integers(1, 4),
)
def test_same_as_sync(env_id, mode, num_envs, seed, steps, cap):
    compare(env_id, mode, num_envs, seed, steps, cap)


@pytest.mark.parametrize("env_id", [*ids(family=True)])
@pytest.mark.slow
def test_families_are_the_same_as_sync(env_id):
    number = [row.id for row in TABLE].index(env_id)
    compare(env_id, list(AutoresetMode)[number % 3], 2, 0, 3, 2)


def test_the_entry_point_is_the_default_and_json():
    spec = gym.spec("aq/Mastermind-v0")
    assert gym.envs.registration.EnvSpec.from_json(spec.to_json()) == spec
    by_default = gym.make_vec("aq/Mastermind-v0", num_envs=2)
    named = gym.make_vec(
        "aq/Mastermind-v0", num_envs=2, vectorization_mode="vector_entry_point"
    )
    assert type(by_default) is type(named) is TextVectorEnv
    assert repr(named) == "TextVectorEnv(aq/Mastermind-v0, num_envs=2)"
    same(by_default.reset(seed=1), named.reset(seed=1))
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = aq_gym.vector.missing


def test_arguments_reach_every_environment():
    envs = gym.make_vec("aq/Mastermind-v0", 2, code_length=2, render_mode="ansi")
    observations, infos = envs.reset(seed=0)
    assert envs.render() == observations
    assert len(infos["subgoals"]) == 4
    assert envs.render_mode == "ansi"
    assert envs.spec.kwargs["code_length"] == 2
