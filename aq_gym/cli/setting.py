"""How an environment is named on the command line: ``ID`` or ``ID?key=value&...``."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

__all__ = ["HELP", "Setting", "key_value"]

HELP = "an id, with arguments if need be: 'aq/Mastermind-v0?code_length=5'"


class Setting(NamedTuple):
    """An environment and its constructor arguments."""

    id: str
    kwargs: dict[str, Any]

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read ``ID?key=value&key=value``; values are JSON, or else plain text.

        Args:
            text: What was typed.

        Raises:
            ValueError: If what follows ``?`` has not that form.
        """
        id, _, query = text.partition("?")
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
        except ValueError as error:
            raise ValueError(f"{text!r} is not of the form ID?key=value") from error
        return cls(id, {key: _value(value) for key, value in pairs})


def key_value(text: str) -> tuple[str, Any]:
    """Read ``key=value``; the value is JSON, or else plain text.

    Args:
        text: What was typed.

    Raises:
        ValueError: If there is no ``=``.
    """
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise ValueError(f"{text!r} is not of the form KEY=VALUE")
    return key, _value(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
