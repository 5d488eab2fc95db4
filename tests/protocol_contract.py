"""The contract in a benchmark's protocol."""

import pytest

from aq_gym.testing import CHECKS, ContractError, check_any_text

# They take seconds each, and do the same in every protocol.
_SLOW = ("check_vector_async", "check_other_process")


def hold_contract(case, broken=None):
    """Run the contract's checks, without the slowest.

    Args:
        case: The environment.
        broken: The checks that the protocol's own rules fail, by name, each with a
            regular expression for its message.
    """
    broken = broken or {}
    for check in CHECKS:
        if check.__name__ in broken:
            with pytest.raises(ContractError, match=broken[check.__name__]):
                check(case)
        elif check is check_any_text:
            check(case, examples=15)
        elif check.__name__ not in _SLOW:
            check(case)
