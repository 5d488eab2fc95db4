"""The texts: AgentBoard's sentences, BALROG's lines, answers to any action."""

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401

SIGHT = "In front of you in this room, you can see several objects: "
WALLS = "The room has walls around you. "


def start(level, seed, **arguments):
    env = gym.make(
        "aq/BabyAI-text-v0", level=level, instructions=False, **arguments
    ).unwrapped
    return env, env.reset(seed=seed)[0]


def say(env, *actions):
    for action in actions:
        observation, *_, info = env.step(action)
    return observation, info


def test_agentboard_sentences():
    _, observation = start("GoToRedBall", 1235)
    assert observation == (
        f"{SIGHT}There is a green key 1 right in front of you 2 steps away.  There is "
        "a green box 1 1 steps in front of you and 1 steps to your right.  There is a "
        "blue key 1 2 steps in front of you and 2 steps to your right.  There is a "
        "grey ball 1 2 steps in front of you and 3 steps to your right.  There is a "
        "grey ball 2 3 steps in front of you and 3 steps to your right.  "
        f"{WALLS}You are facing a wall 4 steps away. You are not carrying anything."
    )


def test_nothing_in_sight():
    env, _ = start("OneRoomS20", 0)
    seen = {env.step(move)[0] for move in 25 * ["move forward"] + 3 * ["turn left"]}
    seen |= {say(env, "turn left", "move forward")[0] for _ in range(20)}
    env, _ = start("OneRoomS20", 1)
    seen |= {say(env, *["move forward"] * 3, "turn right")[0] for _ in range(20)}
    nothing = "You cannot see any objects within sight.The room has walls around you. "
    assert f"{nothing}You are not carrying anything." in seen


def test_a_macro_is_one_step_of_several_primitive_ones():
    env, _ = start("BlockedUnlockPickup", 1235)
    observation, info = say(env, "turn left", "pickup yellow ball 1")
    assert info["primitive_steps"] == 5
    assert observation.endswith("You are carrying a yellow ball.")
    _, info = say(env, "check available actions")
    assert info["primitive_steps"] == 0
    _, info = say(env, "x" * 200_000)
    assert info["primitive_steps"] == 0


def test_a_macro_stops_where_the_episode_ends():
    env, _ = start("OpenRedDoor", 0)
    while not env.success():
        observation, _, terminated, _, info = env.step(env.expert_action())
    assert terminated
    assert info["primitive_steps"] < 5
    assert "red open door 1 right in front of you 1 steps away" in observation
    assert observation.endswith("\n The task is completed.")


def test_failure_is_told():
    env, _ = start("OpenDoorDebug", 2)
    assert env.expert_action() == "toggle and go through red closed door 1"
    wrong = "toggle and go through blue closed door 1"
    observation, reward, terminated, _, info = env.step(wrong)
    assert terminated
    assert reward == 0.0
    assert not info["success"]
    assert observation.endswith("\n The task has failed.")


