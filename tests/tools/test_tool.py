"""Tools made of functions, and their schemas."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.tools import NO_DEFAULT, Toolbox, ToolError, tool
from aq_gym.tools.arithmetic import calculate, write_fraction
from aq_gym.tools.tool import check_value, describe_type, schema_of


def get_forecast(
    world,
    city: str,
    days: int = 3,
    unit: Literal["C", "F"] = "C",
    hours: list[int] | None = None,
) -> str:
    """Get the forecast
    of a city.

    More that the agent does not read.

    Args:
        city: The name of the city,
            as list_cities returns it.
        days: How many days.
        hours: The hours, or null for all.

    Returns:
        The forecast.
    """
    return f"{city} {days} {unit} {hours}"


def test_a_function_becomes_a_tool():
    made = tool(get_forecast)
    assert made.name == "get_forecast"
    assert made.description == "Get the forecast of a city."
    city, days, unit, _ = made.parameters
    assert city.description == "The name of the city, as list_cities returns it."
    assert city.required and city.default is NO_DEFAULT
    assert days.default == 3 and unit.description == ""
    assert made.signature() == (
        "get_forecast(city: string, days: integer = 3, unit: 'C' or 'F' = 'C', "
        "hours: list of integer or null = None)"
    )


def test_the_schema_is_what_apis_take():
    made = tool(get_forecast)
    schema = made.input_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["unit"] == {"type": "string", "enum": ["C", "F"]}
    assert schema["required"] == ["city"] and not schema["additionalProperties"]
    assert made.openai()["function"]["parameters"] == schema
    assert made.mcp()["inputSchema"] == schema
    assert made.anthropic()["input_schema"] == schema


TYPES = (
    *(str, int, float, bool, Any, Literal["a", "b"], Literal[1, "1"], list[int]),
    *(dict[str, float], int | None, list[str | int], list[list[bool]], str | list[str]),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["a", "1"])
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(VALUES, st.sampled_from(TYPES))
def test_values_are_accepted_as_jsonschema_accepts_them(value, annotation):
    judge = jsonschema.Draft202012Validator(schema_of(annotation))
    try:
        checked = check_value(value, annotation)
    except ValueError as error:
        assert describe_type(annotation) in str(error) or "must be" in str(error)
        assert not judge.is_valid(value)
    else:
        assert checked == value and judge.is_valid(value)


def no_docstring(world):
    pass


def no_annotation(world, city):
    """Do something."""


def odd_annotation(world, city: bytes):
    """Do something."""


def collects(world, *cities: str):
    """Do something."""


def describes_more(world, city: str):
    """Do something.

    Args:
        town: Another name.
    """


def without_world():
    """Have no world."""


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (no_docstring, ValueError, "needs a docstring"),
        (no_annotation, TypeError, "the parameter city of the tool no_annotation"),
        (odd_annotation, TypeError, "needs an annotation"),
        (without_world, TypeError, "needs the world as its first"),
        (collects, TypeError, "must not collect arguments"),
        (describes_more, ValueError, "describes town"),
    ],
)
def test_a_function_that_cannot_be_a_tool(function, error, words):
    with pytest.raises(error, match=words):
        tool(function)


def test_two_tools_of_one_name():
    with pytest.raises(ValueError, match="two tools have the name get_forecast"):
        Toolbox([get_forecast, get_forecast])


def test_the_tools_of_a_class_are_its_new_public_methods_and_finish():
    class Base:
        def close(self) -> None:
            """Close it."""

        def finish(self) -> str:
            """End."""
            return ""

    class Shop(Base):
        def look(self) -> str:
            """Look."""
            return ""

        def close(self) -> None:
            """Close it, too."""

        def _count(self) -> int:
            return 0

    assert [one.name for one in Toolbox.of(Shop)] == ["look", "finish"]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("48/2", "24"),
        ("0.1 + 0.2", "0.3"),
        ("2 + 3 * 4", "14"),
        ("(2+3)*4", "20"),
        ("10 - 4 - 3", "3"),
        ("-2^2", "-4"),
        ("2**3**2", "512"),
        ("2^-2", "0.25"),
        ("7/3", "7/3"),
        ("-1/8", "-0.125"),
        ("20% * 50", "10"),
        ("$1,200.50 \u00d7 2 \u00f7 1", "2401"),
        (".5 \u2212 1.", "-0.5"),
        ("1^9999999999", "1"),
        ("(-1)^9999999999", "-1"),
        ("0^0", "1"),
    ],
)
def test_values(expression: str, value: str) -> None:
    assert write_fraction(calculate(expression)) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("", "A number is expected"),
        ("2 +", "A number is expected at the end"),
        ("2 3", "not expected"),
        ("2 + )", "A number is expected before"),
        ("(2", "not closed"),
        ("2)", "not expected"),
        ("abs(2)", "not a number"),
        ("__import__('os')", "not a number"),
        ("1/(2-2)", "zero"),
        ("0^-1", "zero"),
        ("2^0.5", "integer"),
        ("9^9^9^9", "too large"),
        ("2^9999999999", "too large"),
        ("9" * 200, "too large"),
        ("(" * 100 + "1" + ")" * 100, "deep"),
        ("-" * 100 + "1", "deep"),
        ("1+" * 300 + "1", "characters"),
        ("\u0663 + 1", "not a number"),
    ],
)
def test_refused(expression: str, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        calculate(expression)


@given(st.text(alphabet="0123456789.+-*/^()%, $", max_size=60))
def test_any_text_has_a_value_or_a_reason(expression: str) -> None:
    try:
        value = calculate(expression)
    except ToolError:
        return
    assert Fraction(write_fraction(value)) == value
