"""Find where a text states an answer: "the answer is 18", "#### 18", a box.

The last statement is the one that counts, as in the scorers of GSM8K (Cobbe et al.,
2021) and MATH (Hendrycks et al., 2021), wherever it stands in its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Possessive repeats avoid backtracking, so that any text takes linear time; where no
# first character of a marker stands, one look is enough.
_LEADS = (
    r"(?:(?:the|my|our|final|correct|right|best|only|possible|most|likely|appropriate"
    r"|suitable)[ \t_-]++){0,4}"
)
_NOUN = r"(?P<noun>answer|ans\b|option|choice|(?<=final )(?:result|solution))"
_ABOUT = (
    r"(?:[ \t]++(?:(?:to|for|of|in|from|that|i|we)[ \t][^.:;\n]{1,80}?|here)"
    r"|,?[ \t]++(?:then|therefore|thus|finally),?|[ \t]++\([^()\n]{1,40}\))?"
)
_VERB = (
    r"(?:[ \t*_]*+(?<![^\W_])(?P<verb>(?:is|equals|would be|will be"
    r"|(?:must|should|has to)(?: therefore)? be|(?:comes|turns) out(?: to be| to)?"
    r"|comes to)\b)|['\u2019]s\b),?"
    r"(?:[ \t]++(?:therefore|thus|then|hence|indeed|simply|clearly|obviously|actually"
    r"|definitely|certainly|exactly|precisely|equal to|given by)\b,?)?+"
)
_COLON = r"[\"'\]*_ \t]*+(?:\([^()\n]{1,20}\)[* \t]*+)?[:=\uff1a]++>?"
# In German, French, Spanish, Italian, Portuguese, Russian, Chinese and Japanese.
_OTHER_LANGUAGES = (
    r"\b(?:antwort|r\u00e9ponse|respuesta|risposta|resposta"
    r"|\u043e\u0442\u0432\u0435\u0442)(?: correct[ae]| finale?)?[ \t*_]*+"
    r"(?:(?:ist|lautet|est|es|\u00e8|\u00e9)\b|:)"
    r"|(?:\u7b54\u6848|\u7b54\u3048)[* ]*+"
    r"[\u662f\u4e3a\u70ba\u9009\u306f:\uff1a\u3011]++"
)
_MARKS = " \t\r\n*_`\"'\u201c\u201d\u2018\u2019"
_MARKER = re.compile(
    rf"(?=[a-z#*> \t\u043e\u7b54])(?:(?<![^\W_])(?=[a-z])(?P<lead>{_LEADS}){_NOUN}"
    rf"(?:{_ABOUT}{_VERB}[ \t*_]*+:?|{_COLON}|[ \t*]*+(?:->|\u2192))"
    rf"|^[ \t>*]*+{_LEADS}(?:answer[ \t]++(?:[-\u2013\u2014][ \t]|(?=[$\d]))|ans[.][ ])"
    rf"|^[ \t]*+\#{{4}}(?=[ \t]*+[-+$\d])"
    rf"|^[ \t]*+[\#*][\#* \t]*+{_LEADS}answer[ \t*:]*+$"
    r"|\bi(?:['\u2019](?:d|ll)| would| will)? "
    r"(?:answer|(?P<pick>choose|pick|select|go with))\b:?"
    rf"|{_OTHER_LANGUAGES})(?:```\w*+\n|<(?:b|strong)>"
    rf"|\\[\[(]|\$\$|[{_MARKS}]|(?<=\n)[-\u2022] )*+",
    re.IGNORECASE | re.MULTILINE,
)
# "Option C is correct", "84 is the final answer".
_BEFORE = re.compile(
    r"(?=[a-d\do(*\"'$])(?P<pick>\b(?:option|choice)[ ])?"
    r"[(*\"'$]{0,4}+(?:\b[a-d]\b|\d[\d,./]{0,40}+)"
    r"[)*\"'%$]*+(?= is[ ](?:(?:the|my|our) (?:(?:final|correct|right|best) )*+"
    r"(?:answer|option|choice)|(?:the )?(?P<right>correct|right))[ \t*]*+"
    r"(?:[.,;!\n]|\Z|because|since))",
    re.IGNORECASE,
)
# What opens a box, and what closes it; without that, its line ends it.
_BOX = re.compile(
    r"(?:\\?\b(?:f?boxed|fbox))\s*+\{|<\|begin_of_box\|>"
    r"|<(?:final_?)?answer>|\[(?:final )?answer\](?!\s*:)",
    re.IGNORECASE,
)
_BOX_END = re.compile(r"<\|end_of_box\|>|</|\[/|\Z")
# Each of the three patterns has one of these, and most texts have none: 100,000
# characters without one take a millisecond, and a tenth of a second without this list.
_HINTS = (
    *("ans", "option", "choice", "final", "####", "choose", "pick", "select"),
    *("go with", "correct", "right", "box", "antwort", "r\u00e9ponse", "respuesta"),
    *("risposta", "resposta", "\u043e\u0442\u0432\u0435\u0442", "\u7b54"),
)
# Words before "the answer is", in its clause, with which the answer is not claimed.
_CLAUSE = re.compile(
    r"[.,;:!?\n\uff0c\u3002]|\b(?:so|therefore|thus|hence|then|but|and)\b", re.I
)
_UNCLAIMED = re.compile(
    r"\b(?:if|whether|unless|until|doubt|not|never|wrong|incorrect|previous|your"
    r"|perhaps|maybe|possibly|suppose|assum\w+|you said)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[^.!?\n]*+(?:[.!](?!\s)[^.!?\n]*+)*+\?[\"'*)\u201d]*+(?:\s|\Z)"
)
# Where a model that continues a text invents the next question.
_NEXT = re.compile(
    r"\n[ \t*#]*+(?:question|problem|q)[ \t]*+\d*+[* \t]*+:", re.IGNORECASE
)
_REASONED = "</think>"
# The verb after an answer in Japanese.
_COPULA = re.compile(r"\u3067\u3059[\u3002.]?[*\s]*\Z")
# Tokens at which a model's turn ends.
_END = re.compile(r"<[|/]|\n")
_LONGEST_CLAUSE = 80
_INITIALS = re.compile(r"\b\w\.\w\Z")
# Quotes and brackets in each other; more are not removed.
_MOST_LAYERS = 8
# The most characters that are read of a statement, and statements of a text.
_LONGEST = 2_000
_MOST = 100
_BRACE = re.compile(r"[{}\n]")
_STYLE = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*+\{([^{}]*+)\}")
_FRACTION = re.compile(
    r"\\[dt]?frac(?:\{(?P<top>\d+)\}\{(?P<bottom>\d+)\}|(?P<one>\d)(?P<other>\d))"
)
# Delimiters of formulas, signs that LaTeX needs a backslash for, and thin spaces.
_PLAIN = {
    **{"\\(": "", "\\)": "", "\\[": "", "\\]": "", "\\displaystyle": ""},
    **{
        "\\times": "\u00d7",
        "\\cdot": "\u00b7",
        "\\$": "$",
        "\\%": "%",
        "{,}": ",",
        "\\!": "",
        "\\,": "\u2009",
        "\\:": " ",
    },
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
    line; "x is the answer"; GSM8K's ``#### x``; ``\boxed{x}`` of LaTeX; a box of GLM's
    vision models, ``<|begin_of_box|>x<|end_of_box|>``; or ``<answer>x</answer>``. A
    condition, a doubt, a denial or a question ("if the answer is 5", "I don't think
    the answer is 5", "the answer is 5?") states nothing.

    Args:
        text: Any text.
        nouns: The words for an answer, separated by spaces: some of "answer", "option"
            and "choice".
    """
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return
    marked = _MARKER.finditer(text)
    before = _BEFORE.finditer(text) if " is " in lowered else ()
    found = [one for one in (*marked, *before) if _names(one, nouns.split())]
    found = sorted([*found, *_BOX.finditer(text)], key=lambda one: one.start())
    begin = text.rfind(_REASONED)
    found = [one for one in found if one.start() > begin]
    if found and (following := _NEXT.search(text, found[0].end())):
        found = [one for one in found if one.start() < following.start()]
    for one in reversed(found[-_MOST:]):
        clause = _CLAUSE.split(
            text[max(0, one.start() - _LONGEST_CLAUSE) : one.start()]
        )
        words = clause[-1].strip(_MARKS)
        if _UNCLAIMED.search(words):
            continue
        if words.endswith(("'s", "\u2019s")) and not one.groupdict().get("lead"):
            continue
        within = bool(words) and not words.endswith("that")
        statement = _statement(one, text, within)
        if cleaned(statement.answer):
            yield statement


