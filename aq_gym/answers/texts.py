"""Normalize texts that differ only in case, punctuation or articles."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalized(text: str) -> str:
    """Return a text without case, punctuation, articles, accents and extra whitespace.

    The rule is that of SQuAD's evaluation (Rajpurkar et al., "SQuAD: 100,000+ Questions
    for Machine Comprehension of Text", EMNLP 2016). Accents are dropped, too, because
    some keyboards lack them.

    Args:
        text: Any text.
    """
    # Both again, because some characters have a case only once they are decomposed.
    parts = unicodedata.normalize("NFKD", text.casefold()).casefold()
    parts = unicodedata.normalize("NFKD", parts)
    letters = "".join(map(_letter, parts))
    bare = " ".join(_ARTICLES.sub(" ", letters).split())
    return bare or " ".join(letters.split())


@lru_cache(maxsize=4096)
def _letter(sign: str) -> str:
    """Return what remains of a character: itself, a space or nothing."""
    # Some signs join the parts around them into one word, as in don't.
    if unicodedata.combining(sign) or sign in "'\u2019`.":
        return ""
    # C++ is not C.
    separates = sign not in "+#" and unicodedata.category(sign)[0] in "PZSC"
    return " " if separates else sign
