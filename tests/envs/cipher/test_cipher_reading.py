import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.cipher.actions import (
    Coincidence,
    Column,
    Decipher,
    Frequencies,
    Guess,
    Problem,
    Show,
    read,
)
from aq_gym.envs.cipher.logic.ciphers import (
    Adfgvx,
    Affine,
    Atbash,
    Caesar,
    RailFence,
    Vigenere,
)
from aq_gym.envs.cipher.logic.square import SQUARE_SYMBOLS


@pytest.mark.parametrize(
    "words",
    [
        "Plain text: The cat sat.", "plain text: The cat sat.",
        "Plaintext: The cat sat.",
        "Plain-Text: The cat sat.", "PLAIN TEXT = The cat sat.", "Guess: The cat sat.",
        "My answer is: The cat sat.", "Decrypted text: The cat sat.",
        "The plain text is: The cat sat.", "The deciphered message is: The cat sat.",
        "  Solution:\nThe cat sat.  ", "# Plain text: The cat sat.",
    ],
)  # fmt: skip
def test_a_guess_is_read(words):
    assert read(words) == Guess("The cat sat.")


@pytest.mark.parametrize(
    "words",
    [
        "The shift is 3.\n\nPlain text:\nThe cat sat.",
        "Plain text:\n\nThe cat sat.\n\nIt reads well, so the shift is 3.",
        "Plain text: Uif dbu tbu.\nNo.\nPlain text: The cat sat.",
        "Final answer: The cat sat.",
        "I am sure.\n> The plain text is: The cat sat.",
    ],
)
def test_a_guess_is_the_paragraph_after_the_last_marker(words):
    assert read(words) == Guess("The cat sat.")


def test_a_guess_can_have_several_lines():
    assert read("Plain text: The cat\nsat.\n\nDone.") == Guess("The cat\nsat.")


def test_a_marker_within_a_line_is_none():
    assert isinstance(read("I will write Plain text: The cat sat."), Problem)


def test_emphasis_around_the_marker_is_read_over():
    guess = read('**Plain text:** "The cat sat."')
    assert isinstance(guess, Guess)
    assert "The cat sat." in guess.text


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("shift 3", Caesar(3)), ("Shift by 3.", Caesar(3)),
        ("caesar shift 3", Caesar(3)), ("use shift 3", Caesar(3)),
        ("Tool: shift 3", Caesar(3)),
        ("try caesar 29", Caesar(3)), ("rot 13", Caesar(13)),
        ("shift -3", Caesar(23)), ("atbash", Atbash()), ("'ATBASH'", Atbash()),
        ("affine 5 8", Affine(5, 8)), ("affine 5, 8", Affine(5, 8)),
        ("affine a=5 b=8", Affine(5, 8)), ("affine 31 -18", Affine(5, 8)),
        ("vigenere lemon", Vigenere("lemon")),
        ("Vigen\u00e8re LEMON", Vigenere("lemon")),
        ("vigenere key lemon", Vigenere("lemon")), ("rails 4", RailFence(4)),
        ('vigenere "lemon"', Vigenere("lemon")),
        ("rail fence with 4", RailFence(4)), ("railfence 4", RailFence(4)),
        (f"adfgvx {SQUARE_SYMBOLS} zebra", Adfgvx(SQUARE_SYMBOLS, "zebra")),
    ],
)  # fmt: skip
def test_a_key_is_read(words, key):
    action = read(words)
    assert isinstance(action, Decipher)
    assert action.key == key
    assert type(action.key) is type(key)


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("frequencies", Frequencies()), ("letter frequencies", Frequencies()),
        ("ciphertext", Show()), ("Show ciphertext.", Show()),
        ("column 2 of 5", Column(2, 5)), ("column 2 5", Column(2, 5)),
        ("coincidence 5", Coincidence(5)), ("index of coincidence 5", Coincidence(5)),
    ],
)  # fmt: skip
def test_a_count_is_read(words, action):
    assert read(words) == action
    assert type(read(words)) is type(action)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "'' is neither a solution nor a tool"),
        ("The cat sat.", "neither a solution nor a tool"),
        ("Plain text:", "It has no letters"),
        ("Plain text: 12!", "It has no letters"),
        ("shift", "shift needs one whole number"),
        ("shift three", "shift needs one whole number"),
        ("shift 3 4", "shift needs one whole number"),
        ("shift \u0663", "shift needs one whole number"),
        ("shift 99999999999", "shift needs one whole number"),
        ("affine 5", "affine needs two whole numbers"),
        ("affine 4 5", "coprime to 26: 1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23 or 25"),
        ("atbash 3", "atbash takes no number"),
        ("vigenere", "vigenere needs one keyword"),
        ("vigenere two words", "vigenere needs one keyword"),
        ("vigenere l3mon", "vigenere needs one keyword"),
        ("vigenere " + "a" * 31, "1 to 30 letters"),
        ("rails 1", "from 2 to 30"),
        ("rails 31", "from 2 to 30"),
        ("adfgvx abc lemon", "each of the 26 letters and 10 digits once"),
        ("frequencies 5", "frequencies takes no number"),
        ("ciphertext please", "ciphertext takes no number"),
        ("column 6 of 5", "at most 30"),
        ("column 0 of 5", "at most 30"),
        ("column 1 of 31", "at most 30"),
        ("coincidence 0", "from 1 to 30"),
    ],
)
def test_other_texts_are_explained(words, why):
    problem = read(words)
    assert isinstance(problem, Problem)
    assert why in problem.why


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_is_read_or_explained(text):
    action = read(text)
    assert not isinstance(action, Problem) or action.why
