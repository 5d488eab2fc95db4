"""The contract of every registered id, with some of their arguments."""

import pytest

from aq_gym.registration import TABLE
from aq_gym.testing import CHECKS, Case, check_gymnasium

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


def params():
    """Every check of each id and variant; of a family, which shares its code, one."""
    rows = {row.id: row for row in TABLE}
    for env_id, kwargs in [*((name, {}) for name in rows), *VARIANTS]:
        row = rows[env_id]
        case = Case(env_id, kwargs, row.expectations)
        marks = [pytest.mark.needs(*(f"module:{name}" for name in row.requires))]
        if kwargs or row.family:
            marks.append(pytest.mark.slow)
        for check in (check_gymnasium,) if row.family else CHECKS:
            name = check.__name__
            yield pytest.param(case, check, marks=marks, id=f"{case}-{name}")


@pytest.mark.parametrize(("case", "check"), [*params()])
def test_contract(case, check):
    check(case)
