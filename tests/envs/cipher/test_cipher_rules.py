"""Cipher's ciphers, keys, texts and expert."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.cipher import expert
from aq_gym.envs.cipher.ciphers import (
    ALPHABET,
    CIPHERS,
    FACTORS,
    SQUARE_SYMBOLS,
    Adfgvx,
    Affine,
    Atbash,
    Caesar,
    RailFence,
    Vigenere,
    letters,
)
from aq_gym.envs.cipher.game import (
    UNRELATED,
    Cryptogram,
    coincidence,
    draw_instance,
    frequencies,
    grammar,
    read_instance,
    share,
    similarity,
)
from aq_gym.envs.cipher.keys import (
    draw_key,
    grade,
    key_has_size,
    read_key,
    write_key,
)

TEXTS = st.text(st.characters(codec="ascii"), min_size=2, max_size=300)
KEYWORDS = st.text(ALPHABET, min_size=1, max_size=12)
KEYS = st.one_of(
    st.builds(Caesar, st.integers(0, 25)),
    st.builds(Affine, st.sampled_from(FACTORS), st.integers(0, 25)),
    st.just(Atbash()),
    st.builds(Vigenere, KEYWORDS),
    st.builds(RailFence, st.integers(2, 30)),
)


@pytest.mark.parametrize(
    ("key", "plain", "cipher"),
    [
        (Caesar(3), "Hello, World!", "Khoor, Zruog!"),
        (Caesar(23), "the quick brown fox", "qeb nrfzh yoltk clu"),
        (Atbash(), "Hello", "Svool"),
        (Affine(5, 8), "AFFINE cipher", "IHHWVC swfrcp"),
        (Vigenere("lemon"), "ATTACKATDAWN", "LXFOPVEFRNHR"),
        # The space uses up the letter m.
        (Vigenere("lemon"), "AT TACK", "LX HNNO"),
        (RailFence(3), "WEAREDISCOVEREDFLEEATONCE", "WECRLTEERDSOEEFEAOCAIVDEN"),
        (RailFence(2), "abcdef", "acebdf"),
    ],
)
def test_known_ciphertexts(key, plain, cipher):
    assert key.encipher(plain) == cipher
    assert key.decipher(cipher) == plain


def test_adfgvx_is_the_published_example():
    square = "na1c3h8tb2ome5wrpd4f6g7i9j0klqsuvxyz"
    key = Adfgvx(square, "privacy")
    cipher = "DGDDDAGDDGAFADDFDADVDVFAADVX"
    assert key.encipher("Attack at 1200 am!") == cipher
    assert key.decipher(cipher) == "attackat1200am"
    # A lone coordinate at the end is left out.
    assert len(key.decipher(cipher + "A")) == 14


@given(KEYS, TEXTS)
def test_deciphering_undoes_enciphering(key, text):
    cipher = key.encipher(text)
    assert key.decipher(cipher) == text
    assert len(cipher) == len(text)


@given(st.permutations(SQUARE_SYMBOLS), KEYWORDS, TEXTS)
def test_adfgvx_keeps_letters_and_digits(square, keyword, text):
    kept = "".join(c for c in text.lower() if c in SQUARE_SYMBOLS)
    if kept:
        key = Adfgvx("".join(square), keyword)
        assert key.decipher(key.encipher(text)) == kept


@given(st.sampled_from(CIPHERS), st.sampled_from(["easy", "hard"]), st.integers(0, 999))
def test_a_key_is_written_and_read(cipher, difficulty, seed):
    key = draw_key(cipher, difficulty, np.random.default_rng(seed))
    assert read_key(cipher, write_key(key)) == key
    assert key_has_size(key, cipher, difficulty)


def test_keys_have_the_sizes_of_their_difficulty():
    rng = np.random.default_rng(0)

    def sizes(cipher, difficulty):
        keys = [draw_key(cipher, difficulty, rng) for _ in range(400)]
        return {len(k.keyword) if hasattr(k, "keyword") else k.rails for k in keys}

    shifts = {write_key(draw_key("caesar", "easy", rng)) for _ in range(400)}
    assert shifts == {str(k) for k in range(1, 26)}
    assert sizes("vigenere", "easy") == set(range(3, 9))
    assert sizes("vigenere", "hard") == set(range(10, 21))
    assert sizes("railfence", "easy") == set(range(2, 9))
    assert sizes("railfence", "hard") == set(range(2, 16))
    assert sizes("adfgvx", "easy") == {3, 4, 5}
    assert sizes("adfgvx", "hard") == {6}
    factors = {draw_key("affine", "easy", rng).factor for _ in range(400)}
    assert factors == {*FACTORS} - {1}
    grades = {"vigenere": [8, 9], "railfence": [8, 9], "adfgvx": [5, 6]}
    for cipher, numbers in grades.items():
        assert [grade(cipher, number) for number in numbers] == ["easy", "hard"]
    assert not key_has_size(Vigenere("abcdefghi"), "vigenere", "easy")
    assert not key_has_size(Vigenere("abcdefghi"), "vigenere", "hard")


@pytest.mark.parametrize(
    ("cipher", "text"),
    [
        ("caesar", "0"), ("caesar", "26"), ("caesar", "03"), ("caesar", "3.4"),
        ("caesar", "9" * 5_000), ("caesar", "\u0663"), ("affine", "1.3"),
        ("affine", "4.3"), ("affine", "5"), ("affine", "5.26"), ("atbash", ""),
        ("vigenere", ""), ("vigenere", "Lemon"), ("vigenere", "aaa"),
        ("railfence", "1"), ("railfence", "x"), ("adfgvx", "abc.def"),
        ("adfgvx", f"{SQUARE_SYMBOLS}.aa"), ("adfgvx", SQUARE_SYMBOLS),
        ("adfgvx", f"{SQUARE_SYMBOLS}.Ab"), ("adfgvx", f"{SQUARE_SYMBOLS}."),
    ],
)  # fmt: skip
def test_other_texts_are_not_keys(cipher, text):
    assert read_key(cipher, text) is None


def test_the_grammar_has_as_many_sentences_as_it_says():
    g = grammar()
    assert g.count == 3_355_525_120
    assert len(set(g.clauses)) == len(g.clauses) == 5_120
    # Different numbers name different sentences.
    rng = np.random.default_rng(0)
    numbers = {g.draw(rng) for _ in range(3_000)} | {0, g.short_count - 1}
    numbers |= {g.short_count, g.count - 1}
    assert len({g.sentence(n) for n in numbers}) == len(numbers)


def test_sentences_are_pinned():
    g = grammar()
    assert g.sentence(0) == (
        "The old fisherman bought a brass key near the railway station."
    )
    assert g.sentence(g.short_count) == (
        "The old fisherman bought a brass key near the railway station because "
        "the old fisherman bought a brass key."
    )
    assert g.sentence(g.count - 1) == (
        "Somebody we never met kept four silver coins in an empty classroom just as "
        "somebody we never met kept four silver coins."
    )


@given(st.sampled_from(CIPHERS), st.integers(0, 99), st.integers(1, 5))
def test_a_task_id_names_an_instance(cipher, seed, size):
    rng = np.random.default_rng(seed)
    instance = draw_instance((cipher,), "easy", size, rng)
    assert read_instance(instance.task_id) == instance
    assert len(instance.numbers) == size


@pytest.mark.parametrize(
    "task_id",
    [
        "", "caesar", "caesar-3", "caesar-3-", "caesar-3-1.x", "caesar-3--1",
        "rot13-3-1", "caesar-3-01", "caesar-99-1", "caesar-3-1.3355525120",
        "caesar-3-1-", "caesar-3-" + "1." * 10_000 + "1",
    ],
)  # fmt: skip
def test_other_texts_name_no_instance(task_id):
    assert read_instance(task_id) is None


def test_letters_alone_count():
    assert letters("A red-hot Key, \u00e9\u00df\ud800 12.") == b"aredhotkey"


def test_similarity_is_the_normalised_levenshtein_similarity():
    assert similarity(b"abcd", b"abcd") == 1.0
    assert similarity(b"abxd", b"abcd") == 0.75
    assert similarity(b"abd", b"abcd") == 0.75
    assert similarity(b"", b"abcd") == 0.0


def test_progress_is_0_for_unrelated_texts_and_1_at_the_threshold():
    assert share(UNRELATED, 0.9) == share(0.0, 0.9) == 0.0
    assert share(0.9, 0.9) == share(0.95, 0.9) == 1.0
    assert share((UNRELATED + 0.9) / 2, 0.9) == pytest.approx(0.5)


def test_a_game_remembers_each_guess_once():
    game = Cryptogram(read_instance("caesar-3-1.2.3"))
    assert game.guess("something else") < 0.5
    assert game.guess("Something ELSE!") < 0.5
    assert len(game.marks.guessed) == 1
    assert game.was_guessed("some thing else")
    assert game.guess(game.plaintext.upper()) == 1.0


def test_a_computation_with_the_right_key_uncovers_the_text():
    game = Cryptogram(read_instance("caesar-3-1.2.3"))
    assert game.decipher(Caesar(4)) != game.plaintext
    assert not game.marks.uncovered
    assert game.decipher(Vigenere("d")) == game.plaintext
    assert game.marks.uncovered


def test_frequencies_count_letters_in_a_stable_order():
    assert frequencies("Bb, a! C") == [("b", 2), ("a", 1), ("c", 1)]
    assert frequencies("...") == []


def test_coincidence_is_the_share_of_equal_pairs_of_each_column():
    assert coincidence("Aa, b", 1) == pytest.approx(1 / 3)
    assert coincidence("abab", 2) == 1.0
    assert coincidence("abcd", 4) == 0.0


BREAKABLE = ("caesar", "atbash", "affine", "railfence", "vigenere")


@pytest.mark.slow
@pytest.mark.parametrize("cipher", BREAKABLE)
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_the_likeliest_plaintext_is_the_text(cipher, difficulty):
    rng = np.random.default_rng(11)
    for _ in range(8):
        game = Cryptogram(draw_instance((cipher,), difficulty, 3, rng))
        assert (
            expert.plaintexts(cipher, difficulty, game.ciphertext)[0] == game.plaintext
        )


@pytest.mark.parametrize("cipher", ["caesar", "affine", "railfence"])
def test_every_key_of_a_small_cipher_is_tried(cipher):
    """The text is among the guesses even where it looks unlikely."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        game = Cryptogram(draw_instance((cipher,), "hard", 1, rng))
        found = expert.plaintexts(cipher, "hard", game.ciphertext)
        assert game.plaintext in found
        assert len(set(found)) == len(found)
