"""Exact arithmetic on expressions that agents write."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.tools import ToolError
from aq_gym.tools.arithmetic import calculate, write_fraction


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
