"""How commands are read, understood and explained."""

import random
import re

import pytest

from aq_gym.envs.alfworld import AlfworldEnv, commands, text
from aq_gym.envs.alfworld.logic.house import TASK_TYPES

HEAT = "pick_heat_then_place_in_recep"


@pytest.fixture
def kitchen():
    env = AlfworldEnv()
    env.reset(options={"task_id": f"generated/{HEAT}/2873"})
    return env


def start(task_id):
    env = AlfworldEnv()
    return env, *env.reset(options={"task_id": task_id})


def equal(env, action, meaning):
    state = env.get_state()
    expected = env.step(meaning)
    env.set_state(state)
    assert expected[-1]["action_valid"]
    assert env.understands(action)
    assert env.step(action) == expected


@pytest.mark.parametrize(
    "action",
    [
        "go to countertop 1",
        "Go To  Countertop 1.",
        '"go to countertop 1"',
        "\tGO TO COUNTERTOP 1 ",
        "go to the countertop 1",
    ],
)
def test_actions_are_read_tolerantly(action):
    env, _, _ = start(f"generated/{HEAT}/0")
    observation, *_, info = env.step(action)
    assert info["action_valid"], action
    assert observation.startswith("You arrive at countertop 1.")


@pytest.mark.parametrize(
    "form",
    [
        "move {} to {}",
        "put {} in/on {}",
        "Put {} on {}.",
        "put {} in {}",
        "put {} into {}",
        "put {} onto {}",
        "put {} inside {}",
        "place {} in/on {}",
        "Place {} on {}",
        "put the {} on the {}",
    ],
)
def test_put_is_move(form):
    said, words = form.format("mug 1", "desk 2"), text.Words("")
    assert commands.read(said, words) == "move mug 1 to desk 2"
    older = text.Words("", put="put {o} in/on {r}")
    assert commands.read(said, older) == "put mug 1 in/on desk 2"


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_every_valid_command_is_read_as_it_is(task_type):
    env, rng = AlfworldEnv(task_type=task_type), random.Random(0)
    env.reset(seed=0)
    for _ in range(20):
        valid = env.admissible_actions()
        words = env._game.words
        for command in valid:
            assert commands.read(command, words) == command
            assert commands.read(f"{command}.", words) == command
        action = env.expert_action() if rng.random() < 0.3 else rng.choice(valid)
        if env.step(action)[2]:
            return


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
    valid = ["take mug 1 from shelf 1", "take mug 1 from shelf 2"]
    assert commands.completed("take mug 1", lambda: valid) == "take mug 1"
    assert commands.completed("take mug 1", lambda: valid[:1]) == valid[0]
    assert commands.completed("take mug 1 from bed 1", list) == "take mug 1 from bed 1"


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


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("dance", "not a command"),
        ("go to mars 1", "no such place"),
        ("take egg 1 from mars 1", "can't be done here and now"),
        ("go to countertop 1", "there already"),
        ("put mug 1 under desk 1", r"say move \(object\) to \(receptacle\)\."),
        ("take mug 1", r"say take \(object\) from \(receptacle\)\."),
        ("go countertop 1", r"say go to \(receptacle\)\."),
    ],
)
def test_what_is_not_admissible_does_nothing_and_says_why(action, why):
    env, _, _ = start(f"generated/{HEAT}/0")
    env.step("go to countertop 1")
    before = env.get_state().world
    observation, reward, terminated, truncated, info = env.step(action)
    assert observation == "Nothing happens."
    assert not info["action_valid"]
    assert re.search(why, info["feedback"])
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.get_state().world == before


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("go to fridge", "say go to fridge 1."),
        ("go to the fridge", "say go to fridge 1."),
        ("go to drawer", "go to drawer 3, go to drawer 4 or another."),
        ("go to countertop", "for countertop, say countertop 1."),
        ("open fridge", "for fridge, say fridge 1."),
        ("take plate from countertop", "say take plate 2 from countertop 1."),
        ("take plate from countertop 1", "say take plate 2 from countertop 1."),
        ("take the plate 2 from counter", "for counter, say it as you see it"),
        ("put plate on fridge 1", "for plate, say it as you see it"),
        ("heat plate with microwave", "for plate, say it as you see it, with its "
         "number; for microwave, say microwave 1."),
        ("go to mars", "there is no such place"),
    ],
)  # fmt: skip
def test_a_name_without_its_number_is_told_it(action, why):
    env, _, _ = start(f"generated/{HEAT}/2873")
    env.step("go to countertop 1")
    observation, *_, info = env.step(action)
    assert observation == "Nothing happens."
    assert not info["action_valid"]
    assert why in info["feedback"]


def test_what_is_in_the_hand_is_named_with_its_number():
    env, _, _ = start(f"generated/{HEAT}/2873")
    for action in ("go to countertop 1", "take plate 2 from countertop 1"):
        env.step(action)
    feedback = env.step("put plate on countertop 1")[-1]["feedback"]
    assert "say move plate 2 to countertop 1." in feedback
    assert env.step("put the plate 2 on the countertop 1")[-1]["action_valid"]


@pytest.mark.parametrize("number", ["", " 1"])
def test_feedback_does_not_reveal_whether_an_object_exists(number):
    env, _, _ = start(f"generated/{HEAT}/0")
    there, nowhere = (
        env.step(f"take {thing}{number} from fridge 1")[-1]["feedback"]
        for thing in ("egg", "dragon")
    )
    assert there.replace("egg", "dragon") == nowhere


def test_help_is_the_games_own_command():
    env, _, _ = start(f"generated/{HEAT}/0")
    observation, *_, info = env.step("help")
    assert observation.startswith("Available commands:\n  look: ")
    assert info["action_valid"]
    assert "help" in env.admissible_actions()
    listed, *_ = env.step("check valid actions")
    assert listed == "Choose an action from these valid actions: " + ", ".join(
        env.admissible_actions()
    )
