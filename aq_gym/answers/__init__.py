"""Find the answer that a text states, read it, and compare it with the expected one."""

from aq_gym.answers.comparison import Kind, is_same, normalized, read_date
from aq_gym.answers.numbers import Number, read_number
from aq_gym.answers.statements import Statement, cleaned, statements, without_latex

__all__ = [
    "Kind",
    "Number",
    "Statement",
    "cleaned",
    "is_same",
    "normalized",
    "read_date",
    "read_number",
    "statements",
    "without_latex",
]
