"""Splits are disjoint and stable, and words of a family are in one."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.core.splits import draw, in_split
from aq_gym.core.word_families import word_families
from aq_gym.envs.hangman.game import LENGTHS, words_to_draw
from aq_gym.envs.wordle import game as wordle


@given(st.text())
def test_splits_are_disjoint_and_cover_everything(instance):
    assert in_split(instance, "all")
    assert in_split(instance, "train") != in_split(instance, "test")


def test_membership_never_changes():
    # Pinned: another hash would move instances between published splits.
    assert [i for i in range(30) if in_split(str(i), "test")] == PINNED


PINNED = [8, 9]


def test_a_fifth_is_test():
    share = sum(in_split(str(i), "test") for i in range(5_000)) / 5_000
    assert share == pytest.approx(0.2, abs=0.02)


def test_draw_takes_the_first_that_belongs():
    numbers = iter(range(100))
    assert draw(lambda: next(numbers), str, "test") == PINNED[0]


def test_draw_gives_up_where_there_is_none():
    with pytest.raises(gym.error.Error, match="split='test'"):
        draw(lambda: 0, str, "test" if in_split("0", "train") else "train")


def test_an_unknown_split_raises():
    with pytest.raises(ValueError, match="split='dev': choose one of all, train, test"):
        in_split("an instance", "dev")


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
            {w for n in wordle.LENGTHS for w in wordle.words_to_draw(n, split)}
            for split in ("train", "test")
        )
    assert not train & test
    for ending in ("s", "es", "d", "ed", "r", "er", "ing", "ly", "ness", "y"):
        assert not any(word + ending in train for word in test)
        assert not any(word + ending in test for word in train)
    assert 0.17 < len(test) / len(train | test) < 0.23
