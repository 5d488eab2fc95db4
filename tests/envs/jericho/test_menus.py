"""Where a story waits for a single key."""

import gymnasium as gym
import numpy as np
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.actions import read_key
from aq_gym.envs.jericho.responses import menu_keys, menu_text

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


def test_a_menu_without_keys_is_shown_where_nothing_else_is():
    rows = (f"{GAP}Topics", "", "   > One", "     Two")
    assert menu_text(rows, "\n") == "Topics\n\n   > One\n     Two"
    assert menu_text(rows, "Press any key.") == "Press any key."


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
