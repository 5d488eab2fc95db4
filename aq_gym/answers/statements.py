"""Find where a text states an answer: "the answer is 18", "#### 18", a box.

The last statement is the one that counts, as in the scorers of GSM8K (Cobbe et al.,
2021) and MATH (Hendrycks et al., 2021), wherever it stands in its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LEADS = r"(?:(?:the|my|our|final|correct|right|best)[ \t]+){0,3}"
_VERBS = r"(?:is|would be|will be|must be|should be|equals)\b"
_ADVERBS = r"(?:[ \t]+(?:therefore|thus|then|indeed|simply|clearly|equal to)\b)?"
_MARKER = re.compile(
    rf"\b(?P<lead>{_LEADS})(?P<noun>answer|option|choice)\b"
    rf"(?:[ \t]+(?:to|for)[ \t][^.:;\n]{{1,80}}?)?"
    rf"(?:[ \t*_]*(?P<verb>{_VERBS}){_ADVERBS}[ \t*_]*:?|[ \t*_]*[:=\uff1a])"
    rf"|^[ \t]*\#{{4}}(?=[ \t]*[-+$\d])|^[ \t]*[\#*][\#* \t]*{_LEADS}answer[ \t*:]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BOX = re.compile(r"\\?\bf?boxed\s*\{|<\|begin_of_box\|>")
_BOX_END = "<|end_of_box|>"
# Before "the answer is" in its clause: what follows is not claimed.
_CLAUSE = re.compile(r"[.,;:!?\n]|\b(?:so|therefore|thus|hence|then|but|and)\b", re.I)
_UNCLAIMED = re.compile(
    r"\b(?:if|whether|unless|until|doubt|not|never|wrong|incorrect|previous|your)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_LONGEST_CLAUSE = 80
_MARKS = " \t\r\n*_`\"'\u201c\u201d"
_STYLE = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_MATH = re.compile(r"\\[(\[]\s*(.*?)\s*\\[)\]]", re.DOTALL)
# Signs that LaTeX needs a backslash for, and thin spaces.
_PLAIN = {"\\$": "$", "\\%": "%", "{,}": ",", "\\!": "", "\\,": " "}


class Statement(NamedTuple):
    """A place where a text states an answer.

    Attributes:
        written: The statement with its lead: "the answer is 18".
        answer: What is said to be the answer, up to the end of its line: "18".
        start: Where the statement begins in the text.
    """

    written: str
    answer: str
    start: int


def statements(text: str, nouns: str = "answer") -> Iterator[Statement]:
    r"""Yield the statements of an answer in a text, the last one first.

    A statement is "the answer is x", "Final answer: x" and the like, anywhere in a
    line; GSM8K's ``#### x``; ``\boxed{x}`` of LaTeX; or a box of GLM's vision models,
    ``<|begin_of_box|>x<|end_of_box|>``. A condition, a doubt or a denial ("if the
    answer is 5", "I don't think the answer is 5") states nothing.

    Args:
        text: Any text.
        nouns: What an answer is called, in lower case, separated by spaces: of
            "answer", "option" and "choice".
    """
    found = [*_marked(text, nouns.split()), *_boxed(text)]
    yield from sorted(found, key=lambda one: one.start, reverse=True)


def _marked(text: str, nouns: list[str]) -> Iterator[Statement]:
    for marker in _MARKER.finditer(text):
        noun, verb = marker["noun"], marker["verb"]
        clause = _clause(text, marker.start())
        # "This answer is right" states nothing.
        named = marker["lead"] or not verb or not clause.strip(_MARKS)
        known = noun is None or noun.lower() in nouns
        if not (known and named) or _UNCLAIMED.search(clause):
            continue
        start = marker.end() + _width_of_marks(text, marker.end())
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if answer := text[start:end].strip(_MARKS):
            yield Statement(text[marker.start() : end], answer, marker.start())


def _clause(text: str, end: int) -> str:
    """Return what stands before an offset in its clause."""
    return _CLAUSE.split(text[max(0, end - _LONGEST_CLAUSE) : end])[-1]


def _width_of_marks(text: str, at: int) -> int:
    """Return how many blanks, line breaks and marks follow an offset."""
    return len(text[at : at + 40]) - len(text[at : at + 40].lstrip(_MARKS))


def _boxed(text: str) -> Iterator[Statement]:
    for box in _BOX.finditer(text):
        if box[0].startswith("<"):
            inner = text[box.end() :].partition(_BOX_END)[0]
            written = f"{box[0]}{inner}{_BOX_END}"
        else:
            inner = _braced(text, box.end())
            written = f"{box[0]}{inner}}}"
        if inner.strip() and not _UNCLAIMED.search(_clause(text, box.start())):
            yield Statement(written, inner.strip(), box.start())


def _braced(text: str, start: int) -> str:
    """Return the text up to the closing brace; what is left of its line without one."""
    depth = 1
    for brace in re.finditer(r"[{}\n]", text[start:]):
        depth += {"{": 1, "}": -1, "\n": -depth}[brace[0]]
        if depth == 0:
            return text[start : start + brace.start()]
    return text[start:]


def without_latex(text: str) -> str:
    r"""Return an answer in plain text: ``$\boxed{9{,}500}$`` is ``9,500``.

    Args:
        text: An answer, in LaTeX or not.
    """
    if "\\" not in text and "{,}" not in text and text.count("$") < 2:
        return text
    text = _MATH.sub(r"\1", text.strip())
    text = text.strip("$") if text.count("$") - text.count("\\$") > 1 else text
    if box := _BOX.match(text.strip()):
        text = _braced(text.strip(), box.end())
    text = _STYLE.sub(r" \1", _FRACTION.sub(r"\1/\2", text))
    for latex, plain in _PLAIN.items():
        text = text.replace(latex, plain)
    return " ".join(text.split())
