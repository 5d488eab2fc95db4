"""Hangman's texts, pinned, and how guesses are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.hangman import actions, text
from aq_gym.envs.hangman.logic.game import HangmanGame


@pytest.mark.parametrize(
    "words",
    [
        "e", "E", " e\n", "e.", "'e'", '"e"', "`e`", "**e**", "[e]", "letter e",
        "the letter e", "Letter: e", "guess e", "Guess: e", "GUESS: E", "guess = e",
        "guess letter e", "guess the letter 'e'.", "Guess: the letter is e", "e!",
    ],
)  # fmt: skip
def test_a_letter_is_read_tolerantly(words):
    assert actions.read(words) == "e"


@pytest.mark.parametrize(
    "words",
    [
        "crane", "crane.", "CRANE", "'crane'", "Guess: crane", "guess crane",
        "word crane", "the word is crane", "The word is: Crane.",
        "guess the word crane", "Word: c r a n e", "word: c-r-a-n-e",
    ],
)  # fmt: skip
def test_a_word_is_read_tolerantly(words):
    assert actions.read(words) == "crane"


@pytest.mark.parametrize(
    "words",
    [
        "", " ", "I guess the letter e", "maybe e", "e or a", "e, a", "a e i", "ea",
        "e?", "1", "é", "\u017f", "letter e and word crane", "guesse e",
        "the e", "c r a n e", "my word is crane", "abcdefghijklm", "it's", "e\x00",
        "action: e e",
    ],
)  # fmt: skip
def test_what_is_ambiguous_or_no_guess_is_not_read(words):
    assert actions.read(words) == ""


@pytest.mark.parametrize("word", ["guess", "letter", "word", "the", "letterbox"])
def test_words_of_the_grammar_can_be_guessed(word):
    assert actions.read(word) == word
    assert actions.read(f"Guess: {word}") == word
    assert actions.read(f"guess the word {word}") == word


@given(st.text(st.characters(codec=None), max_size=40))
def test_whatever_is_read_is_a_letter_or_a_word(words):
    guess = actions.read(words)
    assert guess == "" or (guess.isascii() and guess.isalpha() and guess.islower())
    assert len(guess) == 1 or len(guess) in (0, *range(3, 13))
    assert text.not_a_guess(words).endswith(text.how_to_act())


@given(st.from_regex(r"[a-z]|[a-z]{3,12}", fullmatch=True))
def test_what_the_expert_writes_is_read(guess):
    assert actions.read(actions.write(guess)) == actions.read(guess) == guess


INSTRUCTIONS = """\
Let us play Hangman. I have chosen an English word, and you find it by guessing \
letters. Each letter that you guess is shown at all the positions where it stands. You \
have 6 lives: a letter that is not in the word costs one, and so does a whole word \
that is not the hidden one. You win when every letter is shown, or when you guess the \
word; you lose with your last life.
Guess a letter, in the form: Guess: e
Or guess the whole word, in the form: Guess: apple"""

ANSWERS = {
    "e": """\
Yes, the word has e at positions 2 and 5.
Word: _ e _ _ e _
Wrong guesses: none. Lives left: 3.""",
    "a": """\
No, the word has no a.
Word: _ e _ _ e _
Wrong guesses: a. Lives left: 2.""",
    "better": """\
No, the word is not better.
Word: _ e _ _ e _
Wrong guesses: a, better. Lives left: 1.""",
    "l": """\
Yes, the word has l at position 1.
Word: l e _ _ e _
Wrong guesses: a, better. Lives left: 1.""",
    "z": """\
No, the word has no z. You lost: that was your last life.
Word: l e _ _ e _
Wrong guesses: a, better, z. Lives left: 0.""",
}


def test_texts_are_pinned():
    assert text.instructions(6) == INSTRUCTIONS
    assert text.goal(6, 6) == (
        "Find the hidden word of 6 letters before you have lost 6 lives."
    )
    game = HangmanGame("letter", 3)
    assert text.opening(game) == (
        "The word has 6 letters.\nWord: _ _ _ _ _ _\n"
        "Wrong guesses: none. Lives left: 3."
    )
    for guess, answer in ANSWERS.items():
        assert text.answer(game, guess, game.play(guess)) == answer
    game = HangmanGame("letter", 1)
    assert text.answer(game, "letter", game.play("letter")) == (
        "You won!\nWord: l e t t e r\nWrong guesses: none. Lives left: 1."
    )


def test_problems_are_pinned():
    game = HangmanGame("letter", 6)
    game.play("a")
    game.play("better")
    assert text.problem(game, "e") == text.problem(game, "bitter") == ""
    assert text.problem(game, "a") == (
        "You have already guessed the letter a. Guess another one."
    )
    assert text.problem(game, "better") == (
        "You have already guessed the word better. Guess another one."
    )
    assert text.problem(game, "bet").startswith(
        "bet has 3 letters, but the word has 6. Guess a letter, in the form: Guess: e"
    )
    assert text.not_a_guess("ab") == f"'ab' is not a guess. {text.how_to_act()}"
