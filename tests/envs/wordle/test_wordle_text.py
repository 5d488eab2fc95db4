"""Wordle's texts, pinned, and how guesses are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.wordle import actions, text
from aq_gym.envs.wordle.logic.game import WordleGame
from aq_gym.envs.wordle.logic.marks import Hint
from aq_gym.envs.wordle.logic.words import LENGTHS, lexicon


@pytest.mark.parametrize(
    "words",
    [
        "crane", "crane.", "CRANE", " crane\n", "'crane'", "`crane`", "**crane**",
        "[crane]", "Guess: crane", "guess crane", "GUESS = CRANE", "word: crane",
        "the word is crane", "Guess: the word is 'Crane'.", "c r a n e", "c-r-a-n-e",
        "C, R, A, N, E", "guess: c r a n e", "crane!",
    ],
)  # fmt: skip
def test_a_guess_is_read_tolerantly(words):
    assert actions.read(words) == "crane"


@pytest.mark.parametrize(
    "words",
    [
        "", " ", "I think it is crane", "crane or crate", "crane slate", "5",
        "maybe crane", "cr4ne", "cräne", "crane?", "the crane", "show board", "cran e",
        "crane\x00",
    ],
)  # fmt: skip
def test_what_is_ambiguous_or_no_guess_is_not_read(words):
    assert actions.read(words) == ""


@pytest.mark.parametrize("word", ["guess", "word", "board", "words", "guesses"])
def test_words_of_the_grammar_can_be_guessed(word):
    assert actions.read(word) == actions.read(f"guess {word}") == word
    assert not actions.asks_for_board(word)


@pytest.mark.parametrize(
    "words", ["show board", "Show the board.", "check board", "show me the board"]
)
def test_the_board_is_asked_for(words):
    assert actions.asks_for_board(words)


@given(st.text(st.characters(codec=None), max_size=40))
def test_whatever_is_read_is_a_word(words):
    guess = actions.read(words)
    assert guess == "" or (guess.isascii() and guess.isalpha() and guess.islower())
    assert text.not_a_guess(words, 5).endswith(text.how_to_act(5))
    assert text.wrong_length(words, 5).endswith(text.how_to_act(5))


@pytest.mark.parametrize("length", LENGTHS)
def test_the_example_is_a_word(length):
    assert text.how_to_act(length).rpartition(" ")[2] in lexicon(length).known
    assert actions.read(actions.write("crane")) == "crane"


INSTRUCTIONS = """\
Let us play Wordle. I have chosen a common English word of 5 letters, and you find it \
with 6 guesses at most. Each guess has to be a word, too. After it I mark each of its \
letters:
green: the letter is in the word, in this position.
yellow: the letter is in the word, in another position.
grey: the word does not have the letter, or not more often than it is marked green or \
yellow.
Guess an English word of 5 letters, in the form: Guess: house
To see all your guesses and what they tell, without guessing: show board"""

HARD_MODE = """\
Hard mode: a guess has to use what is known. Green letters stay where they are, and \
yellow ones have to be in the guess."""

ANSWERS = {
    "speed": """\
Guess 1 of 4: s: yellow, p: grey, e: yellow, e: yellow, d: grey.
You have 3 guesses left.""",
    "crane": """\
Guess 2 of 4: c: grey, r: green, a: green, n: grey, e: green.
You have 2 guesses left.""",
    "aisle": """\
Guess 3 of 4: a: yellow, i: grey, s: yellow, l: grey, e: green.
You have 1 guess left.""",
    "grape": """\
Guess 4 of 4: g: grey, r: green, a: green, p: grey, e: green.
You lost: that was your last guess.""",
}

BOARD = """\
1. speed: s: yellow, p: grey, e: yellow, e: yellow, d: grey
2. crane: c: grey, r: green, a: green, n: grey, e: green
3. aisle: a: yellow, i: grey, s: yellow, l: grey, e: green
Known: _ r a _ e
The word has s, but not as the first or third letter.
The word has e twice, but not as the third or fourth letter.
The word does not have p, d, c, n, i or l.
You have 1 guess left."""


def test_texts_are_pinned():
    assert text.instructions(5, 6, False) == INSTRUCTIONS
    assert HARD_MODE in text.instructions(5, 6, True)
    assert text.goal(5, 6) == (
        "Find the hidden word of 5 letters with 6 guesses at most."
    )
    assert (
        text.opening(5, 6) == "Make your first guess of 5 letters. You have 6 guesses."
    )
    game = WordleGame("erase", 4)
    for guess, answer in ANSWERS.items():
        if guess == "grape":
            assert text.board(game) == BOARD
        game.play(guess)
        assert text.answer(game) == answer
    game = WordleGame("erase", 4)
    assert text.board(game) == "Known: _ _ _ _ _\nYou have 4 guesses left."
    game.play("erase")
    assert text.answer(game) == "You won! The word is erase."


def test_problems_are_pinned():
    assert text.unknown_word("zzzzz") == (
        "zzzzz is not in the list of words that can be guessed, so it costs no guess. "
        "Guess another word."
    )
    assert text.wrong_length("cat", 5) == (
        "'cat' has 3 letters, not 5. "
        "Guess an English word of 5 letters, in the form: Guess: house"
    )
    assert text.hint_not_used("crane", Hint("e", 3, 1)) == (
        "crane cannot be guessed in hard mode: its third letter has to be e, which was "
        "green. It costs no guess."
    )
    assert text.hint_not_used("crane", Hint("e", 0, 2)) == (
        "crane cannot be guessed in hard mode: it has to contain e twice. "
        "It costs no guess."
    )
    assert text.not_a_guess("no no", 5) == (
        "'no no' is not a guess. "
        "Guess an English word of 5 letters, in the form: Guess: house"
    )
