"""A command of the game is read as it is, with or without a final stop."""

import random

import pytest

from aq_gym.envs.alfworld import AlfworldEnv, actions
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_every_valid_command_is_read_as_it_is(task_type):
    env, rng = AlfworldEnv(task_type=task_type), random.Random(0)
    env.reset(seed=0)
    for _ in range(20):
        valid = env.admissible_actions()
        words = env._engine.words
        for command in valid:
            assert actions.read(command, words) == command
            assert actions.read(f"{command}.", words) == command
        action = env.expert_action() if rng.random() < 0.3 else rng.choice(valid)
        if env.step(action)[2]:
            return
