"""The contract over arguments; tests/core has it over the ids."""

import pytest

from aq_gym.testing import CHECKS, Case

VARIANTS = (
    {"cipher": "adfgvx", "difficulty": "hard"},
    {"cipher": "vigenere", "difficulty": "hard", "sentences": 1},
    {"cipher": "atbash", "threshold": 1.0, "instructions": False},
)
MARKS = {"vigenere": pytest.mark.slow}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "kwargs",
    [pytest.param(one, marks=MARKS.get(one["cipher"], ()), id=one["cipher"])
     for one in VARIANTS],
)  # fmt: skip
def test_contract(kwargs, check):
    check(Case("aq/Cipher-v0", kwargs))
