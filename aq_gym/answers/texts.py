"""Normalize texts that differ only in case, punctuation or articles."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["normalized"]

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalized(text: str) -> str:
    """Return a text without case, punctuation, articles, accents and extra whitespace.

    The rule is that of SQuAD's evaluation (Rajpurkar et al., "SQuAD: 100,000+ Questions
    for Machine Comprehension of Text", EMNLP 2016), and without accents, as in DROP's
    and GAIA's answers written on other keyboards.

    Args:
        text: Any text.
    """
    # Both again, as some signs have a case only once they are taken apart.
    parts = unicodedata.normalize("NFKD", text.casefold()).casefold()
    parts = unicodedata.normalize("NFKD", parts)
    letters = "".join(
        " " if _is_separator(sign) else sign
        for sign in parts
        if not unicodedata.combining(sign) and not _is_joined(sign)
    )
    bare = " ".join(_ARTICLES.sub(" ", letters).split())
    return bare or " ".join(letters.split())


def _is_joined(sign: str) -> bool:
    """Return whether the parts around a sign form one word without it, as in don't."""
    return sign in "'\u2019`."


def _is_separator(sign: str) -> bool:
    if sign in "+#":  # C++ is not C
        return False
    return unicodedata.category(sign)[0] in "PZSC"
