"""How an environment is named on the command line: ``ID`` or ``ID?key=value&...``."""

from __future__ import annotations

import ast
import importlib
import json
import typing
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

__all__ = ["HELP", "Setting", "key_value"]

HELP = "an id, with arguments if need be: 'aq/Mastermind-v0?code_length=5'"


class Setting(NamedTuple):
    """An environment and its constructor arguments."""

    id: str
    kwargs: dict[str, Any]

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read ``ID?key=value&key=value``.

        A value is JSON or a Python literal, or else plain text; where the constructor
        wants a ``str`` it is text unless it is in quotes.

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
        texts = _text_arguments(id)
        return cls(id, {key: _value(value, key in texts) for key, value in pairs})


def key_value(text: str) -> tuple[str, Any]:
    """Read ``key=value``; the value is JSON or a Python literal, or else plain text.

    Args:
        text: What was typed.

    Raises:
        ValueError: If there is no ``=``.
    """
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise ValueError(f"{text!r} is not of the form KEY=VALUE")
    return key, _value(value, as_text=False)


def _value(text: str, as_text: bool) -> Any:
    value = _literal(text)
    return text if as_text and not isinstance(value, str | None) else value


def _literal(text: str) -> Any:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError):
            continue
    return text


def _text_arguments(id: str) -> set[str]:
    """Return the names of the constructor's arguments that are a ``str`` or None."""
    module, _, name = id.rpartition(":")
    try:
        if module:
            importlib.import_module(module)
        entry_point = gym.spec(name).entry_point
        creator: Any = entry_point
        if isinstance(entry_point, str):
            creator = load_env_creator(entry_point)
        hints = typing.get_type_hints(getattr(creator, "__init__", creator))
    except (ImportError, ValueError, TypeError, NameError, gym.error.Error):
        # Gymnasium says what is wrong with the id when the environment is made.
        return set()
    return {name for name, hint in hints.items() if hint in (str, str | None)}
