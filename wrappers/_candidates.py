"""The places in an answer where an action may be, and the phrases around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

# Possessive repeats avoid backtracking, so that any text takes linear time.
_KEYS = (
    r"next_action|action|actions|final_action|chosen_action|command|move|guess"
    r"|final_answer|answer"
)
# An action in JSON or a Python dict; quotes are escaped inside a JSON string.
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
_BOXED = re.compile(
    r"\\boxed\s*+\{\s*+(?:\\text\w*+\s*+\{)?(?P<text>[^{}\n]*+)\}"
    r"|<\|begin_of_box\|>(?P<glm>[^<]*+)"
)
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
# In the middle of a line, only this word marks an action.
_INLINE = re.compile(r"action", re.IGNORECASE)
_FENCE = "```"
_LANGUAGE = re.compile(r"[\w+-]*+[ \t]*+\n")


class Candidate(NamedTuple):
    """A part of an answer.

    Attributes:
        text: The text that may be an action.
        start: The position in the answer where its surroundings begin.
        end: The position where its surroundings end.
    """

    text: str
    start: int
    end: int


class Part:
    """A text that is searched for actions.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def markers(self) -> list[tuple[re.Match[str], bool]]:
        """Each marker, and whether it begins its line, apart from bullets.

        They are found once, because this takes most of the time of a long text.
        """
        found = []
        before = 0
        for marker in _MARKER.finditer(self.text):
            # Only the first marker of a line can begin it, so no line is read twice.
            start = self.text.rfind("\n", before, marker.start()) + 1
            first = start > 0 or before == 0
            begins = first and _BEFORE_MARKER.fullmatch(
                self.text, start, marker.start()
            )
            found.append((marker, bool(begins)))
            before = marker.end()
        return found


def in_json(part: Part) -> Iterator[Candidate]:
    """Yield the actions in JSON objects, including the arguments of tool calls."""
    if "{" not in part.text:
        return
    for found in _VALUE.finditer(part.text):
        yield Candidate(_value(found), found.start(), found.end())


def in_tags(part: Part) -> Iterator[Candidate]:
    """Yield the content of ``<action>``, ``<answer>`` and similar tags.

    A tag that is not closed extends to the end of its line: a stop sequence may have
    removed the closing tag.
    """
    text = part.text
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


def in_boxes(part: Part) -> Iterator[Candidate]:
    r"""Yield the content of ``\boxed{...}`` and of GLM's boxes."""
    for found in _BOXED.finditer(part.text):
        yield Candidate(str(found[found.lastgroup or 0]), found.start(), found.end())


def after_markers(part: Part) -> Iterator[Candidate]:
    """Yield the text after a marker such as ``Action:`` at the start of a line.

    A heading such as ``### Action`` is a marker too.
    """
    found = [marker for marker, begins_line in part.markers if begins_line]
    if "#" in part.text:
        headings = _HEADING.finditer(part.text)
        found = sorted([*found, *headings], key=lambda m: m.start())
    return _marked(part.text, found)


def after_inline_markers(part: Part) -> Iterator[Candidate]:
    """Yield the text after ``Action:`` in the middle of a line."""
    found = [
        marker
        for marker, begins_line in part.markers
        if not begins_line and _INLINE.search(marker[0])
    ]
    return _marked(part.text, found)


def in_fences(part: Part) -> Iterator[Candidate]:
    """Yield the content of code fences."""
    parts = part.text.split(_FENCE)
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