@pytest.mark.parametrize(
    ("level", "seed", "before", "action", "answer"),
    [
        ("GoToRedBall", 1234, (), "move forward",
         "There is a barrier in front of you, you can't move forward."),
        ("GoToRedBall", 1235, ("move forward",), "move forward",
         "There is a green key in front of you, you can't move forward."),
        ("GoToRedBall", 1235, (), "drop",
         "You cannot drop the object, as you are not carrying anything."),
        ("GoToRedBall", 1235, ("pickup green key 1", "go to blue key 1"), "drop",
         "You cannot drop the object, as there is already an object in front of you."),
        ("GoToRedBall", 1235, (), "pick up",
         "There is nothing to pick up right in front of you."),
        ("GoToRedBall", 1235, ("pickup green key 1",), "pick up",
         "You cannot pick up anything, as you are already carrying a green key. Drop "
         "it first."),
        ("GoToRedBall", 1235, ("pickup green key 1",), "pickup green box 1",
         "You cannot pickup green box 1, as you are already carrying a green key. Drop "
         "it first."),
        ("GoToRedBall", 1235, (), "toggle",
         "There is no door or box right in front of you to toggle."),
        ("GoToRedBall", 1235, (), "go to red ball 7",
         "You cannot go to red ball 7, as you do not see it. You see: green key 1, "
         "green box 1, blue key 1, grey ball 1, grey ball 2."),
        ("GoToRedBall", 1234, (), "go to red ball 1",
         "You cannot go to red ball 1, as you do not see it. You see: no objects."),
        ("GoToRedBall", 1235, (), "go to grey ball",
         "You cannot go to grey ball, as you do not say which: grey ball 1 or grey "
         "ball 2."),
        ("GoToRedBall", 1235, (), "go to grey ball 2",
         "You cannot go to grey ball 2, as there is no path leading to it."),
        ("GoToRedBall", 1235, (), "go through green key 1",
         "You cannot go through green key 1, as it is not a door."),
        ("GoToSeqS5R2", 1235, (), "pick up purple closed door 1",
         "You cannot pickup purple closed door 1, as doors stay where they are."),
        ("GoToSeqS5R2", 1235, (), "go through purple closed door 1",
         "You cannot go through purple closed door 1, as it is closed. You should "
         "toggle it first."),
        ("KeyInBox", 1, (), "toggle and go through red locked door 1",
         "You cannot toggle and go through red locked door 1, as you are not carrying "
         "a key."),
        ("KeyInBox", 1, ("go to red locked door 1",), "toggle",
         "You cannot toggle red locked door, as you are not carrying a key."),
        ("UnlockPickupDist", 2, ("turn left", "pickup blue key 1"),
         "toggle and go through grey locked door 1",
         "You cannot toggle and go through grey locked door 1, as the color of the key "
         "you are carrying does not match the color of door."),
        ("KeyInBox", 1, (), "open sesame",
         "The action is not recognized. Please check valid actions."),
        ("KeyInBox", 1, (), "go to locked red locked door 1",
         "The action is not recognized. Please check valid actions."),
        ("KeyInBox", 1, (), "pickup open green box 1",
         "The action is not recognized. Please check valid actions."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_explained(level, seed, before, action, answer):
    env, _ = start(level, seed)
    say(env, "check available actions", *before)
    state = env.get_state()
    observation, info = say(env, action)
    assert observation == answer
    assert info["feedback"]
    assert not info["action_valid"]
    assert info["primitive_steps"] == 0
    assert env.get_state() == state


@pytest.mark.parametrize(
    "action",
    ["go to red locked door 1", "go to locked red door 1", "go to the red locked door",
     ' "Go to  RED locked door 1." ', "go to red locked door"],
)  # fmt: skip
def test_actions_are_read_tolerantly(action):
    env, _ = start("KeyInBox", 1)
    assert say(env, action)[1]["action_valid"]


def test_every_listed_action_is_in_agentboards_order():
    env, _ = start("GoToSeqS5R2", 1235)
    assert env.admissible_actions() == (
        "turn left", "turn right", "move forward", "pickup yellow key 1",
        "toggle and go through purple closed door 1",
        "toggle and go through purple closed door 2",
        "go to purple closed door 1", "go to yellow key 1",
        "go to purple closed door 2",
    )  # fmt: skip


def test_go_to_what_is_in_front_is_done():
    env, _ = start("KeyInBox", 1)
    first, _ = say(env, "go to green box 1")
    again, info = say(env, "go to green box 1")
    assert again == first
    assert info["primitive_steps"] == 1


def test_an_opened_box_is_gone():
    env, _ = start("KeyInBox", 1)
    observation, _ = say(env, "go to green box 1", "toggle")
    assert "box" not in observation
    assert "red key 1 right in front of you 1 steps away" in observation
    env, _ = start("GoToRedBall", 1235)
    observation, info = say(env, "go to green box 1", "toggle")
    assert info["action_valid"]
    assert "green box" not in observation


@pytest.mark.parametrize(
    ("level", "seed", "action", "same"),
    [
        ("GoToRedBall", 1235, "forward", "move forward"),
        ("GoToRedBall", 1235, "Step forward.", "move forward"),
        ("GoToRedBall", 1235, "left", "turn left"),
        ("GoToRedBall", 1235, "take the green key", "pickup green key 1"),
        ("GoToRedBall", 1235, "pick up the box", "pickup green box 1"),
        ("GoToRedBall", 1235, "walk to the blue key", "go to blue key 1"),
        ("KeyInBox", 1, "go to the door", "go to red locked door 1"),
    ],
)
def test_synonyms(level, seed, action, same):
    env, _ = start(level, seed)
    twin, _ = start(level, seed)
    assert env.understands(action)
    assert say(env, action) == say(twin, same)
    assert env.get_state() == twin.get_state()


def test_open_walks_up_and_toggles():
    env, _ = start("OpenRedDoor", 0)
    while "red closed door 1" not in say(env, "turn left")[0]:
        pass
    observation, info = say(env, "open the door")
    assert info["success"]
    assert "red open door 1 right in front of you 1 steps away" in observation


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("open the key", "you do not say which: green key 1 or blue key 1"),
        ("open the green key", "it is neither a door nor a box"),
        ("open the door", "you do not see it"),
    ],
)
def test_what_cannot_be_opened_is_explained(action, answer):
    env, _ = start("GoToRedBall", 1235)
    observation, info = say(env, action)
    assert answer in observation
    assert not info["action_valid"]


def test_turning_around_is_two_actions():
    env, _ = start("GoToRedBall", 1235)
    _, info = say(env, "turn around")
    assert not info["action_valid"]
    assert "turn left, then turn left again" in info["feedback"]


@pytest.mark.parametrize(
    "text",
    ["I turn left", "turn left and right", "go to", "go to the moon", "red key", "",
     "go to open red open door", "pick up open key", "left right"],
)  # fmt: skip
def test_what_is_not_an_action_is_not_understood(text):
    assert not start("GoToRedBall", 1235)[0].understands(text)


def test_a_level_that_is_no_text_is_named():
    with pytest.raises(TypeError, match="level=3 must be a str"):
        gym.make("aq/BabyAI-text-v0", level=3)
