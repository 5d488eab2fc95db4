"""Mastermind: its rules, texts and expert."""

from collections import Counter

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.envs.mastermind.expert import consistent_codes
from aq_gym.envs.mastermind.game import Rules, score

CODES = st.text("0123456789", min_size=1, max_size=8)


def make(**arguments):
    return gym.make("aq/Mastermind-v0", **arguments)


def begun(**arguments):
    env = make(**arguments)
    env.reset(seed=0)
    return env


@given(st.data(), CODES)
def test_feedback_is_the_standard_rule(data, code):
    guess = data.draw(st.text("0123456789", min_size=len(code), max_size=len(code)))
    exact = sum(code[i] == guess[i] for i in range(len(code)))
    common = sum((Counter(code) & Counter(guess)).values())
    assert score(code, guess) == (exact, common - exact)
    assert score(code, guess) == score(guess, code)


def test_a_guess_is_read_tolerantly():
    env = make().unwrapped
    for text in (
        "5618", "5 6 1 8", "Guess: 5618", "guess 5618.", "GUESS:5618", '"5618"',
        "'Guess: 5618'", " 5618\n", "5-6-1-8", "5, 6, 1, 8", "`5618`", "guess = 5618",
        "[5,6,1,8]", "(5618)!", "5\u00a0618",
    ):  # fmt: skip
        assert env.understands(text)
        assert env.canonical_action(text) == "Guess: 5618"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("561", "it has 3 digits, not 4"),
        ("56181", "it has 5 digits, not 4"),
        ("56a8", "'a' is not one of 0123456789"),
        ("", "it has no digits"),
        ("Guess:", "it has no digits"),
        ("The code is 5618", "'T' is not one of"),
        ("\u0665618", "is not one of"),
    ],
)
def test_other_text_is_explained(words, problem):
    env = begun()
    assert not env.unwrapped.understands(words)
    observation, *_, info = env.step(words)
    assert not info["action_valid"] and problem in observation
    assert observation == info["feedback"]
    assert observation.endswith("in the form: Guess: 0123")


def test_without_repeats_a_guess_has_none_either():
    env = begun(repeats=False)
    assert "it uses a digit more than once" in env.step("1123")[0]
    assert env.step("5618")[4]["action_valid"]
    assert "each digit at most once, in the form" in env.step("help")[0]


@pytest.mark.parametrize(
    ("symbols", "text", "guess"),
    [
        ("RGBY", "guess: rgb", "RGB"),
        ("aAc", "aAc", "aAc"),
        # Case is kept where it distinguishes symbols.
        ("aAbC", "BAA", ""),
        ("STUV", "\u00dfT", ""),
        ("STUV", "\u017ftu", ""),
        # A guess that begins like the word guess.
        ("gues", "gue", "gue"),
        ("gues", "guess: gue", "gue"),
    ],
)
def test_guesses_of_letters_are_read(symbols, text, guess):
    env = make(code_length=3, symbols=symbols).unwrapped
    assert env.understands(text) is bool(guess)
    assert env.canonical_action(text) == (f"Guess: {guess}" if guess else text)


FIRST = """\
Let us play Mastermind. I have chosen a secret code of 4 digits, taken from these \
10: 0123456789. The same digit can stand in several positions.
After each guess I tell you how many digits are correct and in the correct position, \
and how many further digits are correct but in the wrong position. You win when your \
guess is the code; use as few guesses as you can.
Guess with 4 digits from 0123456789, in the form: Guess: 0123
Make your first guess of 4 digits."""
ANSWERS = {
    "5681": "Your guess 5681 has 2 correct digits in the correct positions and "
    "2 correct digits in the wrong positions. Keep guessing.",
    "5200": "Your guess 5200 has 1 correct digit in the correct position and "
    "0 correct digits in the wrong positions. Keep guessing.",
    "0500": "Your guess 0500 has 0 correct digits in the correct positions and "
    "1 correct digit in the wrong position. Keep guessing.",
    "5618": "You won! 5618 is the secret code.",
}


def test_texts_are_pinned():
    env = make(code="5618")
    observation, info = env.reset(seed=3)
    assert observation == FIRST
    assert info["goal"] == "Find the secret code of 4 digits."
    for guess, answer in ANSWERS.items():
        assert env.step(guess)[0] == answer
    bare, _ = make(instructions=False).reset(seed=3)
    assert bare == "Make your first guess of 4 digits."
    symbols, _ = make(symbols="RGBY", repeats=False).reset(seed=3)
    assert "secret code of 4 symbols, taken from these 4: RGBY. No symbol st" in symbols


def test_progress_is_that_of_the_last_guess():
    env = begun(code="5618")
    infos = [env.step(guess)[4] for guess in ("5610", "0018", "9999", "5618")]
    assert [info["progress"] for info in infos] == [0.75, 0.5, 0.0, 1.0]
    assert [info["best_progress"] for info in infos] == [0.75, 0.75, 0.75, 1.0]
    assert list(infos[1]["subgoals"]) == [f"position {i}" for i in (1, 2, 3, 4)]
    assert list(infos[1]["subgoals"].values()) == [False, False, True, True]


