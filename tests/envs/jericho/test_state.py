"""A story's state: one block, refused when damaged or of another story."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.moment import StoryState

WALK = ("east", "take oil", "examine tackle box")


@pytest.fixture
def env():
    env = JerichoEnv("lighthouse")
    env.reset(seed=5)
    for action in WALK:
        env.step(action)
    yield env
    env.close()


def world(env):
    return env.get_state().world


def test_a_state_survives_bytes_and_pickling(env):
    here = world(env)
    for kept in (
        StoryState.from_bytes(here.to_bytes()),
        pickle.loads(pickle.dumps(here)),
        copy.deepcopy(here),
    ):
        assert kept == here
        assert hash(kept) == hash(here)
        assert kept.to_bytes() == here.to_bytes()


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_state_is_refused(data):
    block = bytearray(BLOCK)
    place = data.draw(st.integers(0, len(block) - 1))
    block[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ValueError, match="state"):
        StoryState.from_bytes(bytes(block))


@pytest.mark.parametrize("length", [0, 10, 60, -1])
def test_a_cut_state_is_refused(env, length):
    with pytest.raises(ValueError, match="damaged"):
        StoryState.from_bytes(world(env).to_bytes()[:length])


def test_a_state_pickled_before_the_first_reset_is_an_error():
    env = JerichoEnv("lighthouse")
    assert pickle.loads(pickle.dumps(env)).reset(seed=1) == env.reset(seed=1)
    env.close()


def _block():
    env = JerichoEnv("lighthouse")
    env.reset(seed=5)
    block = world(env).to_bytes()
    env.close()
    return block


BLOCK = _block()
