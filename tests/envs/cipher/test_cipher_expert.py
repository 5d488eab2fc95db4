import numpy as np
import pytest

from aq_gym.envs.cipher import expert
from aq_gym.envs.cipher.expert import codes, letter_costs, score_all
from aq_gym.envs.cipher.logic.instance import Cryptogram, draw_instance

BREAKABLE = ("caesar", "atbash", "affine", "railfence", "vigenere")


@pytest.mark.slow
@pytest.mark.parametrize("cipher", BREAKABLE)
@pytest.mark.parametrize("band", ["easy", "hard"])
def test_the_likeliest_plaintext_is_the_text(cipher, band):
    rng = np.random.default_rng(11)
    for _ in range(8):
        game = Cryptogram(draw_instance((cipher,), band, 3, rng))
        assert expert.plaintexts(cipher, band, game.ciphertext)[0] == game.plaintext


@pytest.mark.parametrize("cipher", ["caesar", "affine", "railfence"])
def test_every_key_of_a_small_cipher_is_tried(cipher):
    """So that the text is among the guesses even where it looks unlikely."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        game = Cryptogram(draw_instance((cipher,), "hard", 1, rng))
        found = expert.plaintexts(cipher, "hard", game.ciphertext)
        assert game.plaintext in found
        assert len(set(found)) == len(found)


def test_only_adfgvx_is_not_broken():
    assert not expert.can_break("adfgvx")
    assert all(map(expert.can_break, BREAKABLE))


def test_english_scores_higher_than_its_reverse():
    text = "the captain of the ship asked for more water"
    scores = score_all(np.stack([codes(text), codes(text[::-1])]))
    assert scores[0] > scores[1]


def test_e_is_the_commonest_letter():
    assert int(np.argmin(letter_costs())) == 4
    assert np.exp(-letter_costs()).sum() == pytest.approx(1.0)
