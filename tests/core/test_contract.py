"""The contract of every registered id, with some of their arguments."""

from functools import partial

import pytest

from aq_gym.registration import TABLE
from aq_gym.testing import CHECKS, Case, check_expert, check_gymnasium

CHEAP = {
    "check_gymnasium": check_gymnasium,
    "check_expert": partial(check_expert, seeds=1),
}
ALL = {check.__name__: check for check in CHECKS}
VARIANTS = (
    ("aq/Mastermind-v0", {"code_length": 3, "repeats": False, "symbols": "RGBY"}),
    ("aq/Mastermind-v0", {"code_length": 1}),
    ("aq/Mastermind-v0", {"code_length": 6}),
    ("aq/Mastermind-v0", {"code": "0123", "instructions": False}),
)


def rows():
    """Every check on every id, and cheap ones on families, which share their code."""
    for row in TABLE:
        needs = pytest.mark.needs(*(f"module:{name}" for name in row.requires))
        for name, check in (CHEAP if row.family else ALL).items():
            case = Case(row.id, expectations=row.expectations)
            slow = row.family and name == "check_gymnasium"
            marks = (needs, pytest.mark.slow) if slow else needs
            yield pytest.param(case, check, marks=marks, id=f"{row.id}-{name}")


def variants():
    rows_by_id = {row.id: row for row in TABLE}
    for env_id, kwargs in VARIANTS:
        row = rows_by_id[env_id]
        needs = pytest.mark.needs(*(f"module:{name}" for name in row.requires))
        case = Case(env_id, kwargs, row.expectations)
        for name, check in ALL.items():
            marks = (needs, pytest.mark.slow)
            yield pytest.param(case, check, marks=marks, id=f"{case}-{name}")


@pytest.mark.parametrize(("case", "check"), [*rows(), *variants()])
def test_contract(case, check):
    check(case)
