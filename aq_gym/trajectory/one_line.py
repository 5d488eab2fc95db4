"""JSON on one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder

__all__ = ["one_line", "one_line_ascii"]

_TEXT = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
_ASCII = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":")
)


def one_line(value: object) -> str:
    """Return a JSON value as text without line breaks.

    Args:
        value: The value.

    Raises:
        ValueError: If it contains NaN or an infinity.
    """
    # Most values of a step are texts.
    return _quoted(value) if type(value) is str else _encoded(value)


def one_line_ascii(value: object) -> str:
    """Return a JSON value as ASCII text without line breaks.

    Args:
        value: The value.

    Raises:
        ValueError: If it contains NaN or an infinity.
    """
    return _ASCII.encode(value)


_quoted: Callable[[str], str] = encoder.encode_basestring


def _made_once() -> Callable[[object], str]:
    """Return a function like ``_TEXT.encode``, which makes its encoder only once.

    Making it each time would take a fifth of the time of a step's info.
    """
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return _TEXT.encode
    # The arguments by which JSONEncoder.iterencode makes it.
    chunks = make(None, _TEXT.default, _quoted, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


_encoded = _made_once()
