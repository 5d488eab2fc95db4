from collections import Counter
from itertools import permutations

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.envs.mastermind import actions, text
from aq_gym.envs.mastermind.expert import _Search, consistent_codes
from aq_gym.envs.mastermind.logic import MastermindGame, Rules, score

RULES = Rules(4, "0123456789", True)
NO_REPEATS = Rules(4, "0123456789", False)
CODES = st.text("0123456789", min_size=1, max_size=8)


def make(**arguments):
    env = gym.make("aq/Mastermind-v0", **arguments)
    return env


@given(st.data(), CODES)
def test_feedback_is_the_standard_rule(data, code):
    guess = data.draw(st.text("0123456789", min_size=len(code), max_size=len(code)))
    exact = sum(code[i] == guess[i] for i in range(len(code)))
    common = sum((Counter(code) & Counter(guess)).values())
    assert score(code, guess) == (exact, common - exact)
    assert score(code, guess) == score(guess, code)


@pytest.mark.parametrize(
    ("code", "guess", "exact", "misplaced"),
    [
        ("5618", "5618", 4, 0),
        ("5618", "8165", 0, 4),
        ("0011", "1100", 0, 4),
        ("0001", "1000", 2, 2),
        ("5555", "5612", 1, 0),
        ("0012", "3456", 0, 0),
    ],
)
def test_feedback_counts_multiplicity(code, guess, exact, misplaced):
    assert score(code, guess) == (exact, misplaced)


@pytest.mark.parametrize(
    "words",
    [
        "5618", "5 6 1 8", "Guess: 5618", "guess 5618.", "GUESS:5618", '"5618"',
        "'Guess: 5618'", " 5618\n", "5-6-1-8", "5, 6, 1, 8", "`5618`", "guess = 5618",
        "[5,6,1,8]", "(5618)!", "5\u00a0618",
    ],
)  # fmt: skip
def test_a_guess_is_read_tolerantly(words):
    assert actions.read(RULES, words) == "5618"


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
def test_what_is_no_guess_is_explained(words, problem):
    assert actions.read(RULES, words) == ""
    why = text.problem(RULES, words)
    assert problem in why
    assert why.endswith("in the form: Guess: 0123")


def test_without_repeats_a_guess_has_none_either():
    assert actions.read(NO_REPEATS, "1123") == ""
    assert "more than once" in text.problem(NO_REPEATS, "1123")
    assert actions.read(NO_REPEATS, "5618") == "5618"


def test_letters_are_read_in_the_case_of_the_symbols():
    rules = Rules(3, "RGBY", True)
    assert actions.read(rules, "guess: rgb") == "RGB"
    assert actions.read(Rules(2, "aA", True), "aA") == "aA"


def test_case_is_kept_where_it_tells_symbols_apart():
    assert actions.read(Rules(4, "aAbC", True), "BAAB") == ""
    assert actions.read(Rules(4, "STUV", True), "\u00dfTU") == ""
    assert actions.read(Rules(4, "STUV", True), "\u017ftuv") == ""


def test_a_guess_that_begins_like_the_word_guess():
    letters = Rules(5, "abcdefghijklmnopqrstuvwxyz", True)
    assert actions.read(letters, "guess") == "guess"
    assert actions.read(letters, "guess: hello") == "hello"


@given(st.text(st.characters(codec=None), max_size=30))
def test_whatever_is_read_fits_or_is_explained(words):
    guess = actions.read(RULES, words)
    assert RULES.fits(guess) or (guess == "" and text.problem(RULES, words))


def test_the_first_observation_is_pinned():
    observation, info = make().reset(seed=3)
    assert observation == FIRST
    assert info["goal"] == "Find the secret code of 4 digits."
    bare, _ = make(instructions=False).reset(seed=3)
    assert bare == "Make your first guess of 4 digits."


FIRST = """\
Let us play Mastermind. I have chosen a secret code of 4 digits, taken from these \
10: 0123456789. The same digit can stand in several positions.
After each guess I tell you how many digits are correct and in the correct position, \
and how many further digits are correct but in the wrong position. You win when your \
guess is the code; use as few guesses as you can.
Guess with 4 digits from 0123456789, in the form: Guess: 0123
Make your first guess of 4 digits."""


@pytest.mark.parametrize(
    ("guess", "answer"),
    [
        (
            "5681",
            "Your guess 5681 has 2 correct digits in the correct positions and "
            "2 correct digits in the wrong positions. Keep guessing.",
        ),
        (
            "5200",
            "Your guess 5200 has 1 correct digit in the correct position and "
            "0 correct digits in the wrong positions. Keep guessing.",
        ),
        (
            "0500",
            "Your guess 0500 has 0 correct digits in the correct positions and "
            "1 correct digit in the wrong position. Keep guessing.",
        ),
        ("5618", "You won! 5618 is the secret code."),
    ],
)
def test_answers_are_pinned(guess, answer):
    env = make(code="5618")
    env.reset()
    assert env.step(guess)[0] == answer


