"""Damaged story files are played, refused or fail, and raise nothing else."""

import pickle
import random

import numpy as np
import pytest

from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.moment import StoryFailedError

pytestmark = pytest.mark.slow


COUNT = 24
STATIC, CHECKSUM = slice(0x0E, 0x10), slice(0x1C, 0x1E)
ACTIONS = ("look", "help", "north", "take all", "examine me", "help")


def damaged(name, seed):
    rng = random.Random(seed)
    story = bytearray(find_game(name).story)
    static = int.from_bytes(story[STATIC], "big")
    first, last = rng.choice(
        [
            (0, 64),
            (64, static),
            (static, static + 2_500),  # The grammar.
            (static, len(story)),
        ]
    )
    for _ in range(rng.choice((1, 3, 10, 40, 200))):
        story[rng.randrange(first, last)] = rng.randrange(256)
    # No checksum: the damage is to be found out by playing.
    story[CHECKSUM] = bytes(2)
    return bytes(story)


def play(path):
    env = JerichoEnv(game=str(path))
    try:
        env.reset(seed=1)
        env.understands("take lamp")
        env.sample_action(np.random.default_rng(1))
        for action in ACTIONS:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                return "ended"
        assert pickle.loads(pickle.dumps(env.get_state())) == env.get_state()
        return "played"
    finally:
        env.close()


@pytest.mark.parametrize("name", ["lighthouse", "museum"])
def test_damage_is_met_with_the_documented_errors(name, tmp_path):
    met = set()
    path = tmp_path / "damaged.z5"
    for seed in range(COUNT):
        path.write_bytes(damaged(name, seed))
        try:
            met.add(play(path))
        except StoryFailedError:
            met.add("failed")
        except ValueError as error:
            assert "can't be played" in str(error) or "state" in str(error)
            met.add("refused")
    assert {"played", "ended", "failed", "refused"} <= met