def _statement(one: re.Match[str], text: str, within: bool) -> Statement:
    """Return a statement, with the answer "" if it states nothing.

    Args:
        one: What marks it.
        text: The text.
        within: Whether other words of its clause precede it.
    """
    rest = text[one.end() : one.end() + _LONGEST]
    if one.re is _BOX:
        inner, closing = _content(one[0], rest)
        # "Put it in <answer> tags" states nothing.
        answer = "" if not closing and inner[:1].isspace() else inner.strip(_MARKS)
        return Statement(f"{one[0]}{inner}{closing}", answer, one.start())
    if one.re is _BEFORE:
        answer = "" if within and not one["pick"] else one[0].strip(_MARKS)
        return Statement(one[0], answer, one.start())
    line = _COPULA.sub("", _END.split(rest, maxsplit=1)[0])
    # "This answer is right" states nothing, and neither does a question.
    vague = within and one["verb"] and not one["lead"]
    answer = "" if vague or _QUESTION.match(line) else line.strip(_MARKS)
    return Statement(f"{one[0]}{line}", answer, one.start())


def _names(marker: re.Match[str], nouns: list[str]) -> bool:
    """Return whether a marker is about one of these nouns."""
    groups = marker.groupdict()
    chosen = groups["pick"] or groups.get("right")
    noun = "option" if chosen else (groups.get("noun") or "").lower()
    return noun not in ("option", "choice") or noun in nouns


