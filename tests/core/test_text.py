import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym.core.text
from aq_gym.core.text import normalize, quote

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


def test_examples():
    assert doctest.testmod(aq_gym.core.text).attempted >= 4
    assert not doctest.testmod(aq_gym.core.text).failed


@pytest.mark.parametrize(
    "spelling",
    ["go north", " Go\t NORTH. ", '"go north."', "'go north'.", "`go north`"],
)
def test_normalize_folds_what_never_matters(spelling):
    assert normalize(spelling) == "go north"


@given(ANY_TEXT)
def test_any_text_can_be_quoted_and_encoded(text):
    assert quote(text).encode().decode().isprintable()
    assert len(quote(text * 50)) < 800
    normalize(text)
