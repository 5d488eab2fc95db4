"""The contents of cells: as they are entered, sorted and compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from aq_gym.envs.tooloperation.logic.sheet.formulas import FormulaError, parse
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.workbook import is_formula
from aq_gym.tools import ToolError

MAX_TEXT = 1_000


def entered(value: Any) -> Any:
    """Return a value as a cell holds it: a text that is a number becomes one.

    Args:
        value: The value, as an agent gives it.

    Raises:
        ToolError: If it is too large, or a formula that cannot be read.
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ToolError(f"A cell has at most {MAX_TEXT:,} characters.")
        value = value.encode(errors="replace").decode()
        stripped = value.strip()
        if stripped[:1] == "=":
            return _checked_formula(stripped)
        value = _as_number(stripped) if stripped.isascii() else value
        if isinstance(value, str):
            return value if stripped else None
    if isinstance(value, (int, float)):
        if abs(value) > 1e300:
            raise ToolError("The number is too large.")
        large = abs(value) > 10**15
        return float(value) if large or value != int(value) else int(value)
    return value


def _checked_formula(text: str) -> str:
    try:
        parse(text)
    except FormulaError as error:
        raise ToolError(f"The formula cannot be read: {error}.") from None
    return text


def _as_number(text: str) -> float | str:
    if "_" in text or not any(letter.isdigit() for letter in text):
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def shown_value(value: Value) -> str:
    """Return a value as text."""
    return str(value).upper() if isinstance(value, bool) else str(value)


def sort_key(value: Any) -> tuple[int, Any]:
    """Return a sort key: numbers, then texts (ignoring case), then booleans."""
    if isinstance(value, bool):
        return 2, value
    return (1, value.casefold()) if isinstance(value, str) else (0, value)


def tester(comparison: str, wanted: Any) -> Callable[[Any], bool]:
    """Return a test of values.

    Args:
        comparison: The comparison, "blank" for blank cells.
        wanted: The value to compare with.

    Raises:
        ToolError: If this value is blank or a formula.
    """
    if comparison == "blank":
        return lambda value: value is None
    if wanted is None or is_formula(wanted):
        raise ToolError("value must be a number or a text.")
    key = sort_key(wanted)
    tests: dict[str, Callable[[Any], bool]] = {
        "=": lambda other: other == key,
        "<>": lambda other: other != key,
        "<": lambda other: other[0] == key[0] and other < key,
        "<=": lambda other: other[0] == key[0] and other <= key,
        ">": lambda other: other[0] == key[0] and other > key,
        ">=": lambda other: other[0] == key[0] and other >= key,
    }
    test = tests[comparison]
    return lambda value: value is not None and test(sort_key(value))
