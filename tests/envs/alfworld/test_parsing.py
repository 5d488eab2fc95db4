"""A command names the action that the list of all commands has for it."""

import dataclasses
import random

import pytest

from aq_gym.envs.alfworld import AlfworldEnv, grammar, text
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES
from aq_gym.envs.alfworld.parsing import find_action


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
            plain = grammar.read(command, engine.words)
            assert plain == command == grammar.read(f"{command}.", engine.words)
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


@pytest.mark.parametrize("name", ["the 1", "Mug 1", "mug_a 1", "mug ٣"])
def test_other_names_than_plain_ones_are_normalized(name, house):
    built = house(TASK_TYPES[0])
    assert built.plain_names
    names = (name, *built.object_names[1:])
    assert not dataclasses.replace(built, object_names=names).plain_names
