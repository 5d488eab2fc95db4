"""The rewards of ``examples/rl.py``; they need no torch."""

import gymnasium as gym
import numpy as np
import pytest
from text_graph_agent.rewards import PotentialReward

import aq_gym  # noqa: F401

DISCOUNT = 0.9


def played(seed, **options):
    """Play random actions, which reach subgoals and undo them, with 60 at the most."""
    env = gym.make("aq/PDDL-v0", max_episode_steps=60, domain="blocksworld", size=3)
    env = PotentialReward(env, DISCOUNT, **options)
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards, infos, over = [], [info], False
    while not over:
        action = env.unwrapped.sample_action(rng)
        _, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        rewards.append(reward)
        infos.append(info)
    return rewards, infos


def discounted(rewards):
    return sum(reward * DISCOUNT**time for time, reward in enumerate(rewards))


def test_an_episode_pays_what_success_alone_pays():
    ends, undone = set(), 0
    for seed in range(20):
        rewards, infos = played(seed)
        success = infos[-1]["success"]
        ends.add(success)
        undone += any(info["progress"] < info["best_progress"] for info in infos)
        expected = success * DISCOUNT ** (len(rewards) - 1)
        assert discounted(rewards) == pytest.approx(expected, abs=1e-9)
    assert ends == {True, False} and undone


def test_the_potential_stays_where_a_cut_off_is_no_end():
    for seed in range(20):
        rewards, infos = played(seed, cut_off_ends=False)
        if not infos[-1]["success"]:
            kept = DISCOUNT ** len(rewards) * infos[-1]["progress"]
            assert discounted(rewards) == pytest.approx(kept, abs=1e-9)


def test_a_potential_of_another_kind():
    rewards, infos = played(0, potential=lambda info: info["progress"] - 1)
    expected = 1 + infos[-1]["success"] * DISCOUNT ** (len(rewards) - 1)
    assert discounted(rewards) == pytest.approx(expected)
