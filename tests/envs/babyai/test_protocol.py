"""AgentBoard's protocol: recorded walks of its own code, and what differs from ours.

``agentboard_walks.json`` holds actions, and hashes of the observations and lists of
actions that AgentBoard's published code gave for them. All 112 instances are compared
with that code itself by ``benchmarks/judges/agentboard.py``.
"""

import hashlib
import json
from pathlib import Path

import pytest

from aq_gym.envs.babyai import BabyAITextEnv

WALKS = json.loads(Path(__file__).with_name("agentboard_walks.json").read_text())


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def start(level, seed, **kwargs):
    env = BabyAITextEnv(level, protocol="agentboard", instructions=False, **kwargs)
    observation, _ = env.reset(seed=seed)
    return env, observation


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk["level"])
def test_recorded_walks_of_agentboards_code(walk):
    env, observation = start(walk["level"], walk["seed"], patterns=walk["patterns"])
    assert digest(observation) == walk["begin"]
    for action, said, listed, reward, done in walk["steps"]:
        observation, _, terminated, _, info = env.step(action)
        actions = (*env.admissible_actions(), "check available actions")
        assert digest(observation) == said, action
        assert digest(", ".join(actions)) == listed, action
        assert (info["agentboard_reward"], terminated) == (reward, done), action


def test_a_macro_action_passes_the_end_of_the_mission():
    """The door is open before the last step, which alone counts."""
    action = "toggle and go through red closed door 1"
    ours = BabyAITextEnv("OpenRedDoor")
    ours.reset(seed=0)
    theirs, _ = start("OpenRedDoor", 0)
    while action not in theirs.admissible_actions():
        theirs.step("turn left")
    assert theirs.step("go through red closed door 1")[0] == (
        "You cannot go through red closed door 1, as it is closed. "
        "You should toggle it first."
    )
    for env, success in ((ours, True), (theirs, False)):
        while action not in env.admissible_actions():
            env.step("turn left")
        *_, terminated, _, info = env.step(action)
        assert info["success"] is terminated is success
    assert theirs.progress() < 1.0


def test_going_to_what_is_in_front_does_nothing():
    env, _ = start("GoToRedBall", 1235)
    env.step("go to green key 1")
    observation, *_, info = env.step("go to green key 1")
    assert observation == "No change in state."
    assert info["action_valid"]


def test_progress_is_1_exactly_at_its_own_success():
    env, _ = start("OpenDoorsOrderN4Debug-v0", 1234)
    for _ in range(30):
        *_, terminated, _, info = env.step(env.expert_action())
        assert (info["progress"] == 1.0) == info["success"] == terminated
        if terminated:
            break


def test_patterns_end_an_episode_at_their_last():
    env, observation = start("GoToRedBall", 1235, patterns=["You are carrying"])
    assert "carrying" in observation
    observation, _, terminated, _, info = env.step("turn left")
    assert "You are not carrying anything" in observation
    assert not terminated
    observation, _, terminated, _, info = env.step("turn right")
    observation, _, terminated, _, info = env.step("pickup green key 1")
    assert terminated
    assert info["success"]
    assert info["agentboard_reward"] == 1.0
    assert observation.endswith("\n The task is completed.")


def test_alternatives_share_their_places():
    patterns = [["red ball", "carrying a key"], ["blue key", "carrying a green"]]
    env, _ = start("GoToRedBall", 1235, patterns=patterns)
    *_, info = env.step("turn left")
    *_, info = env.step("turn right")
    assert info["agentboard_reward"] == 0.5
    *_, info = env.step("pickup green key 1")
    assert info["agentboard_reward"] == 1.0


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"patterns": ["a"]}, "belong to protocol='agentboard'"),
        (
            {"protocol": "agentboard", "patterns": [["a"], ["a", "b"]]},
            "must have the same length",
        ),
        ({"protocol": "agentquest"}, "protocol='agentquest': choose one of"),
    ],
)
def test_mistakes_are_named(kwargs, message):
    with pytest.raises(ValueError, match=message):
        BabyAITextEnv(**kwargs)


@pytest.mark.parametrize(
    ("action", "understood"),
    [
        ("turn left", True),
        ("Go to RED ball 1 ", True),
        ("toggle and go through red locked door 2", True),
        ("check what I can do", True),
        ("go to the red ball 1", False),
        ("go to red ball", False),
        ("forward", False),
        ("pick up", False),
    ],
)
def test_the_published_grammar_holds(action, understood):
    assert BabyAITextEnv(protocol="agentboard").understands(action) is understood


def test_its_solvable_twin_is_not_taken():
    env, _ = start("OpenDoorsOrderN2Debug-v0", 0)
    _, info = env.reset(seed=0)
    assert info["task_id"] == "OpenDoorsOrderN2Debug-v0:0"


def test_agentboards_goal_names_no_order():
    level, seed = "OpenRedBlueDoorsDebug-v0", 1234
    env = BabyAITextEnv(level, protocol="agentboard")
    observation, info = env.reset(seed=seed)
    assert info["goal"] == "open the red door, and open the blue door"
    assert info["goal"] in observation
    ours = BabyAITextEnv(level).reset(seed=seed)[1]["goal"]
    assert ours == "open the red door, then open the blue door"
