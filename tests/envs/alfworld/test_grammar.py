"""Forms of commands beside the game's own, and ``understands``."""

import pytest

from aq_gym.envs.alfworld import AlfworldEnv

HEAT = "pick_heat_then_place_in_recep"


@pytest.fixture
def kitchen():
    env = AlfworldEnv()
    env.reset(options={"task_id": f"generated/{HEAT}/2873"})
    return env


def equal(env, action, meaning):
    state = env.get_state()
    expected = env.step(meaning)
    env.set_state(state)
    assert expected[-1]["action_valid"]
    assert env.understands(action)
    assert env.step(action) == expected


@pytest.mark.parametrize(
    ("action", "meaning"),
    [
        ("Look around.", "look"),
        ("check inventory", "inventory"),
        ("walk to the countertop 1", "go to countertop 1"),
    ],
)
def test_synonyms(kitchen, action, meaning):
    equal(kitchen, action, meaning)


@pytest.mark.parametrize(
    "action",
    [
        "pick up plate 2 from countertop 1",
        "Pick up the plate 2 from the countertop 1.",
        "take plate 2",
        "pick up the plate 2",
    ],
)
def test_from_may_be_left_out_where_it_is_unique(kitchen, action):
    kitchen.step("go to countertop 1")
    equal(kitchen, action, "take plate 2 from countertop 1")


def test_what_is_not_here_is_not_taken(kitchen):
    observation, *_, info = kitchen.step("take plate 2")
    assert observation == "Nothing happens."
    assert "say take (object) from (receptacle)" in info["feedback"]
    assert kitchen.understands("take plate 2")


def test_a_name_in_two_receptacles_is_not_guessed(house):
    """One location can have two receptacles with the same object."""
    from aq_gym.envs.alfworld.actions import completed

    commands = ["take mug 1 from shelf 1", "take mug 1 from shelf 2"]
    assert completed("take mug 1", lambda: commands) == "take mug 1"
    assert completed("take mug 1", lambda: commands[:1]) == commands[0]
    assert completed("take mug 1 from bed 1", list) == "take mug 1 from bed 1"


@pytest.mark.parametrize(
    "action",
    ["go to mars 1", "go to fridge", "open the drawer 99", "look", "HELP",
     "put egg 1 in/on desk 1", "place egg 1 on desk 1", "check valid actions",
     "heat egg 1 with microwave 1", "slice egg 1 with knife 1", "use desklamp 1"],
)  # fmt: skip
def test_commands_are_understood_in_any_state(kitchen, action):
    assert kitchen.understands(action)


@pytest.mark.parametrize(
    "action",
    ["", "dance", "I will go to countertop 1", "go to the place where the egg is",
     "open your mind", "use caution", "take a break from work", "look at the fridge",
     "go to countertop 1 and open it", "put egg 1 under desk 1", "examine " * 3_000],
)  # fmt: skip
def test_other_texts_are_not_understood(kitchen, action):
    assert not kitchen.understands(action)


def test_explain_shows_the_feedback():
    task = {"task_id": f"generated/{HEAT}/2873"}
    silent, speaking = AlfworldEnv(), AlfworldEnv(explain=True)
    silent.reset(options=task)
    speaking.reset(options=task)
    observation, *_, info = silent.step("go to mars 1")
    assert observation == "Nothing happens."
    explained = speaking.step("go to mars 1")[0]
    assert explained == f"{observation}\n{info['feedback']}"


def test_before_an_episode_only_the_help_is_understood():
    assert AlfworldEnv().understands("check valid actions")
    assert not AlfworldEnv().understands("look")
