"""The environment keeps the contract of all text environments."""

from collections.abc import Callable

import aq_higher_lower
import pytest

from aq_gym.testing import CHECKS, Case


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(check: Callable[[Case], None]) -> None:
    """Every check passes."""
    check(Case(f"aq_higher_lower:{aq_higher_lower.ROW.id}"))
