"""The Wordle environment."""

import gymnasium as gym
import numpy as np
import pytest
from made_agentquest import write_checkout

from aq_gym.envs.wordle.logic.words import difficulty_of, words_in_band
from aq_gym.testing import CHECKS, Case

VARIANTS = (
    {"length": 6, "hard_mode": True},
    {"length": 8, "split": "test", "instructions": False},
    {"length": 4, "difficulty": "hard", "guesses": 8},
)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kwargs", VARIANTS, ids=str)
def test_arguments_keep_the_contract(check, kwargs):
    check(Case("aq/Wordle-v0", kwargs))


def begun(word="erase", **arguments):
    env = gym.make("aq/Wordle-v0", length=len(word), **arguments)
    env.reset(options={"task_id": word})
    return env


def test_an_episode_to_the_end():
    env = begun("erase")
    steps = [env.step(action) for action in ("speed", "crane", "Guess: tares", "erase")]
    assert [info["progress"] for *_, info in steps] == [0.0, 0.6, 0.0, 1.0]
    assert [info["best_progress"] for *_, info in steps] == [0.0, 0.6, 0.6, 1.0]
    assert [info["guesses_left"] for *_, info in steps] == [5, 4, 3, 2]
    assert [terminated for _, _, terminated, _, _ in steps] == [False] * 3 + [True]
    green = [info["subgoals"] for *_, info in steps][1]
    assert green == {f"position {i}": i in (2, 3, 5) for i in range(1, 6)}


def test_the_last_guess_ends_the_game():
    env = begun("erase", guesses=2)
    env.step("speed")
    observation, _, terminated, truncated, info = env.step("crane")
    assert (terminated, truncated, info["success"]) == (True, False, False)
    assert observation.endswith("You lost: that was your last guess.")
    assert "erase" not in observation


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("zzzzz", "not in the list"),
        ("cat", "has 3 letters, not 5"),
        ("letters", "has 7 letters, not 5"),
        ("crane or crate", "is not a guess"),
    ],
)
def test_what_is_no_word_costs_no_guess(action, why):
    env = begun("erase")
    observation, _, _, _, info = env.step(action)
    assert not info["action_valid"]
    assert info["guesses_left"] == 6
    assert why in observation
    assert info["feedback"] == observation


def test_the_board_is_shown_on_demand():
    env = begun("erase")
    env.step("crane")
    for action in ("show board", "Check the board.", "check valid actions"):
        observation, _, _, _, info = env.step(action)
        assert info["action_valid"]
        assert info["guesses_left"] == 5
        assert "1. crane: c: grey, r: green, a: green, n: grey, e: green" in observation
        assert "Known: _ r a _ e" in observation


def test_hard_mode_wants_every_hint():
    env = begun("erase", hard_mode=True)
    env.step("speed")
    _, _, _, _, info = env.step("crane")
    assert not info["action_valid"]
    assert "it has to contain s" in info["feedback"]
    assert info["guesses_left"] == 6 - 1
    assert env.step("these")[4]["action_valid"]
    listed = env.unwrapped.admissible_actions()
    assert "Guess: erase" in listed
    assert "Guess: crane" not in listed
    assert env.step("erase")[4]["success"]


def test_words_help_and_board_can_be_guessed():
    env = begun("help")
    assert env.step("help")[4]["guesses_left"] == 6
    assert env.step("Guess: help")[4]["success"]
    env = begun("board")
    assert env.step("board")[4]["success"]


def test_a_guess_can_be_repeated_at_its_cost():
    env = begun("erase")
    env.step("speed")
    info = env.step("speed")[4]
    assert info["action_valid"]
    assert info["guesses_left"] == 4


