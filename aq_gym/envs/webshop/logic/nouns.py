"""The nouns of a title, by a rule of our own or by spaCy."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

Nouns: TypeAlias = Callable[[str], tuple[str, ...]]

_WORD = re.compile(r"[^\W\d_]\w+")
# Colors stay: spaCy takes most of them for names, as titles have capitals.
_OTHER = frozenset(
    """
a about all an and any are as at be best by can compatible extra for from has in into
is it its large light long made make more no non not of off on only or our out over
portable replacement short slim small soft that the their these thick thin this to
ultra under up very warm with without you your
""".split()  # noqa: SIM905
)
_ENDINGS = ("able", "ible", "less", "ful", "ous", "ive", "ly", "proof", "free")


@lru_cache(maxsize=65_536)
def nouns(title: str) -> tuple[str, ...]:
    """Return the words of a title that are neither function words nor adjectives.

    A word that the title repeats is returned each time, as WebShop counts it.

    Adjectives are recognized by their endings and a short list. Words end at hyphens
    and apostrophes; single letters and words that begin with a digit are left out.
    """
    found = (word.lower().rstrip(".'-") for word in _WORD.findall(title))
    return tuple(
        word for word in found if word not in _OTHER and not word.endswith(_ENDINGS)
    )


@lru_cache(maxsize=65_536)
def spacy_nouns(title: str) -> tuple[str, ...]:
    """Return the nouns that spaCy's model ``en_core_web_sm`` finds, as WebShop does.

    Args:
        title: A title.

    Raises:
        ImportError: If spaCy is not installed.
        OSError: If its model is not.
    """
    kinds = ("NOUN", "PROPN")
    return tuple(one.text.lower() for one in _model()(title) if one.pos_ in kinds)


@lru_cache(maxsize=1)
def _model() -> Any:
    import spacy

    return spacy.load("en_core_web_sm")
