"""AgentBoard's protocol; ``benchmarks/judges/agentboard.py`` compares its own code."""

import re

import pytest

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.logic.house import TASK_TYPES
from aq_gym.envs.alfworld.protocol import agentboard_command, patterns, shown


def start(task_type, seed=0, **kwargs):
    env = AlfworldEnv(
        task_type=task_type, protocol="agentboard", instructions=False, **kwargs
    )
    return env, *env.reset(seed=seed)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_the_expert_matches_every_pattern_and_then_solves(task_type):
    env, _, info = start(task_type)
    assert info["agentboard_reward"] == 0.0
    assert info["difficulty"] == (
        "easy" if task_type == "pick_and_place_simple" else "hard"
    )
    count = len(patterns(env.household.goal))
    assert count == (2 if task_type == "pick_and_place_simple" else 3)
    rewards, done = [], False
    while not done:
        *_, done, _, info = env.step(env.expert_action())
        rewards.append(info["agentboard_reward"])
    assert rewards == sorted(rewards)
    assert set(rewards[:-1]) <= {i / (count + 1) for i in range(count + 1)}
    assert rewards[-1] == 1.0
    assert info["success"]


def test_a_pattern_counts_whenever_an_observation_matches_it():
    """Seeing the lamp counts before the object was seen."""
    env, _, _ = start("look_at_obj_in_light")
    lamp = re.compile(patterns(env.household.goal)[2])
    for command in env.admissible_actions():
        if command.startswith("go to"):
            observation, *_, info = env.step(command)
            if lamp.search(observation):
                assert info["agentboard_reward"] >= 0.25
                return
    raise AssertionError("no receptacle in sight has the lamp")


def test_look_repeats_the_last_view():
    env, observation, _ = start("pick_and_place_simple")
    room = observation.split("\n\n")[1]
    assert env.step("look")[0] == room
    view, *_ = env.step(next(a for a in env.admissible_actions() if "go to" in a))
    env.step("inventory")
    assert env.step("look.")[0] == view


def test_the_form_of_putting_is_agentboards():
    env, _, _ = start("pick_and_place_simple")
    action = ""
    while not action.startswith("put "):
        action = env.expert_action()
        observation, *_ = env.step(action)
    assert re.fullmatch(r"put \S+ \d+ in/on \S+ \d+", action)
    assert observation.startswith("You put the ")
    assert " in/on the " in observation


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ("put apple 1 in fridge 1", "put apple 1 in/on fridge 1"),
        ("put apple 1 on table 2.", "put apple 1 in/on table 2"),
        ("put apple 1 in/on fridge 1", "put apple 1 in/on fridge 1"),
        (" go to bed 1. ", "go to bed 1"),
        ("take pen 1 from desk 1", "take pen 1 from desk 1"),
    ],
)
def test_commands_are_read_as_agentboard_reads_them(action, command):
    assert agentboard_command(action) == command


def test_synonyms_are_off():
    env, _, _ = start("pick_and_place_simple")
    for action in ("look around", "Go to bed 1", "walk to drawer 1", "dance"):
        observation, *_, info = env.step(action)
        assert observation == "Nothing happens."
        assert not info["action_valid"]
        assert not env.understands(action)


def test_numbered_locations_are_not_shown():
    assert shown("You arrive at loc 12. On the bed 1, you see nothing.") == (
        "On the bed 1, you see nothing."
    )
    assert shown("You arrive at bed 1. On it") == "You arrive at bed 1. On it"


def test_valid_actions_are_listed_in_agentboards_words_with_the_question_itself():
    env, _, _ = start("pick_and_place_simple")
    told = env.step("check valid actions")[0]
    assert told.startswith("Choose an action from these valid actions: ")
    assert told.endswith(", check valid actions")
