"""The places in an answer where an action may be, in order of preference."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

# Possessive repeats avoid backtracking, so that any text takes linear time.
_KEYS = (
    r"next_action|action|actions|final_action|chosen_action|command|move|guess"
    r"|final_answer|answer"
)
# In JSON or a Python dict, also inside a JSON string, where quotes are escaped.
_VALUE = re.compile(
    rf"[{{,]\s*+(?P<q>\\?[\"'])(?:{_KEYS})(?P=q)\s*+:\s*+\[?\s*+"
    r"(?:(?P<number>\d++)(?=\s*+[,}\]])"
    r'|(?P<escaped>\\"(?:[^"\\]|\\(?!"))*+\\")'
    r'|(?P<double>"(?:[^"\\]|\\.)*+")'
    r"|'(?P<single>[^'\n]*+)'(?=\s*+[,}\]]))",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"<(?P<end>/?)(?:(?:next_|final_|my_)?(?:action|answer|command|move|guess)"
    r"|parameter(?:=|\s+name=)[\"']?(?:action|command|move|guess)[\"']?"
    r"|(?P<parameter_end>(?<=/)parameter))[ \t]*+>",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\s*+\{\s*+(?:\\text\w*+\s*+\{)?(?P<text>[^{}\n]*+)\}")
_LABELS = (
    r"(?:(?:my|the|next|final|chosen|selected|best)[ \t]++){0,3}"
    r"(?:action|command|move|guess|answer|choice)(?:[ \t]++to[ \t]++take)?+"
    r"(?:[ \t]++(?:is|would[ \t]++be|will[ \t]++be))?+"
    r"|(?:(?:meine?|n\u00e4chste[rs]?)[ \t]++){0,2}"
    r"(?:aktion|befehl|zug|antwort|eingabe|versuch)(?:[ \t]++ist)?+"
    r"|(?:\u6211\u7684|\u4e0b\u4e00\u6b65|\u4e0b\u4e00\u4e2a|\u6700\u7ec8){0,2}"
    r"(?:\u52a8\u4f5c|\u884c\u52a8|\u64cd\u4f5c|\u547d\u4ee4|\u6307\u4ee4|\u7b54\u6848"
    r"|\u731c\u6d4b)(?:\u662f)?+|\u4e0b\u4e00\u6b65"
)
_MARKER = re.compile(
    rf"(?<!\w)(?:{_LABELS})[ \t*_]*+\d*+[ \t*_]*+[:\uff1a]", re.IGNORECASE
)
_HEADING = re.compile(
    rf"^[ \t]*+#++[ \t*_]*+(?:{_LABELS})[ \t*_]*+\d*+[ \t*_]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_BEFORE_MARKER = re.compile(r"(?:[ \t>#*_+\"'`\u2022\u201c-]|\(?\d++[.)])*+")
# In the middle of a line only this word marks an action.
_INLINE = re.compile(r"action", re.IGNORECASE)
_FENCE = "```"
_LANGUAGE = re.compile(r"[\w+-]*+[ \t]*+\n")


class Candidate(NamedTuple):
    """A part of an answer.

    Attributes:
        text: The text that may be an action.
        start: Where its surroundings begin in the answer.
        end: Where they end.
    """

    text: str
    start: int
    end: int


def in_json(text: str) -> Iterator[Candidate]:
    """Yield the actions in JSON objects, including the arguments of tool calls."""
    if "{" not in text:
        return
    for found in _VALUE.finditer(text):
        yield Candidate(_value(found), found.start(), found.end())


def in_tags(text: str) -> Iterator[Candidate]:
    """Yield the content of ``<action>``, ``<answer>`` and similar tags.

    A tag that is not closed extends to the end of its line: a stop sequence may have
    removed the closing tag.
    """
    opening: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if tag["end"]:
            if opening is not None:
                yield Candidate(
                    text[opening.end() : tag.start()], opening.start(), tag.end()
                )
            opening = None
        else:
            opening = tag
    if opening is not None:
        line = _line_from(text, opening.end())
        yield Candidate(line, opening.start(), opening.end() + len(line))


def in_boxes(text: str) -> Iterator[Candidate]:
    r"""Yield the content of ``\boxed{...}``."""
    for found in _BOXED.finditer(text):
        yield Candidate(found["text"], found.start(), found.end())


def after_markers(text: str) -> Iterator[Candidate]:
    """Yield the text after a marker such as ``Action:`` at the start of a line.

    A heading such as ``### Action`` is a marker too.
    """
    found = [marker for marker, leads in _markers(text) if leads]
    if "#" in text:
        found = sorted([*found, *_HEADING.finditer(text)], key=lambda m: m.start())
    return _marked(text, found)


def after_inline_markers(text: str) -> Iterator[Candidate]:
    """Yield the text after ``Action:`` in the middle of a line."""
    found = [
        marker
        for marker, leads in _markers(text)
        if not leads and _INLINE.search(marker[0])
    ]
    return _marked(text, found)


def in_fences(text: str) -> Iterator[Candidate]:
    """Yield the content of code fences."""
    parts = text.split(_FENCE)
    start = len(parts[0])
    for number in range(1, len(parts), 2):
        end = start + len(parts[number]) + 2 * len(_FENCE)
        yield Candidate(without_language(parts[number]), start, end)
        start = end + (len(parts[number + 1]) if number + 1 < len(parts) else 0)


def without_language(fenced: str) -> str:
    """Return the content of a fence without the language on its first line."""
    language = _LANGUAGE.match(fenced)
    content = fenced[language.end() :] if language else ""
    # A fence of one word has no language.
    return content if content.strip() else fenced


def _value(found: re.Match[str]) -> str:
    for name in ("number", "single"):
        if found[name] is not None:
            return found[name]
    literal = found["double"]
    if literal is None:
        literal = found["escaped"].replace('\\"', '"')
    try:
        return str(json.loads(literal))
    except ValueError:
        return str(literal[1:-1])


def _markers(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each marker, and whether it starts its line (bullets are ignored)."""
    before = 0
    for marker in _MARKER.finditer(text):
        # Only the first marker of a line can lead it, so nothing is read twice.
        start = text.rfind("\n", before, marker.start()) + 1
        first = start > 0 or before == 0
        leads = first and _BEFORE_MARKER.fullmatch(text, start, marker.start())
        yield marker, bool(leads)
        before = marker.end()


def _marked(text: str, markers: list[re.Match[str]]) -> Iterator[Candidate]:
    """Yield the text after each marker, up to the next marker or the line's end."""
    ends = [*(marker.start() for marker in markers[1:]), len(text)]
    for marker, end in zip(markers, ends, strict=False):
        start = marker.end()
        # The bold of "**Action:** x" ends here.
        start += 2 if text.startswith("**", start, end) else 0
        part = text[start:end]
        rest = part.lstrip()
        if rest.startswith(_FENCE):
            content = without_language(rest.split(_FENCE, 2)[1])
            yield Candidate(content, marker.start(), end)
            continue
        line = rest.partition("\n")[0].partition(_FENCE)[0]
        used = start + len(part) - len(rest) + len(line)
        yield Candidate(_without_closing(line), marker.start(), used)


def _without_closing(line: str) -> str:
    """Remove the end of a bold or quoted part that began before the marker."""
    line = line.rstrip()
    for mark in ("**", "`", '"', "*"):
        if line.endswith(mark) and line.count(mark) == 1:
            line = line.removesuffix(mark).rstrip()
    return line


def _line_from(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]
