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
    ("aq/Sudoku-v0", {"difficulty": "hard", "split": "test", "list_actions": True}),
    (
        "aq/Sudoku-v0",
        {"box": 2, "puzzle": "123.........3.1.", "allow_conflicts": True},
    ),
    ("aq/Hangman-v0", {"length": [3, 12], "lives": 26}),
    (
        "aq/Hangman-v0",
        {"length": 5, "difficulty": "easy", "lives": 26, "instructions": False},
    ),
    ("aq/Wordle-v0", {"length": 6, "hard_mode": True}),
    (
        "aq/Wordle-v0",
        {"length": 4, "guesses": 8, "instructions": False},
    ),
    ("aq/2048-v0", {"goal": 32, "size": 3, "split": "test", "instructions": False}),
    ("aq/2048-v0", {"goal": 64, "size": 5, "split": "train"}),
    ("aq/Cipher-v0", {"cipher": "vigenere", "difficulty": "hard", "sentences": 1}),
    (
        "aq/Cipher-v0",
        {"cipher": "atbash", "threshold": 1.0, "instructions": False},
    ),
    ("aq/Mystery-v0", {"facts": 1, "split": "test"}),
    (
        "aq/ToolQuery-v0",
        {"world": "weather", "rename": True, "distractors": 6, "faults": 0.3},
    ),
    ("aq/ToolQuery-v0", {"world": "academia", "unanswerable": 1.0, "records": 60}),
    (
        "aq/ToolQuery-v0",
        {"world": "library", "parallel_calls": True, "split": "train"},
    ),
    (
        "aq/ToolOperation-v0",
        {"world": "sheet", "rename": True, "distractors": 6, "faults": 0.3},
    ),
    (
        "aq/ToolOperation-v0",
        {"world": "todo", "unanswerable": 1.0, "parallel_calls": True, "records": 60},
    ),
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
