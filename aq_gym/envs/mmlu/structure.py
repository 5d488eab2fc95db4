"""The structure of a generated question: what is left if names and order are ignored.

Questions of one structure differ only in names, in the order of parts that can be
exchanged, or in units and words that are named alike. The split of a question depends
on its structure, so that no test question is a training question with other names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain

from aq_gym.core.canonical_form import canonical_form
from aq_gym.envs.mmlu.families import DAYS, GOODS, NAMES, WORDS
from aq_gym.envs.mmlu.question import Question

_NUMBER = r"\d+(?:/\d+)?"
_COMMUTING = re.compile(rf"(?<![\w.])({_NUMBER}) (\*|\+|and) ({_NUMBER})(?![\w.])")
# Names that play no role in a question of numbers or measures. The units that a prefix
# makes from them have the same proportions.
_UNUSED = re.compile(rf"\b(?:{'|'.join(DAYS)})\b|(?:meters|grams|liters)\b")
_PRICED = re.compile(rf"(\d+) (?:{'|'.join(GOODS)}) at (\S+) euros each")
_NAME = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")
_COMPARED = re.compile(rf"{_NAME.pattern}|\b(?:older|younger|taller|shorter)\b")
_WORD = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
_BAR = re.compile(r"(\w+) *\| (#+)\n")
_SET = re.compile(r"([ABC]) = {([\d, ]+)}")
_CLAIM = re.compile(r'(\w+): "([^"]+)\."')


@lru_cache(maxsize=1024)
def structure(question: Question) -> str:
    """Return a text that a question shares with every question of its structure.

    Args:
        question: A generated question.
    """
    form = _FORMS.get(question.subject, _calculation)
    return f"{question.subject}: {form(question.text)}"


def _calculation(text: str) -> str:
    text = _UNUSED.sub("_", text)
    return _COMMUTING.sub(lambda m: f" {m[2]} ".join(sorted((m[1], m[3]))), text)


def _prices(text: str) -> str:
    return f"{sorted(_PRICED.findall(text))} {text.partition(' are bought')[2]}"


def _sets(text: str) -> str:
    """Return the least form over all names of the sets, with numbers as their ranks."""
    given = {name: one.split(", ") for name, one in _SET.findall(text)}
    numbers = sorted({*chain(*given.values())}, key=int)
    rank = {number: k for k, number in enumerate(numbers)}
    sets = {name: sorted(rank[n] for n in one) for name, one in given.items()}
    asked = _SET.sub("", text)
    if "in A but not in B" in asked or "in B but not in A" in asked:
        names = ["AB", "BA"]["in B but" in asked]
        return f"less {[sets[name] for name in names]}"
    # C has a role of its own, unless the question treats all three alike.
    alike = [*sets] if "exactly" in asked else ["A", "B"]
    others = [sets[name] for name in sets if name not in alike]
    if "not in both" in asked:  # "in A, and not in both B and C"
        alike, others = ["B", "C"], [sets["A"]]
    return f"{asked} {sorted(sets[name] for name in alike)} {others}"


def _knights(text: str) -> str:
    """Return the form of the claims as facts, whatever the order of the people."""
    facts = []
    for speaker, claim in _CLAIM.findall(text):
        about = _NAME.findall(claim)
        kind = _NAME.sub("", claim)
        # "X and Y are alike" means the same as "Y and X are alike".
        facts += [(kind, speaker, one) for one in about]
    return canonical_form(dict.fromkeys((f[1] for f in facts), "person"), facts)


def _orderings(text: str) -> str:
    """Number the names and comparatives as they appear; the order of clues counts."""
    known: dict[str, int] = {}
    return _COMPARED.sub(lambda m: f"_{known.setdefault(m[0], len(known))}", text)


def _words(text: str) -> str:
    return f"{sorted(_WORD.findall(text))} {_WORD.sub('', text)}"


def _charts(text: str) -> str:
    """Return the scale, and each bar with whether the question asks for it."""
    asked = _NAME.findall(text.rpartition("\n")[2])
    bars = sorted((len(bar), name in asked) for name, bar in _BAR.findall(text))
    return f"{text.partition(' book')[0]} {bars}"


_FORMS: Mapping[str, Callable[[str], str]] = {
    "prices": _prices,
    "sets": _sets,
    "knights": _knights,
    "orderings": _orderings,
    "word_order": _words,
    "letters": _words,
    "charts": _charts,
}