def _content(box: str, rest: str) -> tuple[str, str]:
    """Return the content of a box and what closes it; without that, of its line."""
    if box[-1] != "{":
        end = _BOX_END.search(rest)
        assert end is not None
        return rest[: end.start()], end[0]
    depth = 1
    for brace in _BRACE.finditer(rest):
        depth += {"{": 1, "}": -1, "\n": -depth}[brace[0]]
        if depth == 0:
            return rest[: brace.start()], "}"
    return rest, "}"


def cleaned(text: str) -> str:
    """Return an answer in plain text, without quotes, brackets and stops around it.

    Args:
        text: An answer, in LaTeX or not.
    """
    text = without_latex(text)
    for _ in range(_MOST_LAYERS):
        before = text
        text = text.lstrip(_MARKS).rstrip(f"{_MARKS}.!\u3002,;\u2705\u2714\ufe0f")
        # "U.S." keeps its last stop.
        if _INITIALS.search(text[-5:]) and f"{text}." in before:
            text += "."
        for opening, closing in ("()", "[]", "{}", "$$"):
            inner = text[1:-1]
            if text[:1] == opening and text[-1:] == closing and inner:
                if opening not in inner and closing not in inner:
                    text = inner
            elif closing in text[-1:] and opening not in text[:-1]:
                text = text[:-1]
            elif text[:1] == closing and opening not in "$":
                text = text[1:]
        if text == before:
            break
    return text


def without_latex(text: str) -> str:
    r"""Return an answer in plain text: ``$\boxed{9{,}500}$`` is ``9,500``.

    Args:
        text: An answer, in LaTeX or not.
    """
    if "\\" not in text and "{,}" not in text and text.count("$") < 2:
        return text
    text = text.strip()
    text = text.strip("$") if text.count("$") - text.count("\\$") > 1 else text
    text = _STYLE.sub(r" \1", _FRACTION.sub(_fraction, text))
    for latex, plain in _PLAIN.items():
        text = text.replace(latex, plain)
    text = re.sub(r"[ \t\n]+", " ", text).strip()
    box = _BOX.match(text)
    return _content(box[0], text[box.end() :])[0].strip() if box else text


def _fraction(found: re.Match[str]) -> str:
    return f" {found['top'] or found['one']}/{found['bottom'] or found['other']}"
