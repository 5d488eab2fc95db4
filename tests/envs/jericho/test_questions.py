"""Where a story's parser asks back, and where it waits for a single key."""

import gymnasium as gym
import numpy as np
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.actions import read_key
from aq_gym.envs.jericho.expert import Guide, room
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.responses import (
    Question,
    asked_back,
    is_walk,
    menu_keys,
    menu_text,
)
from aq_gym.envs.jericho.session import Session

WALKS = ("n", "s", "e", "w", "ne", "up", "d", "in", "south", "northwest")


@pytest.fixture
def env():
    env = gym.make("aq/Jericho-v0", game="clockwork").unwrapped
    env.reset(options={"task_id": "clockwork-7"})
    for direction in ("north", "up", "up"):
        env.step(direction)
    yield env
    env.close()


@pytest.mark.parametrize("name", ["clockwork", "museum"])
def test_a_direction_leads_where_it_leads_without_a_question(name):
    session = Session(find_game(name))
    steps = Guide(session).solution(5)
    session.start(5)
    asked = 0
    for index, step in enumerate(steps[:-1]):
        here = session.now
        for question in () if index % 4 else ("unlock", "examine", "put"):
            for direction in WALKS:
                session.jump(here)
                plain = session.do(direction), room(session)
                session.jump(here)
                session.do(question)
                asked += session.now.question is not None
                assert (session.do(direction), room(session)) == plain
                assert session.now.question is None
        session.jump(here)
        session.do(step.command)
    assert asked
    session.close()


def test_which_one_is_meant_can_be_answered_or_left(env):
    observation, _, _, _, info = env.step("examine peg")
    assert observation.startswith("Which do you mean")
    assert info["action_valid"]
    asked = env.get_state()
    assert "steel peg" in env.step("the left")[0]
    env.set_state(asked)
    assert "Ringing" in env.step("d")[0]
    env.set_state(asked)
    assert "Ringing" in env.step("down. look")[0]
    env.set_state(asked)
    assert "apprentice" in env.step("examine me")[0]


def test_a_misread_answer_leaves_the_question(env):
    env.step("examine peg")
    asked = env.get_state()
    for line in ("frobnicate", "the moon", "zz9"):
        assert not env.step(line)[4]["action_valid"]
        assert env.get_state() == asked
    assert "steel peg" in env.step("the left")[0]


def test_an_answer_that_leads_to_the_next_question(env):
    assert env.step("put")[0].startswith("What do you want to put")
    assert "in?" in env.step("the movement")[0]
    assert "Ringing" in env.step("down")[0]


@pytest.mark.parametrize(
    ("text", "depth", "pending", "asks"),
    [
        ("Which do you mean, the red one or the blue one?", 9, None, True),
        ("(the box)\nWhat do you want to put it in?", 9, None, True),
        ("[What do you want to take?]", 9, None, True),
        ("Sorry, you can only have one here. Which exactly?", 9, None, True),
        ("What do you want to take?", 8, None, False),
        ("Do you really want to leave?", 9, None, False),
        ("What a day.", 9, None, False),
        ("Please choose one.", 9, Question("Which?", 8), True),
        ("Taken.", 8, Question("Which?", 8), False),
    ],
)
def test_a_question_is_known_by_its_depth_and_words(text, depth, pending, asks):
    assert (asked_back(text, depth, 8, pending) is not None) is asks


@pytest.mark.parametrize(
    ("line", "walks"),
    [
        ("west", True), ("w", True), ("sw", True), ("w. look", True),
        ("up then look", True), ("north", False), ("n", True), ("northward", False),
        ("west door", False), ("look", False), ("window", False),
    ],
)  # fmt: skip
def test_a_direction_that_the_question_names_is_its_answer(line, walks):
    question = Question("Which do you mean, the north door or the gate?", 8)
    assert is_walk(line, question) is walks


def test_a_direction_answers_the_question_which_way():
    assert not is_walk("n", Question("Which way do you want to push the cart?", 8))


GAP = " " * 40
ROWS = (
    f"{GAP}About it",
    f" N = next subject{GAP}Help{GAP}P = previous",
    f" RETURN = read{GAP}Q = resume game",
    "",
    "     One",
    "   > Two",
    "",
)
KEYS = ("N = next subject", "P = previous", "RETURN = read", "Q = resume game")


def test_a_menu_is_shown_without_its_keys():
    assert menu_keys("\n".join(ROWS)) == KEYS
    shown = menu_text(ROWS, "\nTopics.\n")
    assert shown == "About it\nHelp\n\n     One\n   > Two\n\nTopics."


def test_a_status_line_is_not_a_menu():
    assert menu_text((" Jetty     Score: 1",), "\nPress any key.\n ") == (
        "Press any key."
    )


@pytest.mark.parametrize(
    ("action", "key"),
    [
        ("q", "q"),
        ("Return", ""),
        ("enter", ""),
        ("space", " "),
        ("", ""),
        ("next", "n"),
    ],
)
def test_a_key_can_be_named(action, key):
    assert read_key(action) == key


def test_a_menu_says_its_keys_until_it_is_left(games):
    env = gym.make("aq/Jericho-v0", game="detective", games=str(games)).unwrapped
    env.reset(seed=1)
    observation = env.step("about")[0]
    assert "About me" in observation
    assert "   > About this port" in observation
    assert "   > About me" in env.step("n")[0]
    for action in ("x", "check valid actions"):
        assert "Q = resume game" in env.step(action)[0]
    assert env.admissible_actions() == ("n", "p", "return", "q")
    assert env.sample_action(np.random.default_rng(1)) in env.admissible_actions()
    observation = env.step("return")[0]
    assert "Please press SPACE" in observation
    assert "Q = " not in observation
    assert env.admissible_actions() == ("return",)
    assert "Q = resume game" in env.step("space")[0]
    observation = env.step("q")[0]
    assert observation.startswith("<< Chief's office >>")
    env.close()