def test_leading_zeros_are_digits():
    env = begun(code="0042")
    assert not env.step("42")[4]["action_valid"]
    assert env.step("0042")[4]["success"]


def test_codes_are_drawn_evenly_and_keep_their_split():
    rng = np.random.default_rng(0)
    rules = Rules(4, "0123456789", True)
    firsts = Counter(rules.random_code(rng)[0] for _ in range(5_000))
    assert min(firsts.values()) > 400
    train, test = make(split="train"), make(split="test")
    drawn = [
        {env.reset(seed=s)[1]["task_id"] for s in range(100)} for env in (train, test)
    ]
    assert not drawn[0] & drawn[1]
    with pytest.raises(ValueError, match="is not in split='test'"):
        test.reset(options={"task_id": drawn[0].pop()})


def test_difficulty_is_by_length():
    lengths = {n: make(code_length=n).reset(seed=0)[1]["difficulty"] for n in (3, 4, 5)}
    assert lengths == {3: "easy", 4: "easy", 5: "hard"}


@pytest.mark.parametrize(
    ("error", "arguments", "message"),
    [
        (ValueError, {"code_length": 0}, "code_length=0: give 1 to 10"),
        (ValueError, {"code_length": 11, "symbols": "01"}, "code_length=11: give 1 to"),
        (ValueError, {"symbols": "1"}, "symbols='1': give at least two"),
        (ValueError, {"symbols": "112"}, "symbols='112'"),
        (ValueError, {"symbols": "1 2"}, "can't be told from punctuation"),
        (ValueError, {"symbols": "1\n2"}, "can't be told from punctuation"),
        (ValueError, {"symbols": "1\x002"}, "can't be told from punctuation"),
        (ValueError, {"repeats": False, "symbols": "123"}, "needs as many symbols"),
        (
            ValueError,
            {"code_length": 10, "symbols": "0123456789a"},
            "25937424601 codes; at most 10000000000",
        ),
        (ValueError, {"code": "12"}, "code='12': give 4 digits from 0123456789"),
        (ValueError, {"code_length": 6, "list_actions": True}, "too many to list"),
        (TypeError, {"repeats": "False"}, "repeats='False' must be a bool"),
        (TypeError, {"code_length": True}, "code_length=True must be an int"),
        (TypeError, {"code": 5618}, "code=5618 must be a str or None"),
    ],
)
def test_a_developers_mistake_is_named(error, arguments, message):
    with pytest.raises(error, match=message):
        make(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"code_length": 1},
        {"code_length": 10},
        {"code_length": 10, "symbols": "01"},
        {"code_length": 3, "symbols": "123", "repeats": False},
        {"code_length": 5, "list_actions": True},
    ],
)
def test_the_documented_limits_are_allowed(arguments):
    env = make(**arguments)
    _, info = env.reset(seed=0)
    assert len(info["task_id"]) == arguments["code_length"]
    assert env.step(info["task_id"])[4]["success"]


@pytest.mark.parametrize(("repeats", "count"), [(True, 64), (False, 24)])
def test_every_guess_is_listed(repeats, count):
    env = make(code_length=3, symbols="abcd", repeats=repeats).unwrapped
    listed = env.admissible_actions()
    assert len(listed) == len(set(listed)) == count
    assert all(map(env.understands, listed))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        ({}, 8),
        ({"repeats": False}, 8),
        ({"code_length": 6, "symbols": "RGBYWK"}, 8),
        ({"code_length": 8}, 12),
        ({"code_length": 1}, 10),
    ],
)
def test_the_expert_needs_few_guesses(arguments, most):
    env = make(**arguments)
    for seed in range(4):
        env.reset(seed=seed)
        answers = (env.step(env.unwrapped.expert_action()) for _ in range(most))
        assert any(terminated for _, _, terminated, _, _ in answers), seed


def test_the_expert_looks_at_answers_alone():
    guesses = []
    for code in ("4567", "7654", "9448"):
        env = begun(code=code)
        assert "0 correct digits in the correct positions and 0" in env.step("0123")[0]
        guesses.append(env.unwrapped.expert_action())
    assert len(set(guesses)) == 1 and not set("0123") & set(guesses[0])


@settings(max_examples=30)
@given(st.text("0123456789", min_size=6, max_size=6), st.data())
def test_codes_found_agree_with_every_answer(code, data):
    guesses = st.lists(st.text("0123456789", min_size=6, max_size=6), max_size=4)
    history = {guess: score(code, guess) for guess in data.draw(guesses)}
    found = consistent_codes(Rules(6, "0123456789", True), tuple(history.items()))
    assert found
    for candidate in found:
        assert all(score(candidate, guess) == told for guess, told in history.items())
