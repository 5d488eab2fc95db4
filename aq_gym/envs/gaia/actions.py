r"""Further forms of an answer: ``FINAL ANSWER: x``, ``Answer: x``, ``\boxed{x}``.

The others are the calls that :func:`aq_gym.tools.read_calls` reads.
"""

from __future__ import annotations

import re

_LONGEST = 500
_SAID = re.compile(
    r"[*\s]*(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my) )?(?:final )?answer"
    r"(?P<is>\s+is\b\s*:?|\s*[*]*[:=])[*\s]*(?P<said>[^\n]+?)\s*",
    re.IGNORECASE,
)
# "The answer is not in the file" is not an answer.
_DOUBT = re.compile(
    r"(?:not|still|probably|likely|unclear|unknown|either|that|in the|to be)\b",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\$*\\?boxed\s*\{([^\n]+)\}\$*")
_STYLE = re.compile(r"\\(?:text|mathrm|mbox)\{([^{}]*)\}")
_NUMBER = re.compile(r"[-+]?\\?\$?\d[\d,]*(?:\.\d+)?(?:\s?\\?%)?", re.ASCII)
_CALL = re.compile(r"\w+\s*[\[(]|[\[{]")
_PLAIN = {"\\$": "$", "\\%": "%", "{,}": ",", "\\!": "", "\\,": " "}


def read_answer(text: str) -> str | None:
    """Return the answer in one of these forms or a bare number; None for other text."""
    if len(text) > _LONGEST:
        return None
    bare = text.strip()
    said = _SAID.fullmatch(bare)
    inner = (said["said"] if said else bare).strip("* ")
    if said and ("is" in said["is"].lower()):
        inner = inner.removesuffix(".")
        if _DOUBT.match(inner):
            return None
    boxed = _BOXED.fullmatch(inner)
    # "Answer: calculate[3 * 6]" is a label before a call.
    if not boxed and (_CALL.match(inner) or not (said or _NUMBER.fullmatch(bare))):
        return None
    answer = _STYLE.sub(r"\1", boxed[1] if boxed else inner)
    for written, plain in _PLAIN.items():
        answer = answer.replace(written, plain)
    return answer.strip() or None
