"""Compare an agent's answer with the expected one, by kind of answer."""

from aq_gym.answers.compare import Kind, is_same
from aq_gym.answers.dates import read_date
from aq_gym.answers.numbers import Number, read_number
from aq_gym.answers.texts import normalized

__all__ = ["Kind", "Number", "is_same", "normalized", "read_date", "read_number"]
