"""The Hangman environment."""

import gymnasium as gym
import pytest

from aq_gym.envs.hangman.logic.words import difficulty_of, words_in_bands
from aq_gym.registration import TABLE
from aq_gym.testing import CHECKS, Case

VARIANTS = (
    {"length": 4},
    {"length": [3, 12], "lives": 26},
    {"length": 5, "difficulty": "easy", "split": "test", "instructions": False},
)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kwargs", VARIANTS, ids=str)
def test_arguments_keep_the_contract(check, kwargs):
    expectations = next(row.expectations for row in TABLE if row.id == "aq/Hangman-v0")
    # Short words are found less often than those of the default lengths.
    check(Case("aq/Hangman-v0", kwargs, expectations._replace(expert_success=0.5)))


def begun(word="letter", **arguments):
    env = gym.make("aq/Hangman-v0", length=(3, 12), **arguments)
    env.reset(options={"task_id": word})
    return env


def test_an_episode_to_the_end():
    env = begun("letter")
    steps = [env.step(action) for action in ("e", "a", "Guess: better", "letter")]
    progress = [info["progress"] for *_, info in steps]
    assert progress == [2 / 6, 2 / 6, 2 / 6, 1.0]
    assert [reward for _, reward, *_ in steps] == [2 / 6, 0.0, 0.0, 1.0 - 2 / 6]
    assert [info["lives"] for *_, info in steps] == [6, 5, 4, 4]
    assert [terminated for _, _, terminated, _, _ in steps] == [False] * 3 + [True]
    assert steps[0][4]["subgoals"] == {
        f"position {i}": i in (2, 5) for i in range(1, 7)
    }
    assert steps[3][4]["success"]


def test_the_last_life_ends_the_game():
    env = begun("letter", lives=2)
    assert not env.step("x")[2]
    observation, reward, terminated, truncated, info = env.step("z")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert not info["success"]
    assert "letter" not in observation


@pytest.mark.parametrize("repeated", ["e", "a", "better"])
def test_a_repeated_guess_is_invalid_and_costs_no_life(repeated):
    env = begun("letter")
    for action in ("e", "a", "better"):
        env.step(action)
    observation, _, _, _, info = env.step(repeated)
    assert not info["action_valid"]
    assert info["lives"] == 4
    assert "already guessed" in info["feedback"]
    assert "Word: _ e _ _ e _" in observation


def test_the_word_help_can_be_guessed():
    env = begun("help")
    assert "Letters that you have not guessed" in env.step("help")[0]
    assert env.step("Guess: help")[4]["success"]


def test_help_lists_the_letters_that_are_left():
    env = begun("letter")
    env.step("e")
    observation = env.step("check valid actions")[0]
    assert "not guessed: a, b, c, d, f, g" in observation
    assert observation.endswith("Wrong guesses: none. Lives left: 6.")
    assert env.unwrapped.admissible_actions()[3:5] == ("Guess: d", "Guess: f")


@pytest.mark.parametrize("length", [3, 12, (3, 4), [5, 5]])
def test_words_have_the_length_that_is_asked_for(length):
    env = gym.make("aq/Hangman-v0", length=length)
    shortest, longest = (length, length) if isinstance(length, int) else length
    for seed in range(10):
        word = env.reset(seed=seed)[1]["task_id"]
        assert shortest <= len(word) <= longest


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_words_are_of_the_difficulty_that_is_asked_for(difficulty):
    env = gym.make("aq/Hangman-v0", difficulty=difficulty)
    for seed in range(10):
        info = env.reset(seed=seed)[1]
        assert info["difficulty"] == difficulty == difficulty_of(info["task_id"])


def test_a_word_of_other_arguments_is_refused():
    env = gym.make("aq/Hangman-v0", length=6, difficulty="easy")
    for task_id in ("light", "zzzzzz", "", None, 5):
        with pytest.raises(ValueError, match="task_id="):
            env.reset(options={"task_id": task_id})
    train = words_in_bands(6, 6, "easy", "train")[0]
    test = gym.make("aq/Hangman-v0", length=6, difficulty="easy", split="test")
    with pytest.raises(ValueError, match="is not in split='test'"):
        test.reset(options={"task_id": train})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 2}, "length=2: give 3 to 12"),
        ({"length": 13}, "length=13"),
        ({"length": (6, 5)}, r"length=\(6, 5\)"),
        ({"lives": 0}, "lives=0: give 1 to 26"),
        ({"lives": 27}, "lives=27"),
        ({"length": 12, "difficulty": "hard"}, "there is no word"),
        ({"difficulty": "medium"}, "difficulty='medium'"),
        ({"split": "dev"}, "split='dev'"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Hangman-v0", **arguments)


@pytest.mark.parametrize("arguments", [{"length": "5"}, {"length": (3, 4, 5)}])
def test_an_argument_of_another_type_is_named(arguments):
    with pytest.raises(TypeError, match="length="):
        gym.make("aq/Hangman-v0", **arguments)


@pytest.mark.parametrize(
    ("words", "understood"),
    [("e", True), ("Guess: apple", True), ("letters", True), ("help", True),
     ("yes", False), ("I guess the letter e", False), ("e or a", False), ("", False)],
)  # fmt: skip
def test_words_of_other_lengths_are_no_actions(words, understood):
    env = gym.make("aq/Hangman-v0", length=(5, 7)).unwrapped
    assert env.understands(words) is understood
