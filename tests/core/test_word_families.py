"""Families keep words that differ in their endings in one split."""

import pytest

from aq_gym.core.splits import in_split
from aq_gym.core.word_families import word_families
from aq_gym.envs.hangman.game import LENGTHS, family_of, words_to_draw
from aq_gym.envs.wordle import game as wordle


def test_endings_make_a_family():
    bakers = ["bake", "baked", "bakers", "baking"]
    others = ["run", "running", "try", "tries", "tried", "happily", "happy"]
    families = word_families([*bakers, *others])
    assert len({families[word] for word in bakers}) == 1
    assert families["run"] == families["running"]
    assert families["try"] == families["tries"] == families["tried"]
    assert families["happy"] == families["happily"]
    assert len(set(families.values())) == 4


@pytest.mark.parametrize("game", ["hangman", "wordle"])
def test_no_test_word_is_a_training_word_with_an_ending(game):
    if game == "hangman":
        train, test = (
            set(words_to_draw(LENGTHS[0], LENGTHS[-1], "all", split))
            for split in ("train", "test")
        )
    else:
        train, test = (
            {w for n in wordle.LENGTHS for w in wordle.words_to_draw(n, "all", split)}
            for split in ("train", "test")
        )
    assert not train & test
    for ending in ("s", "es", "d", "ed", "r", "er", "ing", "ly", "ness", "y"):
        assert not any(word + ending in train for word in test)
        assert not any(word + ending in test for word in train)
    assert 0.17 < len(test) / len(train | test) < 0.23


def test_the_family_decides():
    for split in ("train", "test"):
        for word in words_to_draw(6, 6, "all", split)[:50]:
            assert in_split(family_of(word), split)
