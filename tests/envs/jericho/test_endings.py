"""The end, the victory and the score of a story without annotation."""

import pickle

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zmachine.compiled import path_of

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.responses import (
    asks_to_restart,
    says_won,
    score_in,
    score_shown,
)

ENDS = [
    "Would you like to RESTART, RESTORE a saved game or QUIT?\n> ",
    "You may start over, restore a saved position, or end this session. (Type RESTART, "
    "RESTORE, or QUIT):\n>",
    "Do you wish to: (1) Quit, (2) Restart, (3) Restore, (4) Hints, (5) Undo ?\n",
    "Time to RESTORE or RESTART or see how it could have ended or just QUIT?\n\n>",
    "You are dead. Do you wish to start the game again? (Y is affirmative): >",
    "Another game, captain?\n",
    "--end of session--\n\n",
]
GOES_ON = [
    "*** A bell rings ***\n>",
    "   *** You have died ***\n\nYou wake up in a forest.\n>",
    "You may SAVE, RESTORE, RESTART or QUIT at any time.\n\nWalk on, and look around.",
    "Type QUIT to quit, and RESTART to begin anew.\n>",
    "Shall I bring you back to life?\n>",
]


@pytest.mark.parametrize("text", ENDS)
def test_a_question_what_to_do_after_the_end_is_one(text):
    assert asks_to_restart(text)
    assert asks_to_restart(f"You fall.\n\n    *** You have died ***\n\n{text}")
    assert not asks_to_restart(f"{text}\n\nYou wake up. It was a dream.\n>")


@pytest.mark.parametrize("text", GOES_ON)
def test_other_texts_end_nothing(text):
    assert not asks_to_restart(text)


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("    *** You have won ***", True),
        ("****  You have won  ****", True),
        ("You've finished the story of the sea!", True),
        ("*** You have died ***", False),
        ("*** A bell rings ***", False),
    ],
)
def test_a_victory_is_known_by_its_words(text, won):
    assert says_won(text) is won


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("You have so far scored 5 out of a possible 50, in 3 turns.", (5, 50)),
        ("Your score is -5 (total of 350 points), in 394 moves.", (-5, 350)),
        ("Your score would be 0 (out of 80 points).", (0, 80)),
        ("Your potential is 7 of a possible 7, in 380 moves.", (7, 7)),
        ("you will have scored 10 points out of\na maximum of 250.", (10, 250)),
        ("Bear have 6 out of 7 that time.", (6, 7)),
        ("scored forty-seven out of a possible one hundred and fifty", (47, 150)),
        ("Your score is 12, in 30 moves.", (12, 0)),
        ("There is no score in this story.", (None, 0)),
        ("It is one of the two doors.", (None, 0)),
        ("You go in and out of three doors.", (None, 0)),
        ("Score: 7", (7, 0)),
    ],
)
def test_a_score_is_read_in_words(text, score):
    assert score_in(text) == score


@given(st.integers(-999, 999), st.integers(1, 999))
def test_every_score_is_read(points, highest):
    text = f"In that game you scored {points} out of a possible {highest}, in 2 turns."
    assert score_in(text) == (points, highest)


def test_an_end_that_counts_something_else_is_no_score(env):
    _, info = play(env, "get coin", "other")
    assert info["score"] == 1


def test_a_status_line_shows_a_score_or_none():
    assert score_shown([" Hall            Score: 12     Moves: 3"]) == 12
    assert score_shown([" Hall            Score:   -3"]) == -3
    assert score_shown([" Hall            10:36 am", ""]) is None


@pytest.fixture(params=[3, 5])
def env(request):
    """The story ``ending.inf``: its score is in a variable or told, two at most."""
    path = path_of("ending", request.param)
    env = gym.make("aq/Jericho-v0", game=str(path), instructions=False).unwrapped
    assert env.reset(seed=1)[1]["source"] == "user"
    yield env
    env.close()


def test_an_annotated_release_is_published(monkeypatch):
    monkeypatch.setattr("aq_gym.envs.jericho.env.is_known", lambda game: True)
    env = gym.make("aq/Jericho-v0", game=str(path_of("ending", 3)))
    assert env.unwrapped.source == "published"
    env.close()


def play(env, *actions):
    for action in actions:
        _, _, terminated, _, info = env.step(action)
    return terminated, info


def test_a_banner_in_the_middle_ends_nothing(env):
    terminated, info = play(env, "bell", "help me", "look")
    assert not terminated
    assert info["score"] == 0


def test_the_last_point_counts_at_the_end(env):
    terminated, info = play(env, "get coin", "get coin")
    assert not terminated
    assert (info["score"], info["progress"], info["success"]) == (2, 0.5, False)
    state = pickle.loads(pickle.dumps(env.get_state()))
    for _ in range(2):
        terminated, info = play(env, "end")
        assert terminated
        assert (info["score"], info["progress"], info["success"]) == (2, 1.0, True)
        env.set_state(state)


@pytest.mark.parametrize(
    ("actions", "success", "score"),
    [
        (("get coin", "end"), False, 1),
        (("get coin", "x me"), False, 1),
        (("get coin", "get coin", "x me"), True, 2),
        (("drown",), False, 0),
        (("plunge",), False, 0),
        (("win",), True, 0),
    ],
)
def test_an_end_is_won_by_its_words_or_the_full_score(env, actions, success, score):
    terminated, info = play(env, *actions)
    assert terminated
    assert (info["success"], info["score"]) == (success, score)


def test_a_story_without_a_score_has_none_in_info():
    env = gym.make("aq/Jericho-v0")
    assert "score" not in env.reset(seed=1)[1]
    env.close()


def test_asking_for_the_score_leaves_no_trace(env):
    session = env._manager.session
    turns = session.memory.variable(2)
    play(env, "look")
    assert session.interpreter.variable(2) == turns + 1
    assert env.step("again")[0] == "Time passes."
