"""Wordle's words, rules and expert, apart from Gymnasium."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aq_gym.envs.wordle import expert
from aq_gym.envs.wordle.logic.game import WordleGame
from aq_gym.envs.wordle.logic.marks import Clue, Hint, Hints, marks, separate_marks
from aq_gym.envs.wordle.logic.words import (
    LENGTHS,
    difficulty_of,
    lexicon,
    words_in_band,
)

FEW_LETTERS = st.text("abc", min_size=5, max_size=5)
ANSWERS = st.sampled_from(lexicon(5).answers)
GUESSES = st.sampled_from(lexicon(5).guesses)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_words_of_a_length(length):
    words = lexicon(length)
    for listed in (words.answers, words.guesses):
        assert list(listed) == sorted(set(listed))
        assert all(len(word) == length and word.islower() for word in listed)
    assert set(words.answers) < set(words.guesses) == words.known


def test_there_are_as_many_words_of_five_letters_as_documented():
    words = lexicon(5)
    assert (len(words.answers), len(words.guesses)) == (1364, 6361)


def test_every_answer_is_in_one_band_and_one_split():
    parts = [
        set(words_in_band(5, band, split))
        for band in ("easy", "hard")
        for split in ("train", "test")
    ]
    assert sum(map(len, parts)) == 1364
    assert set().union(*parts) == set(lexicon(5).answers)


def rivals(word):
    """Count, word by word, the most answers that differ in one and the same letter."""
    return max(
        sum(
            other[:i] + other[i + 1 :] == word[:i] + word[i + 1 :]
            for other in lexicon(5).answers
        )
        - 1
        for i in range(5)
    )


@pytest.mark.parametrize("word", ["light", "crane", *lexicon(5).answers[::100]])
def test_difficulty_is_the_number_of_rivals(word):
    assert (difficulty_of(word) == "hard") == (rivals(word) >= 3)


@pytest.mark.parametrize(
    ("guess", "answer", "expected"),
    [
        ("crane", "crane", "ggggg"),
        ("speed", "abide", "--y-y"),
        ("speed", "erase", "y-yy-"),
        ("speed", "steal", "g-g--"),
        ("speed", "crepe", "-ygy-"),
        ("allee", "apple", "gy--g"),
        ("eerie", "eaten", "gy---"),
        ("llama", "label", "gyy--"),
        ("aabbb", "baaab", "ygy-g"),
        ("mamma", "maxim", "ggy--"),
    ],
)
def test_marks_of_repeated_letters(guess, answer, expected):
    assert marks(guess, answer) == expected


@given(FEW_LETTERS, FEW_LETTERS)
def test_marks_keep_the_rules(guess, answer):
    result = marks(guess, answer)
    common = Counter(guess) & Counter(answer)
    for letter in set(guess):
        of_letter = [m for g, m in zip(guess, result, strict=True) if g == letter]
        assert sum(mark != "-" for mark in of_letter) == common[letter]
        # Of those that are not green the first ones are yellow.
        rest = [mark for mark in of_letter if mark != "g"]
        assert rest == sorted(rest, reverse=True)
    for g, a, mark in zip(guess, answer, result, strict=True):
        assert (mark == "g") == (g == a)


@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize("length", [4, 5, 8])
def test_the_experts_codes_are_the_marks(length, separate):
    words = ["".join(w) for w in product("ab", repeat=length)][::3] + list(
        lexicon(length).guesses[::500]
    )
    encoded = expert._encoded(tuple(words))
    codes = expert._codes(encoded, encoded, separate)
    mark = separate_marks if separate else marks
    for row, guess in enumerate(words):
        for column, answer in enumerate(words):
            assert codes[row, column] == expert._code(mark(guess, answer))


@given(st.lists(st.lists(st.integers(0, 4), min_size=7, max_size=7), min_size=1))
def test_sums_of_squares_are_of_the_parts(rows):
    sums = expert._sums_of_squares(np.array(rows, np.uint16))
    assert sums.tolist() == [sum(n * n for n in Counter(row).values()) for row in rows]


def uses(clue, guess):
    """Check a guess against one clue, as hard mode does."""
    kept = all(
        g == before for g, before, mark in zip(guess, *clue, strict=True) if mark == "g"
    )
    found = Counter(letter for letter, mark in zip(*clue, strict=True) if mark != "-")
    return kept and not found - Counter(guess)


@given(st.lists(FEW_LETTERS, max_size=3), FEW_LETTERS, FEW_LETTERS)
def test_hard_mode_asks_for_every_hint(guesses, answer, guess):
    clues = [Clue(word, marks(word, answer)) for word in guesses]
    unused = Hints(clues).unused(guess)
    assert (unused is None) == all(uses(clue, guess) for clue in clues)
    assert Hints(clues).unused(answer) is None


def test_the_hint_that_is_not_used_is_named():
    clues = [Clue("speed", marks("speed", "crepe"))]
    assert Hints(clues).unused("crane") == Hint("e", 3, 1)
    assert Hints(clues).unused("treat") == Hint("p", 0, 1)
    assert Hints(clues).unused("prefs") == Hint("e", 0, 2)


@given(st.lists(GUESSES, max_size=4), ANSWERS)
def test_hints_are_true_of_the_answer(guesses, answer):
    hints = Hints(Clue(word, marks(word, answer)) for word in guesses)
    assert all(answer[index] == letter for index, letter in hints.green.items())
    assert all(answer.count(letter) >= n for letter, n in hints.needed.items())
    assert not set(hints.absent) & set(answer)
    for letter, places in hints.elsewhere.items():
        assert (letter in answer) == (letter not in hints.absent)
        assert all(answer[place - 1] != letter for place in places)


@given(ANSWERS, st.lists(GUESSES, min_size=1, max_size=6))
def test_a_game_counts_guesses(answer, guesses):
    assume(answer not in guesses)
    game = WordleGame(answer, len(guesses))
    for count, guess in enumerate(guesses, 1):
        game.play(guess)
        assert game.clues[-1] == Clue(guess, marks(guess, answer))
        assert game.left == len(guesses) - count
        assert not game.solved
    assert game.lost


def test_the_last_guess_can_win():
    game = WordleGame("crane", 1)
    game.play("crane")
    assert game.solved
    assert not game.lost


@pytest.mark.parametrize("length", [4, 5])
def test_the_opening_is_the_best_one(length):
    words = lexicon(length)
    assert expert.best_of(words.guesses, words.answers) == expert.OPENINGS[length]


def test_the_best_guess_divides_the_answers_best():
    answers = lexicon(5).answers[::100]
    guesses = lexicon(5).guesses[::20]

    def size(guess):
        parts = Counter(marks(guess, answer) for answer in answers)
        return sum(n * n for n in parts.values()), guess not in answers

    assert expert.best_of(guesses, answers) == min(guesses, key=size)


def guesses_needed(length, answer, hard_mode=False):
    game = WordleGame(answer, 20)
    while not game.solved:
        guess = expert.best_guess(length, game.clues, hard_mode)
        assert guess in lexicon(length).known
        assert not hard_mode or Hints(game.clues).unused(guess) is None
        game.play(guess)
    return len(game.guesses)


def test_the_expert_finds_every_word_of_a_sample():
    needed = [guesses_needed(5, answer) for answer in lexicon(5).answers[::30]]
    assert max(needed) <= 5
    assert sum(needed) / len(needed) < 3.5


@pytest.mark.parametrize("length", LENGTHS)
def test_the_expert_plays_every_length_and_hard_mode(length):
    for answer in lexicon(length).answers[::250]:
        assert guesses_needed(length, answer, hard_mode=True) <= 8


def test_hard_words_are_harder_for_the_expert():
    easy, hard = (words_in_band(5, band, "all") for band in ("easy", "hard"))
    means = [
        sum(guesses_needed(5, word) for word in words) / len(words)
        for words in (easy[::40], hard[::7])
    ]
    assert means[1] > means[0] + 0.1


def test_the_expert_knows_only_the_marks():
    clues = [Clue("tares", marks("tares", "light"))]
    same = [w for w in lexicon(5).answers if marks("tares", w) == clues[0].marks]
    assert len(same) > 10
    assert expert.best_guess(5, clues, False) == expert.best_guess(
        5, [Clue("tares", marks("tares", same[0]))], False
    )
