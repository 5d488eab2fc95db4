"""The contract, over every id that is registered, but variants of another."""

import pytest

from aq_gym.registration import TABLE
from aq_gym.testing import CHECKS, Case


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("id", [row.id for row in TABLE if not row.family])
def test_contract(id, check):
    check(Case(id))
