import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.core.splits import draw, in_split


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
