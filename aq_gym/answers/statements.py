"""Find where a text states an answer: "the answer is 18", "#### 18", a box.

The last statement is the one that counts, as in the scorers of GSM8K (Cobbe et al.,
2021) and MATH (Hendrycks et al., 2021), wherever it stands in its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Possessive repeats avoid backtracking, so that any text takes linear time.
_LEADS = r"(?:(?:the|my|our|final|correct|right|best)[ \t]++){0,3}"
_VERBS = r"(?:is|would be|will be|must be|should be|equals)\b"
_ADVERBS = r"(?:[ \t]++(?:therefore|thus|then|indeed|simply|clearly|equal to)\b)?+"
_MARKS = " \t\r\n*_`\"'\u201c\u201d"
_MARKER = re.compile(
    rf"(?:\b(?P<lead>{_LEADS})(?P<noun>answer|option|choice)\b"
    rf"(?:[ \t]++(?:to|for)[ \t][^.:;\n]{{1,80}}?)?"
    rf"(?:[ \t*_]*+(?P<verb>{_VERBS}){_ADVERBS}[ \t*_]*+:?|[ \t*_]*+[:=\uff1a])"
    rf"|^[ \t]*+\#{{4}}(?=[ \t]*+[-+$\d])"
    rf"|^[ \t]*+[\#*][\#* \t]*+{_LEADS}answer[ \t*:]*+$)[{_MARKS}]*+",
    re.IGNORECASE | re.MULTILINE,
)
_BOX = re.compile(r"\\?\bf?boxed\s*+\{|<\|begin_of_box\|>")
_BOX_END = "<|end_of_box|>"
# Words before "the answer is", in its clause, with which the answer is not claimed.
_CLAUSE = re.compile(r"[.,;:!?\n]|\b(?:so|therefore|thus|hence|then|but|and)\b", re.I)
_UNCLAIMED = re.compile(
    r"\b(?:if|whether|unless|until|doubt|not|never|wrong|incorrect|previous|your)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_LONGEST_CLAUSE = 80
# The most characters that are read of a statement, and statements of a text.
_LONGEST = 2_000
_MOST = 100
_BRACE = re.compile(r"[{}\n]")
_STYLE = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*+\{([^{}]*+)\}")
_FRACTION = re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}")
# Delimiters of formulas, signs that LaTeX needs a backslash for, and thin spaces.
_PLAIN = {
    **{"\\(": "", "\\)": "", "\\[": "", "\\]": ""},
    **{"\\$": "$", "\\%": "%", "{,}": ",", "\\!": "", "\\,": " "},
}


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
        nouns: The words for an answer, separated by spaces: some of "answer", "option"
            and "choice".
    """
    marked = (one for one in _MARKER.finditer(text) if _names(one, nouns.split()))
    found = sorted([*marked, *_BOX.finditer(text)], key=lambda one: one.start())
    for one in reversed(found[-_MOST:]):
        clause = _CLAUSE.split(
            text[max(0, one.start() - _LONGEST_CLAUSE) : one.start()]
        )
        if _UNCLAIMED.search(clause[-1]):
            continue
        rest = text[one.end() : one.end() + _LONGEST]
        if one.re is _BOX:
            inner, closing = _content(one[0], rest)
            written, answer = f"{one[0]}{inner}{closing}", inner.strip()
        else:
            # "This answer is right" states nothing.
            if one["verb"] and not one["lead"] and clause[-1].strip(_MARKS):
                continue
            line = rest.partition("\n")[0]
            written, answer = f"{one[0]}{line}", line.strip(_MARKS)
        if answer:
            yield Statement(written, answer, one.start())


def _names(marker: re.Match[str], nouns: list[str]) -> bool:
    return marker["noun"] is None or marker["noun"].lower() in nouns


def _content(box: str, rest: str) -> tuple[str, str]:
    """Return the content of a box, and its end mark; an open box ends with its line."""
    if box.startswith("<"):
        return rest.partition(_BOX_END)[0], _BOX_END
    depth = 1
    for brace in _BRACE.finditer(rest):
        depth += {"{": 1, "}": -1, "\n": -depth}[brace[0]]
        if depth == 0:
            return rest[: brace.start()], "}"
    return rest, "}"


def without_latex(text: str) -> str:
    r"""Return an answer in plain text: ``$\boxed{9{,}500}$`` is ``9,500``.

    Args:
        text: An answer, in LaTeX or not.
    """
    if "\\" not in text and "{,}" not in text and text.count("$") < 2:
        return text
    text = text.strip()
    text = text.strip("$") if text.count("$") - text.count("\\$") > 1 else text
    text = _STYLE.sub(r" \1", _FRACTION.sub(r"\1/\2", text))
    for latex, plain in _PLAIN.items():
        text = text.replace(latex, plain)
    text = " ".join(text.split())
    box = _BOX.match(text)
    return _content(box[0], text[box.end() :])[0].strip() if box else text
