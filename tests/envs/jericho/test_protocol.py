"""AgentBoard's protocol; its own code is compared by a benchmark script."""

import copy
import pickle

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_contract import hold_contract

import aq_gym  # noqa: F401
from aq_gym.envs.jericho import agentboard
from aq_gym.envs.jericho.agentboard import (
    AgentBoardProtocol,
    clean,
    has_ended,
    help_text,
    is_check,
    is_valid,
    plain,
    reach_one,
    read,
)
from aq_gym.envs.jericho.agentboard import title as title_of
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import known_titles
from aq_gym.envs.jericho.playthrough import Playthrough
from aq_gym.envs.jericho.session_manager import SessionManager
from aq_gym.registration import Expectations
from aq_gym.testing import Case


def make(title, game="detective", **kwargs):
    kwargs = {"games": str(title(game).parent), "protocol": "agentboard", **kwargs}
    return gym.make("aq/Jericho-v0", game=game, **kwargs).unwrapped


def test_an_action_ends_at_a_comma_a_full_stop_or_after_twenty_words():
    assert read("take lamp, then go north", 5) == "take lamp"
    assert read("take lamp. look", 5) == "take lamp"
    assert read("word " * 30, 5) == " ".join(["word"] * 20)
    assert read("look\nnorth", 5) == "look"


@pytest.mark.parametrize("action", ["", " ", ".", "\n", ", look"])
def test_an_action_may_be_an_empty_line(action):
    assert read(action, 5) == ""


@pytest.mark.parametrize("action", ["#$%", '"look"', "'Take ALL'", "*what", "a;b!"])
def test_an_action_is_typed_as_it_is(action):
    assert read(action, 5) == action


def test_jericho_types_the_bytes_of_an_action_and_reads_some_as_blanks():
    assert read("caf\u00e9", 5) == "caf\u00c3\u00a9"
    assert read("\t\u00a0look ", 5) == "\u00c2\u00a0look"
    assert len(read("\u65e5" * 100, 5)) == 198
    assert read("say \\x?", 5) == "say  x?"
    assert read("say \\x?", 3) == "say  x "


@given(st.text(st.characters(codec=None)))
def test_any_action_can_be_typed(action):
    line = read(action, 3)
    assert len(line) <= 198
    assert "\\" not in line
    assert not set(line) & set(",.\n")


def hold_own_contract(kwargs, **expected):
    kwargs = {"protocol": "agentboard", **kwargs}
    case = Case("aq/Jericho-v0", kwargs, Expectations(**expected))
    # AgentBoard counts every line as valid, such as an empty one.
    hold_contract(case, {"check_understands": "'' is valid"})


@pytest.mark.slow
def test_the_contract_holds_but_for_its_valid_lines(monkeypatch):
    """On an adventure, as AgentBoard's stories are not ours to ship."""
    title = agentboard.Title("fill the lamp. ", "easy")
    monkeypatch.setattr(agentboard, "title", lambda name: title)
    hold_own_contract({"game": "lighthouse", "patterns": ["Tower", "Lamp Room", "cap"]})


@pytest.fixture
def own():
    """AgentBoard's protocol and an adventure, which AgentBoard does not have."""
    manager = SessionManager("lighthouse", None)
    game = Playthrough(manager, None)
    game.begin(7)
    yield AgentBoardProtocol(title_of("dragon")), game
    manager.close()


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("", "I beg your pardon?"),
        (".", "I beg your pardon?"),
        ("#$%", "That's not a verb I recognise."),
        ('"look"', "That's not a verb I recognise."),
        ("qu\u00e9?", "That's not a verb I recognise."),
        ("LOOK, then wait", "Jetty "),
    ],
)
def test_any_line_is_passed_on_to_the_story(own, action, answer):
    protocol, game = own
    turn = protocol.refuse(game, action)
    assert turn.observation.startswith(answer)
    assert turn.action_valid
    assert not turn.terminated


@pytest.mark.parametrize("action", ["QUIT", "restart", "Undo!", "look; save"])
def test_any_line_about_the_session_is_refused(own, action):
    protocol, game = own
    before = game.now
    turn = protocol.refuse(game, action)
    assert "can't be used" in turn.observation
    assert not turn.action_valid
    assert game.now == before


def test_a_banner_ends_an_episode_as_in_agentboard():
    assert has_ended("You fall.\n\n   ****  You have died  ****\n\nForest")
    assert has_ended("Would you like to RESTART, RESTORE a saved game or QUIT?")
    assert not has_ended("A sign says *** and more.")


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
    patterns = [*map(plain, ["You find a key!", "key", "Hall"])]
    reached = (False, False, False)
    for said, after in (
        ("you find a key", (False, True, False)),
        ("You find -- a key.", (False, True, False)),
        ("*You find a key*", (True, True, False)),
        ("In the Hall", (True, True, True)),
    ):
        reached = reach_one(patterns, reached, said)
        assert reached == after


def test_every_title_has_agentboards_goal_and_label():
    labels = [title_of(name).difficulty for name in known_titles()]
    assert labels.count("easy") == labels.count("hard") == 10
    assert title_of("dragon").goal == "search for a mug in an inn. "


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
