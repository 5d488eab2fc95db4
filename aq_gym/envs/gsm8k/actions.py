r"""Further forms of an answer: "The answer is 18", ``#### 18``, ``\boxed{18}``, ``18``.

All other forms are calls, which :func:`aq_gym.tools.read_calls` reads, such as ReAct's
form ``calculate[16 - 3]``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from aq_gym.answers import read_number
from aq_gym.tools.arithmetic import write_fraction

_LONGEST = 200
_LABELLED = re.compile(
    r"[*\s]*(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my) )?(?:final )?answer"
    r"(?:\s+is\b\s*:?|\s*[*]*[:=])[*\s]*(?P<answer>.+)|#{4}\s*(?P<marked>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BOXED = re.compile(
    r"\$*(?:\\[(\[])?\s*\\boxed\s*\{(.+)\}\s*(?:\\[)\]])?\$*", re.DOTALL
)
# Characters around an answer in a tag, after a label or in JSON.
_BARE = re.compile(r"[-+]?(?:\\?\$)?\d[\d,]*(?:\.\d+)?(?:\s?\\?%|/\d+)?\$?", re.ASCII)
_FRACTION = re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_STYLE = re.compile(r"\\(?:text|mathrm|mbox)\{([^{}]*)\}")
# A thin space, and signs that need a backslash in LaTeX.
_PLAIN = {"\\$": "$", "\\%": "%", "{,}": ",", "\\!": "", "\\,": " "}
_OPERATORS = "+-*/"


def read_answer(text: str) -> str | None:
    """Return the number of an answer in one of these forms, None for other text."""
    if len(text) > _LONGEST:
        return None
    bare = text.strip()
    labelled = _LABELLED.fullmatch(bare)
    inner = (labelled["answer"] or labelled["marked"]) if labelled else bare
    inner = inner.strip().rstrip(".").strip("* ")
    boxed = _BOXED.fullmatch(inner)
    if not (labelled or boxed or _BARE.fullmatch(bare)):
        return None
    number = _without_latex(boxed[1] if boxed else inner)
    return number if read_number(number) else None


def _without_latex(text: str) -> str:
    text = _STYLE.sub(r" \1", _FRACTION.sub(r"\1/\2", text))
    for written, plain in _PLAIN.items():
        text = text.replace(written, plain)
    text = " ".join(text.split())
    return text.strip("$") if text.count("$") > 1 else text


def plain_answer(text: str) -> str:
    """Return an answer as its number and unit; other text as it is.

    Args:
        text: An answer, such as "18.0" or "$18".
    """
    found = read_number(text)
    return f"{write_fraction(found.value)} {found.unit}".strip() if found else text


def draw_call(numbers: Sequence[Fraction], rng: np.random.Generator) -> tuple[str, str]:
    """Draw a calculation with two numbers, or sometimes one of them as the answer.

    Args:
        numbers: The numbers of the question and those computed or stated.
        rng: A generator.

    Returns:
        The name of a tool and its argument.
    """
    one, other = (numbers[int(k)] for k in rng.integers(len(numbers), size=2))
    if rng.random() < 0.1:
        return "answer", write_fraction(one)
    sign = _OPERATORS[int(rng.integers(4))]
    if sign == "/" and other == 0:
        sign = "+"
    return "calculate", f"{write_fraction(one)} {sign} ({write_fraction(other)})"
