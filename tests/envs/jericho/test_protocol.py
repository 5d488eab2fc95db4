"""AgentBoard's protocol; its own code is compared by a benchmark script."""

import copy
import pickle

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.agentboard import clean, help_text, is_check, is_valid, read
from aq_gym.envs.jericho.agentboard import title as title_of
from aq_gym.envs.jericho.agentboard_scores import Patterns
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import known_titles


def make(title, game="detective", **kwargs):
    kwargs = {"games": str(title(game).parent), "protocol": "agentboard", **kwargs}
    return gym.make("aq/Jericho-v0", game=game, **kwargs).unwrapped


def test_an_action_ends_at_a_comma_a_full_stop_or_after_twenty_words():
    assert read("take lamp, then go north") == "take lamp"
    assert read("take lamp. look") == "take lamp"
    assert read("word " * 30) == " ".join(["word"] * 20)


def test_an_observation_is_one_line_without_the_score():
    text = "Taken.\n\n[Your score has gone up by one point.]\n\n[The Court Yard]>"
    assert clean(text) == "Taken. "
    assert clean("A  room.\n[It creaks.]") == "A room. [It creaks.]"
    assert is_valid("Taken.")
    assert not is_valid("[!: Verb error.]")


def test_valid_actions_are_asked_for_in_any_words():
    assert is_check("Please CHECK the actions")
    assert not is_check("check the door")
    assert help_text(["look", "east"]) == (
        "You can take the following actions: look, east, check valid actions"
    )


def test_patterns_are_reached_one_at_a_time_in_any_punctuation():
    patterns = Patterns(["You find a key!", "key", "Hall"])
    scores = patterns.begin()
    assert scores.reward == 0.0
    scores = patterns.update(scores, "you find a key")
    assert scores.reached == (False, True, False)
    scores = patterns.update(scores, "You find -- a key.")
    assert scores.reached == (False, True, False)
    scores = patterns.update(scores, "*You find a key*")
    assert scores.reached == (True, True, False)
    assert patterns.update(scores, "In the Hall").reward == 1.0


def test_every_title_has_agentboards_goal_and_label():
    labels = [title_of(name).difficulty for name in known_titles()]
    assert labels.count("easy") == labels.count("hard") == 10
    assert title_of("dragon").goal == "search for a mug in an inn."


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="AgentBoard's titles, not game='lighthouse'"):
        JerichoEnv("lighthouse", protocol="agentboard")
    with pytest.raises(ValueError, match="belong to protocol='agentboard'"):
        JerichoEnv("lighthouse", patterns=["x"])


def test_an_episode_has_agentboards_goal_and_one_line(title):
    env = make(title, instructions=False)
    observation, info = env.reset(seed=3)
    assert info["task_id"] == "detective-0"
    assert info["goal"].startswith("Search for the culprit around town.")
    assert "\n" not in observation
    assert env.help().endswith(", check valid actions")
    assert "\n" not in env.step("take paper. drop it")[0]


def test_a_line_that_is_not_understood_is_a_turn(title):
    env = make(title)
    env.reset(seed=1)
    before = env.get_state()
    *_, info = env.step("take the moon")
    assert info["action_valid"]
    assert env.get_state() != before


def test_a_session_command_is_refused(title):
    env = make(title)
    env.reset(seed=1)
    before = env.get_state()
    *_, info = env.step("restart")
    assert not info["action_valid"]
    assert env.get_state() == before


def test_annotated_subgoals_make_the_progress(title):
    patterns = ["Taken", "You can't go up from here"]
    env = make(title, patterns=patterns)
    _, info = env.reset(seed=1)
    assert info["agentboard_reward"] == 0.0
    _, reward, terminated, _, info = env.step("take paper")
    assert (reward, terminated, info["agentboard_reward"]) == (0.5, False, 0.5)
    assert info["subgoals"] == {"subgoal 1": True, "subgoal 2": False}
    twin = copy.deepcopy(env)
    state = pickle.loads(pickle.dumps(env.get_state()))
    for one in (env, twin):
        _, _, terminated, _, info = one.step("up")
        assert terminated
        assert info["success"]
    env.set_state(state)
    assert not env.step("look")[2]


def test_without_annotations_our_subgoals_judge(title):
    env = make(title)
    _, info = env.reset(seed=1)
    assert "agentboard_reward" not in info
    assert len(info["subgoals"]) == len(known_titles()["detective"]["subgoals"])
