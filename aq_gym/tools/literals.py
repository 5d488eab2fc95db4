"""Calls in Python's notation, ``name(city='Oslo')``: parsed, never evaluated."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

# Deeper values are refused: no tool has such arguments.
MAX_DEPTH = 32
_MAX_DIGITS = 100
_MOST_TOKENS = 20_000
# Models also write "result = await functions.name(...)" and "name.call(...)".
_HEAD = re.compile(
    r"\s*(?:\w{1,40}\s*=\s*)?(?:await\s+)?(?:[^\W\d]\w*+\.)*?"
    r"([^\W\d]\w*)(?:\.call)?\s*\("
)
_PRINTED = re.compile(r"\s*print\((?=\s*[\w.]{1,100}\()(.*)\)\s*", re.DOTALL)
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<string>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")
    |(?P<number>[+-]?(?:\d++(?:_\d++)*+(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)
    |(?P<name>[^\W\d]\w*+)
    |(?P<sign>[()\[\]{},:=])
    )""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS = {
    "True": True,
    "False": False,
    "None": None,
    "true": True,
    "false": False,
    "null": None,
}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"},
    **{"\\": "\\", "'": "'", '"': '"', "/": "/"},
}


class LiteralCall(NamedTuple):
    """A call in Python's notation.

    Attributes:
        name: The name of the function.
        positional: The arguments without a name.
        named: The arguments with a name.
    """

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]


# The kind of a token, which is a group name of _TOKEN, and its text.
_Token: TypeAlias = tuple[str, str]


def read_literal_call(text: str) -> LiteralCall | str | None:
    """Read ``name(value, other=value)``, where values are Python or JSON literals.

    A colon may stand in place of ``=``, as in the tools' signatures.

    Args:
        text: Any text.

    Returns:
        The call; a description of the problem, if the text has the form of a call but
        its arguments cannot be read; None if it does not have the form of a call.
    """
    text = text.rstrip().rstrip(".;")
    if printed := _PRINTED.fullmatch(text):
        text = printed[1].rstrip()
    head = _HEAD.match(text)
    if head is None or not text.endswith(")"):
        return None
    try:
        tokens = _tokens(text[head.end() :])
        positional, named, end = _arguments(tokens)
    except _SyntaxError as error:
        return str(error)
    if end != len(tokens):
        return None
    return LiteralCall(head[1], tuple(positional), named)


class _SyntaxError(Exception):
    pass


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            rest = text[at : at + 20]
            raise _SyntaxError(f"its arguments cannot be read from {rest!r}")
        if len(tokens) == _MOST_TOKENS:
            raise _SyntaxError(f"its arguments have more than {_MOST_TOKENS:,} parts")
        kind = str(found.lastgroup)
        tokens.append((kind, found[kind]))
        at = found.end()
    return tokens


def _arguments(tokens: list[_Token]) -> tuple[list[Any], dict[str, Any], int]:
    """Read arguments up to the closing parenthesis; return the position after it."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    at = 0
    while not _is(tokens, at, ")"):
        named_by = any(_is(tokens, at + 1, sign) for sign in "=:")
        if named_by and tokens[at][0] == "name":
            name = tokens[at][1]
            if name in named:
                raise _SyntaxError(f"the argument {name} is given twice")
            named[name], at = _value(tokens, at + 2)
        elif named:
            raise _SyntaxError("an argument without a name follows one with a name")
        else:
            value, at = _value(tokens, at)
            positional.append(value)
        at = _after_comma(tokens, at, ")")
    return positional, named, at + 1


def _value(tokens: list[_Token], at: int, depth: int = 0) -> tuple[Any, int]:
    if at >= len(tokens):
        raise _SyntaxError("its arguments end too early")
    if depth > MAX_DEPTH:
        raise _SyntaxError(f"its arguments are nested deeper than {MAX_DEPTH}")
    kind, text = tokens[at]
    if kind == "string":
        return _unquote(text), at + 1
    if kind == "number":
        return _number(text), at + 1
    if kind == "name" and text in _CONSTANTS:
        return _CONSTANTS[text], at + 1
    if text in ("[", "("):
        return _list(tokens, at + 1, "]" if text == "[" else ")", depth)
    if text == "{":
        return _dict(tokens, at + 1, depth)
    raise _SyntaxError(f"{text!r} is not a value: put text in quotes")


def _list(
    tokens: list[_Token], at: int, closing: str, depth: int
) -> tuple[list[Any], int]:
    items = []
    while not _is(tokens, at, closing):
        item, at = _value(tokens, at, depth + 1)
        items.append(item)
        at = _after_comma(tokens, at, closing)
    return items, at + 1


def _dict(tokens: list[_Token], at: int, depth: int) -> tuple[dict[str, Any], int]:
    items: dict[str, Any] = {}
    while not _is(tokens, at, "}"):
        if tokens[at][0] == "name" and _is(tokens, at + 1, ":"):
            key, at = tokens[at][1], at + 1  # as in JavaScript
        else:
            key, at = _value(tokens, at, depth + 1)
        if not isinstance(key, str):
            raise _SyntaxError(f"the key {key!r} is not text")
        if key in items:
            raise _SyntaxError(f"the key {key!r} is given twice")
        if not _is(tokens, at, ":"):
            raise _SyntaxError(f"a colon must follow the key {key!r}")
        items[key], at = _value(tokens, at + 1, depth + 1)
        at = _after_comma(tokens, at, "}")
    return items, at + 1


def _after_comma(tokens: list[_Token], at: int, closing: str) -> int:
    if _is(tokens, at, ","):
        return at + 1
    if _is(tokens, at, closing):
        return at
    raise _SyntaxError("a comma or a closing bracket is missing in its arguments")


def _is(tokens: list[_Token], at: int, sign: str) -> bool:
    return at < len(tokens) and tokens[at] == ("sign", sign)


def _number(text: str) -> int | float:
    if len(text) > _MAX_DIGITS:
        raise _SyntaxError(f"a number has more than {_MAX_DIGITS} characters")
    bare = text.replace("_", "")
    if set(bare) <= set("+-0123456789"):
        return int(bare)
    value = float(bare)
    if value in (float("inf"), float("-inf")):
        raise _SyntaxError(f"the number {text} is too large")
    return value


def _unquote(literal: str) -> str:
    text = _ESCAPE.sub(_unescape, literal[1:-1])
    if "\\u" not in literal:
        return text
    # As in JSON, two escapes can be one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _unescape(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    # As in Python, the backslash of an unknown escape stays.
    return _ESCAPES.get(code, found[0])
