"""The action in a model's completion, as text."""

from __future__ import annotations

import json
import re

# Possessive repeats: nothing here may go back, so any text takes linear time.
_MARKER = re.compile(r"(?<!\w)action[ \t*_]*+\d*+[ \t*_]*+[:\uff1a]", re.IGNORECASE)
_BEFORE_MARKER = re.compile(r"(?:[ \t>#*_+\"'`\u2022\u201c-]|\(?\d++[.)])*+")
_TAG = re.compile(r"<(/?)action[ \t]*+>", re.IGNORECASE)
# Without one of these there is nothing but an action.
_SPECIAL = re.compile("[{<`*\"'\u201c]|action", re.IGNORECASE)
_LANGUAGE = re.compile(r"[\w+-]*+[ \t]*+\n")
_FENCE = "```"
_QUOTES = (("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("\u201c", "\u201d"))


def extract_action(completion: str) -> str:
    """Return the action that a completion names, or the whole completion.

    The first of these that is found and not empty, and of its kind the last:

    - ``{"action": "..."}``, where the completion is one JSON object;
    - ``<action>...</action>``;
    - what follows ``Action:`` (in any case, numbered or bold) on its line or, where
      that is empty, on the next one or in a code fence, if the line begins with the
      marker or has only a bullet, a number, a ``>`` and the like before it;
    - what follows ``Action:`` elsewhere in a line;
    - a code fence.

    Quotes, backticks and bold around it are taken off, and of a JSON object it is the
    "action". A completion with none of these is returned unchanged.

    Args:
        completion: What the model answered, of any length.
    """
    if not _SPECIAL.search(completion):
        return completion
    action = (
        _in_json(completion)
        or _in_tags(completion)
        or _after_marker(completion)
        or _last_fenced(completion)
        or _unquote(completion)
    )
    action = _in_json(action) or action
    return completion if action == completion.strip() else action


def _in_json(text: str) -> str:
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return ""
    try:
        action = json.loads(text).get("action")
    except (RecursionError, ValueError):
        return ""
    return action.strip() if isinstance(action, str) else ""


def _in_tags(text: str) -> str:
    action, start = "", len(text)
    for tag in _TAG.finditer(text):
        if tag[1]:
            action = _unquote(text[start : tag.start()]) or action
            start = len(text)
        else:
            start = tag.end()
    return action


def _after_marker(text: str) -> str:
    leading, others = _markers(text)
    for markers in (leading, others):
        end = len(text)
        for marker in reversed(markers):
            action = _marked(text[marker.end() : end])
            if action:
                return action
            end = marker.start()
    return ""


def _markers(text: str) -> tuple[list[re.Match[str]], list[re.Match[str]]]:
    leading: list[re.Match[str]] = []
    others: list[re.Match[str]] = []
    before = 0
    for marker in _MARKER.finditer(text):
        # Only the first marker of a line can lead it, so nothing is read twice.
        start = text.rfind("\n", before, marker.start()) + 1
        first = start > 0 or before == 0
        leads = first and _BEFORE_MARKER.fullmatch(text, start, marker.start())
        (leading if leads else others).append(marker)
        before = marker.end()
    return leading, others


def _marked(text: str) -> str:
    # Here the bold of "**Action:** x" ends.
    text = text.removeprefix("**").lstrip()
    if text.startswith(_FENCE):
        return _in_fence(text.split(_FENCE, 2)[1])
    action = text.partition("\n")[0].partition(_FENCE)[0].strip()
    for mark in ("**", "`"):
        # And here that of "**Action: x**".
        if action.endswith(mark) and action.count(mark) == 1:
            action = action.removesuffix(mark)
    return _unquote(action)


def _last_fenced(text: str) -> str:
    for fenced in reversed(text.split(_FENCE)[1::2]):
        action = _in_fence(fenced)
        if action:
            return action
    return ""


def _in_fence(fenced: str) -> str:
    language = _LANGUAGE.match(fenced)
    action = _unquote(fenced[language.end() :]) if language else ""
    # A fence of one word has no language.
    return action or _unquote(fenced)


def _unquote(text: str) -> str:
    text = text.strip()
    for opening, closing in _QUOTES:
        if not (text.startswith(opening) and text.endswith(closing)):
            continue
        inner = text[len(opening) : len(text) - len(closing)].strip()
        if inner and opening not in inner and closing not in inner:
            return _unquote(inner)
    return text
