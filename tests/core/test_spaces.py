"""The space of texts, and functions of texts."""

import copy
import doctest
import multiprocessing

import pytest
from gymnasium.vector.utils import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given
from hypothesis import strategies as st

import aq_gym.core.text
from aq_gym import FreeText
from aq_gym.core.text import normalize, quote

ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT)
def test_contains_any_text_up_to_its_length(text):
    assert text in FreeText(len(text) or 1)
    assert text + "x" not in FreeText(len(text) or 1, min_length=0) or not text


def test_contains_nothing_else():
    space = FreeText(10, min_length=2)
    assert "a" not in space
    assert b"abc" not in space
    assert None not in space


def test_a_space_of_nothing_is_refused():
    with pytest.raises(ValueError, match="max_length=0"):
        FreeText(0)


def test_samples_are_seeded_and_contained():
    first, second = FreeText(20, seed=4), FreeText(20, seed=4)
    samples = [first.sample() for _ in range(50)]
    assert samples == [second.sample() for _ in range(50)]
    assert all(sample in first for sample in samples)
    assert len(set(samples)) > 40


def test_a_mask_samples_as_gymnasium_does():
    assert len(FreeText(9).sample(mask=(7, None))) == 7


def test_equal_spaces_have_equal_lengths():
    assert FreeText(5) == FreeText(5)
    assert FreeText(5) != FreeText(6)
    assert FreeText(5) != FreeText(5, min_length=1)
    assert repr(FreeText(5)) == "FreeText(5, min_length=0)"


@given(ANY_TEXT, ANY_TEXT)
def test_shared_memory_gives_the_text_back(first, second):
    space = FreeText(max(len(first), len(second), 1))
    memory = create_shared_memory(space, n=2, ctx=multiprocessing)
    view = read_from_shared_memory(space, memory, n=2)
    write_to_shared_memory(space, 0, "x" * space.max_length, memory)
    write_to_shared_memory(space, 0, first, memory)
    write_to_shared_memory(space, 1, second, memory)
    assert copy.deepcopy(view) == (first, second)
    assert list(view) == [view[0], view[1]] == list(view[:]) == [first, second]
    assert len(view) == 2


def test_a_text_that_is_too_long_for_the_memory_raises():
    space = FreeText(3)
    memory = create_shared_memory(space, n=1, ctx=multiprocessing)
    with pytest.raises(ValueError, match="max_length=3"):
        write_to_shared_memory(space, 0, "four", memory)


def test_examples():
    assert doctest.testmod(aq_gym.core.text).attempted >= 4
    assert not doctest.testmod(aq_gym.core.text).failed


@pytest.mark.parametrize(
    "spelling",
    ["go north", " Go\t NORTH. ", '"go north."', "'go north'.", "`go north`"],
)
def test_normalize_folds_what_never_matters(spelling):
    assert normalize(spelling) == "go north"


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_can_be_quoted_and_encoded(text):
    assert quote(text).encode().decode().isprintable()
    assert len(quote(text * 50)) < 800
    normalize(text)
