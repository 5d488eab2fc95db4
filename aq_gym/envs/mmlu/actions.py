r"""Reading a text as an answer: a letter, or the text of an option.

``B``, ``(B)``, ``B. Paris``, ``Answer: B``, ``The answer is B because ...``,
``answer[B]``, ``\boxed{B}`` and ``Paris`` are one answer. In a longer text the last
statement of an answer counts, such as "..., so the answer is B.".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from aq_gym.answers import (
    cleaned,
    is_same,
    normalized,
    read_number,
    statements,
    without_latex,
)
from aq_gym.core.text import normalize
from aq_gym.envs.mmlu.question import LETTERS

# The result of reading a text that several options have.
AMBIGUOUS = "?"
_FORM = "Answer: "
_LONGEST_REASON = 2_000
# "C, which is the capital", "C. The others are wrong" state C.
_SENTENCE = re.compile(
    r"[.](?=\s+[A-Z]|$)|, (?=which|as|since|because|so|not|rather)| \((?!.\))"
)
# Options have at most 15,000 characters together.
_LONGEST = 20_000
_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence),? )?(?:i (?:choose|pick|select) |"
    r"(?:(?:the|my) )?(?:(?:final|correct|right|best) )*(?:answer|option|choice)\b"
    r"(?:(?: is\b|:|=| ?=)+:? ?| ?(?=[(\[])| (?=[a-d]$)))",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"[(\[]?(?:option |choice |letter )?[(\[]?([A-D])[)\]]{0,2}"
    r"(?: is (?:the )?(?:correct|right|best)(?: answer| option| choice)?)?",
    re.IGNORECASE,
)
# A letter followed by the text of its option, or by a reason.
_FOLLOWED = re.compile(
    r"(?:[Oo]ption |[Cc]hoice )?[(\[]?([A-D])"
    r"([)\]][.:,]?|[.:,;]| [-\u2013\u2014])? (.+)",
    re.DOTALL,
)
_OTHERS = re.compile(r"\b[A-D]\b|\bor\b|\?$")
_REASON = re.compile(r"(?:because|since)\b", re.IGNORECASE)
# Words with plain punctuation. Normalizing could make other texts equal that differ
# only in signs.
_PLAIN = re.compile(r"[^\W\d_][^\W\d_ ,;:.'\u2019-]*(?:[ ,;:.'\u2019-]+[^\W\d_]+)*[.]?")


def read(action: str, options: Sequence[str]) -> str:
    """Read an answer.

    Args:
        action: Any text.
        options: The options of the question.

    Returns:
        A letter; "" if the text is not an answer, and ``AMBIGUOUS`` if it is the text
        of several options.
    """
    letter = action.removeprefix(_FORM)
    if len(letter) == 1 and letter in LETTERS:
        return letter
    if letter := _of_text(action, options):
        return letter
    found = stated(action, options)
    return found[1] if found else ""


def stated(text: str, options: Sequence[str]) -> tuple[str, str] | None:
    """Return the last statement of an answer in a text, and its letter.

    Args:
        text: Any text.
        options: The options of the question.
    """
    for statement in statements(text, "answer option choice"):
        whole = without_latex(statement.answer)
        sentence = _SENTENCE.split(whole, maxsplit=1)[0]
        # "B. Paris" is no answer if Paris is another option.
        named = _of_option(whole[len(sentence) :].strip(" ."), options)
        shorter = () if named else (sentence, cleaned(sentence))
        for answer in (whole, *shorter):
            alone = _of_text(answer, options)
            if letter := _of_text(f"Answer: {answer}", options) or alone:
                bare = letter == alone
                return answer if bare else statement.written, letter
    return None


def _of_text(action: str, options: Sequence[str]) -> str:
    """Return the letter that is all that a text says; "" if it says anything else."""
    if len(action) > _LONGEST_REASON:
        return _of_option(action, options) if len(action) <= _LONGEST else ""
    bare = " ".join(action.replace("*", "").split())
    lead = _LEAD.match(bare)
    body = (bare[lead.end() :] if lead else bare).strip("\"'`$ ").removesuffix(".")
    if found := _LETTER.fullmatch(body):
        return found[1].upper()
    if found := _FOLLOWED.fullmatch(body):
        letter, mark, rest = found.groups()
        named = _of_option(rest, options)
        # "A is wrong", "Answer: A, B" and "B. " with the text of C are no answers.
        reason = mark and not named and not _OTHERS.search(rest)
        given = lead and (reason or _REASON.match(rest))
        return letter if given or named == letter else ""
    letter = _of_option(body, options)
    # An option can look like a form of answer: "The right answer to the question".
    return letter if letter or body == action else _of_option(action, options)


def write(letter: str) -> str:
    """Write an answer as an agent would."""
    return _FORM + letter


def _of_option(text: str, options: Sequence[str]) -> str:
    """Return the letter of the option with a given text, "" or ``AMBIGUOUS``."""
    bare = normalize(text)
    found = [k for k, one in enumerate(options) if bare and normalize(one) == bare]
    if not found and read_number(bare):
        found = [k for k, one in enumerate(options) if is_same(bare, one, "number")]
    elif not found and any(map(_plain, options)) and _PLAIN.fullmatch(bare):
        plain = normalized(bare)
        found = [k for k, one in enumerate(options) if _plain(one) == plain]
    if len(found) > 1:
        return AMBIGUOUS
    return LETTERS[found[0]] if found else ""


@lru_cache(maxsize=256)
def _plain(option: str) -> str:
    """Return an option normalized for comparison; "" if its punctuation may matter."""
    return normalized(option) if _PLAIN.fullmatch(option) else ""