def test_a_sample_is_no_cheat():
    """A generator with the episode's seed must not draw the word again."""
    env = gym.make("aq/Wordle-v0")
    solved = 0
    for seed in range(200):
        env.reset(seed=seed)
        guess = env.unwrapped.sample_action(np.random.default_rng(seed))
        solved += env.step(guess)[4]["success"]
    assert solved <= 2


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_words_are_of_the_difficulty_that_is_asked_for(difficulty):
    env = gym.make("aq/Wordle-v0", difficulty=difficulty)
    for seed in range(10):
        info = env.reset(seed=seed)[1]
        assert info["difficulty"] == difficulty == difficulty_of(info["task_id"])


def test_a_word_that_is_no_answer_is_refused():
    env = gym.make("aq/Wordle-v0")
    for task_id in ("aahed", "zzzzz", "cat", "", None):
        with pytest.raises(ValueError, match="task_id="):
            env.reset(options={"task_id": task_id})
    train = words_in_band(5, "all", "train")[0]
    with pytest.raises(ValueError, match="is not in split='test'"):
        gym.make("aq/Wordle-v0", split="test").reset(options={"task_id": train})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 3}, "length=3: give 4 to 8"),
        ({"length": 9}, "length=9"),
        ({"guesses": 0}, "guesses=0: give 1 to 20"),
        ({"guesses": 21}, "guesses=21"),
        ({"difficulty": "medium"}, "difficulty='medium'"),
        ({"split": "dev"}, "split='dev'"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Wordle-v0", **arguments)


@pytest.mark.parametrize(
    ("words", "understood"),
    [("crane", True), ("Guess: zzzzz", True), ("show board", True), ("help", True),
     ("Sure", False), ("Thanks", False), ("I guess crane", False), ("", False)],
)  # fmt: skip
def test_words_of_another_length_are_no_actions(words, understood):
    env = gym.make("aq/Wordle-v0").unwrapped
    assert env.understands(words) is understood


def test_agentquest_counts_positions_that_were_green_before():
    env = gym.make("aq/Wordle-v0")
    env.reset(options={"task_id": "shout"})
    progress = []
    for guess in ("short", "crane", "about", "shout"):
        info = env.step(guess)[4]
        progress.append((info["progress"], info["agentquest_progress"]))
    assert progress == [(0.8, 0.8), (0.0, 0.8), (0.6, 1.0), (1.0, 1.0)]


def test_agentquests_protocol_has_its_marks_and_no_repeated_words():
    env = begun("abide", protocol="agentquest")
    answer, _, _, _, info = env.step("Word: speed")
    assert "\u2502 S \u2502" in answer and "e: yellow\ne: yellow\nd: yellow\n" in answer
    for text in ("Word: SPEED", "speed", "Word: spe", "Word: qzxjv", "Word: sp33d"):
        again = env.step(text)[4]
        assert not again["action_valid"]
        assert again["guesses_left"] == info["guesses_left"] == 5
    assert "before" in env.step("I say word: speed")[4]["feedback"]


def test_agentquests_protocol_is_solved_by_the_expert():
    env = gym.make("aq/Wordle-v0", protocol="agentquest")
    for seed in range(20):
        env.reset(seed=seed)
        while not env.step(env.unwrapped.expert_action())[2]:
            pass
        assert env.unwrapped.success()


def test_agentquests_own_words_can_be_guessed_and_are_found(tmp_path, monkeypatch):
    write_checkout(tmp_path, ["abyes", "qzxjv", "12345", "ab"])
    monkeypatch.setenv("AGENTQUEST_DATA", str(tmp_path))
    env = gym.make("aq/Wordle-v0", protocol="agentquest", word="qzxjv")
    env.reset(seed=0)
    assert env.step("Word: abyes")[4]["action_valid"]
    while not env.step(env.unwrapped.expert_action())[2]:
        pass
    assert env.unwrapped.success()


@pytest.mark.parametrize("other", [{"length": 6}, {"guesses": 7}, {"hard_mode": True}])
def test_agentquests_protocol_has_one_form_of_game(other):
    with pytest.raises(ValueError, match="protocol='agentquest' needs length=5"):
        gym.make("aq/Wordle-v0", protocol="agentquest", **other)
