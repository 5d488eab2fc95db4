"""A command names the action that the list of all commands has for it."""

import random

import pytest

from aq_gym.envs.alfworld import AlfworldEnv, actions, text
from aq_gym.envs.alfworld.actions import find_action
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_commands_of_this_and_other_states(task_type):
    env, rng, known = AlfworldEnv(task_type=task_type), random.Random(0), set()
    env.reset(seed=0)
    for _ in range(40):
        engine = env._engine
        now = text.commands(engine.house, engine.words, engine.state)
        known |= set(now)
        for command in known:
            found = find_action(engine.house, engine.words, engine.state, command)
            assert found == now.get(command)
            # A final stop is removed by the rule for all other texts.
            plain = actions.read(command, engine.words)
            assert plain == command == actions.read(f"{command}.", engine.words)
        action = env.expert_action() if rng.random() < 0.3 else rng.choice(sorted(now))
        if env.step(action)[2]:
            return


@pytest.mark.parametrize(
    "command",
    ["take mug 1 with desk 1", "heat mug 1 from microwave 1", "go to", "look 1", ""],
)
def test_other_texts_have_no_action(command, house):
    built = house(TASK_TYPES[0])
    assert find_action(built, text.Words(""), built.start, command) is None
