"""Tools made of functions, and their schemas."""

from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.tools import NO_DEFAULT, Toolbox, tool
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
