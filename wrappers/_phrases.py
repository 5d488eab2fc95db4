"""Extract an action from a line of prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    r"(?:(?:ok|okay|now|next|first|so|then|well|alright)[,.:!]?[ \t]+)*+"
    r"(?:(?:i|we)(?:[ \t]+will|['\u2019]ll|[ \t]+would|['\u2019]d|[ \t]+should"
    r"|[ \t]+must|[ \t]+want|[ \t]+need|[ \t]+choose|[ \t]+decide|[ \t]+am[ \t]+going"
    r"|['\u2019]m[ \t]+going)(?:[ \t]+(?:now|next|like|first|then))*+"
    r"(?:[ \t]+to)?"
    r"|let(?:[ \t]+me|['\u2019]s|[ \t]+us)(?:[ \t]+(?:now|next|first|try|guess))*+"
    r"|(?:my|the)(?:[ \t]+(?:next|first|final|chosen|best))*+"
    r"[ \t]+(?:action|move|guess|command|choice|answer)"
    r"(?:[ \t]+(?:is|will[ \t]+be|would[ \t]+be))"
    r"|ich(?:[ \t]+(?:werde|w\u00e4hle|nehme|mache))"
    r"|\u6211(?:\u9009\u62e9|\u8981|\u4f1a|\u5c06))"
    r"(?:[ \t]*+:|[ \t]+(?:try|guess|play)\b[ \t]*+:?)?[ \t]*+",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(
    r"[ \t]++(?:[-\u2013\u2014]++[ \t]|//|#|\().*+|\u2014.*+|\uff08.*+"
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