_QUOTES = (
    ("**", "**"),
    ("__", "__"),
    ("`", "`"),
    ('"', '"'),
    ("'", "'"),
    ("\u201c", "\u201d"),
    ("\u2018", "\u2019"),
    ("\u201e", "\u201c"),
    ("\u300c", "\u300d"),
    ("*", "*"),
)
_BRACKETS = (*_QUOTES, ("[", "]"), ("<", ">"), ("(", ")"))
_BULLET = re.compile(
    r"\s*+(?:(?:[-*+>#$\u2022\u2192\u27a4]|=>|->)[ \t]*+)*+"
    r"(?:\(?\d++[.):][ \t]++|(?:step|schritt)[ \t]*+\d*+[ \t]*+[.:)][ \t]*+)?+",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"(?:(?:ok|okay|now|next|first|so|then|well|alright|therefore|thus|hence|finally)"
    r"[,.:!]?[ \t]+)*+"
    r"(?:(?:i|we)(?:[ \t]+will|['\u2019]ll|[ \t]+would|['\u2019]d|[ \t]+should"
    r"|[ \t]+must|[ \t]+want|[ \t]+need|[ \t]+choose|[ \t]+decide|[ \t]+am[ \t]+going"
    r"|['\u2019]m[ \t]+going)(?:[ \t]+(?:now|next|like|first|then))*+"
    r"(?:[ \t]+to)?"
    r"|let(?:[ \t]+me|['\u2019]s|[ \t]+us)(?:[ \t]+(?:now|next|first|try|guess))*+"
    r"|(?:my|the)(?:[ \t]+(?:next|first|final|chosen|best|correct|right))*+"
    r"[ \t]+(?:action|move|guess|command|choice|answer)"
    r"(?:[ \t]+(?:is|will[ \t]+be|would[ \t]+be))"
    r"|ich(?:[ \t]+(?:werde|w\u00e4hle|nehme|mache))"
    r"|\u6211(?:\u9009\u62e9|\u8981|\u4f1a|\u5c06))"
    r"(?:[ \t]*+:|[ \t]+(?:try|guess|play)\b[ \t]*+:?)?[ \t]*+",
    re.IGNORECASE,
)
# A dash in a calculation: "168 - 39", "168 - 39 = 129 dollars".
_MINUS = r"-[ \t]++[$(]*+\d(?:[\d \t.,+*/()$-]{0,60}+$|[^=\n]{0,60}+=)"
_EXPLANATION = re.compile(
    rf"(?<![ \t])[ \t]++(?:(?!{_MINUS})[-\u2013\u2014]++[ \t]|//|#|\().*+"
    r"|\u2014.*+|\uff08.*+"
)
_SPANS = re.compile(
    r"\*\*(?P<bold>[^*\n]{1,200}+)\*\*"
    r"|`(?P<code>[^`\n]{1,200}+)`"
    r"|\"(?P<double>[^\"\n]{1,200}+)\""
    r"|\u201c(?P<curly>[^\u201d\n]{1,200}+)\u201d"
    r"|\u201e(?P<german>[^\u201c\u201d\n]{1,200}+)[\u201c\u201d]"
    r"|\u300c(?P<corner>[^\u300d\n]{1,200}+)\u300d"
    r"|(?<!\w)'(?P<single>[^'\n]{1,200}+)'(?!\w)"
)
# A line with one of these words mentions an action without taking it.
_MENTIONS = re.compile(
    r"\b(?:not|no|never|avoid|instead|without|cannot|already|tried|previous|previously"
    r"|earlier|last|was|were|did|nicht|kein|keine|statt|bereits|schon)\b|n['\u2019]t\b"
    r"|[\u4e0d\u522b\u6ca1]|\?",
    re.IGNORECASE,
)


def spans(line: str, quotes: bool = True) -> list[str]:
    """Return the bold and quoted parts of a line, unless it only mentions them.

    A line mentions an action if it has a word such as "not" or "tried", or asks.

    Args:
        line: A line of prose.
        quotes: Whether quoted parts count, besides bold ones and code.
    """
    found = [(span, span.group(span.lastgroup or 0)) for span in _SPANS.finditer(line)]
    if not found:
        return []
    outside, position = [], 0
    for span, _ in found:
        outside.append(line[position : span.start()])
        position = span.end()
    outside.append(line[position:])
    if _MENTIONS.search(" ".join(outside)):
        return []
    return [
        text.strip()
        for span, text in found
        if text.strip() and (quotes or span.lastgroup in ("bold", "code"))
    ]


def readings(line: str) -> Iterator[str]:
    """Yield a line unchanged, then without the phrases around an action.

    That is, in this order: quotes, bullets and numbers, an explanation in brackets or
    after a dash, and a lead-in such as "I will".
    """
    text = line.strip()
    yield from _with_and_without_quotes(text)
    if "\n" in text:
        return
    without = text[_match_end(_BULLET, text) :]
    if without != text:
        yield from _with_and_without_quotes(without)
    short = _EXPLANATION.sub("", without).strip()
    if short != without:
        yield from _with_and_without_quotes(short)
    lead_in = _LEAD_IN.match(short)
    if lead_in and lead_in.end() < len(short):
        yield from _with_and_without_quotes(short[lead_in.end() :])


def unquote(text: str, brackets: bool = False) -> str:
    """Remove whitespace, quotes, backticks and bold around a text."""
    text = text.strip()
    for opening, closing in _BRACKETS if brackets else _QUOTES:
        # A final stop may follow the quotes.
        body = text[:-1] if text[-1:] in ".!" else text
        if not (body.startswith(opening) and body.endswith(closing)):
            continue
        inner = body[len(opening) : len(body) - len(closing)].strip()
        if inner and opening not in inner and closing not in inner:
            return unquote(inner, brackets)
    return text


def _with_and_without_quotes(text: str) -> Iterator[str]:
    if text:
        yield text
    bare = unquote(text, brackets=True)
    if bare and bare != text:
        yield bare


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