def test_progress_is_that_of_the_last_guess():
    env = make(code="5618")
    env.reset()
    infos = [env.step(guess)[4] for guess in ("5610", "0018", "9999", "5618")]
    assert [info["progress"] for info in infos] == [0.75, 0.5, 0.0, 1.0]
    assert [info["best_progress"] for info in infos] == [0.75, 0.75, 0.75, 1.0]
    assert list(infos[1]["subgoals"]) == [f"position {i}" for i in (1, 2, 3, 4)]
    assert list(infos[1]["subgoals"].values()) == [False, False, True, True]


def test_leading_zeros_are_digits():
    env = make(code="0042")
    env.reset()
    assert not env.step("42")[4]["action_valid"]
    assert env.step("0042")[4]["success"]


def test_the_first_observation_does_not_depend_on_the_code():
    assert len({make().reset(seed=seed)[0] for seed in range(30)}) == 1


def test_codes_are_drawn_evenly_and_keep_their_split():
    rng = np.random.default_rng(0)
    firsts = Counter(RULES.random_code(rng)[0] for _ in range(5_000))
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
    ("arguments", "message"),
    [
        ({"code_length": 0}, "code_length=0"),
        ({"symbols": "1"}, "symbols='1'"),
        ({"symbols": "112"}, "symbols='112'"),
        ({"symbols": "1 2"}, "can't be told from punctuation"),
        ({"repeats": False, "symbols": "123"}, "needs as many symbols"),
        ({"code_length": 8, "symbols": "abcdefghijklmnopqr"}, "11019960576 codes"),
        ({"code": "12"}, "code='12': give 4 digits from 0123456789"),
        ({"split": "dev"}, "split='dev'"),
        ({"code_length": 6, "list_actions": True}, "too many to list"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"repeats": "False"}, "repeats='False' must be a bool"),
        ({"code_length": "4"}, "code_length='4' must be an int"),
        ({"code_length": True}, "code_length=True must be an int"),
        ({"symbols": 1234}, "symbols=1234 must be a str"),
        ({"code": 5618}, "code=5618 must be a str or None"),
    ],
)
def test_an_argument_of_another_type_is_named(arguments, message):
    with pytest.raises(TypeError, match=message):
        make(**arguments)


def test_a_sample_is_no_cheat():
    """A generator with the episode's seed must not draw the code again."""
    env = make()
    solved = 0
    for seed in range(200):
        env.reset(seed=seed)
        guess = env.unwrapped.sample_action(np.random.default_rng(seed))
        solved += env.step(guess)[4]["success"]
    assert solved <= 2


@pytest.mark.parametrize("repeats", [True, False])
def test_every_guess_is_listed(repeats):
    env = make(code_length=3, symbols="abcd", repeats=repeats).unwrapped
    listed = env.admissible_actions()
    assert len(listed) == len(set(listed)) == env.rules.code_count
    assert all(env.rules.fits(guess) for guess in listed)


def test_the_list_is_made_once():
    env = make(list_actions=True)
    _, first = env.reset(seed=0)
    *_, second = env.step("0123")
    assert first["admissible_actions"] is second["admissible_actions"]


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
        env = make(code=code)
        env.reset()
        assert "0 correct digits in the correct positions and 0" in env.step("0123")[0]
        guesses.append(env.unwrapped.expert_action())
    assert len(set(guesses)) == 1


def fits(code, history):
    return all(score(code, guess) == feedback for guess, feedback in history.items())


@settings(max_examples=30)
@given(st.text("0123456789", min_size=6, max_size=6), st.data())
def test_codes_found_agree_with_every_answer(code, data):
    guesses = st.lists(st.text("0123456789", min_size=6, max_size=6), max_size=4)
    history = {guess: score(code, guess) for guess in data.draw(guesses)}
    found = consistent_codes(Rules(6, "0123456789", True), tuple(history.items()))
    assert found
    assert all(fits(candidate, history) for candidate in found)


def test_a_game_remembers_each_guess_once():
    game = MastermindGame("5618")
    for guess in ("5610", "0000", "5610"):
        game.play(guess)
    assert game.guess == "5610"
    assert game.history == {"5610": (3, 0), "0000": (0, 0)}


def test_a_code_without_repeats_can_have_every_symbol():
    rules = Rules(4, "1234", False)
    assert rules.code_count == 24
    search = _Search(rules, (), seed=0, nodes=10**6)
    codes = list(search.codes())
    assert sorted(codes) == sorted(map("".join, permutations("1234")))
