"""Higher or lower: a benchmark in a separate package."""

from aq_gym.registration import Row, register
from aq_higher_lower.env import HigherLowerEnv

__all__ = ["ROW", "HigherLowerEnv"]

ROW = Row(
    "higherlower/HigherLower-v0",
    "aq_higher_lower:HigherLowerEnv",
    20,
    title="find a number from higher and lower",
    skills=(2, 2, 1, 2, 1, 1),
    instances="1,000 numbers",
    suite=((10, {}),),
)
register(ROW)
