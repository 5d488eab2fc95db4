"""Functions on text that a benchmark's author can use: see ``aq_gym.core.text``."""

from aq_gym.core.text import QUOTES, WHITESPACE, listing, normalize, plural, quote

__all__ = ["QUOTES", "WHITESPACE", "listing", "normalize", "plural", "quote"]
