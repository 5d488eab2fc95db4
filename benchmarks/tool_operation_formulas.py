r"""Do our formulas have the values that the package ``formulas`` computes?

python -m venv judge
judge/bin/pip install formulas openpyxl
python benchmarks/tool_operation_formulas.py --python judge/bin/python

Random formulas over a table of numbers, texts and blank cells are computed here and in
a workbook that ``formulas`` reads, in an interpreter of its own. Formulas about whose
value spreadsheets differ are not drawn: texts as numbers, and powers of powers.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

TABLE: list[list[Any]] = [
    [3, 10, "red", 0.5],
    [-4, None, "blue", 2.25],
    [7, 12, "red", None],
    [1.5, -6, "green", 8],
    [9, 3, "blue", 0.125],
]
NUMBERS = ("A1:A5", "A1:B5", "D1:D5", "B2:B4", "A2:D4", "C1:C5")
OVER = ("SUM", "AVERAGE", "MAX", "MIN", "COUNT", "COUNTA", "PRODUCT", "MEDIAN")
ONE = ("ABS", "INT", "SQRT", "NOT")
SIGNS = ("+", "-", "*", "/", "^")
COMPARED = ("=", "<>", "<", ">", "<=", ">=")


def number(rng: random.Random, depth: int) -> str:
    """Draw a formula whose value is a number or an error."""
    kind = rng.randrange(9 if depth else 2)
    if kind == 0:
        return rng.choice(("2", "0.5", "3", "10", "0"))
    if kind == 1:
        return rng.choice("ABD") + str(rng.randint(1, 5))
    if kind == 2:
        left, right = number(rng, depth - 1), number(rng, depth - 1)
        sign = rng.choice(SIGNS)
        return f"({left}){sign}(2)" if sign == "^" else f"({left}{sign}{right})"
    if kind == 3:
        return f"{rng.choice(OVER)}({rng.choice(NUMBERS)})"
    if kind == 4:
        return f"{rng.choice(ONE[:3])}({number(rng, depth - 1)})"
    if kind == 5:
        return f"ROUND({number(rng, depth - 1)},{rng.randint(0, 3)})"
    if kind == 7:
        # Without parentheses, for the precedence of operators.
        parts = (f"{rng.choice(SIGNS[:4])}{number(rng, 0)}" for _ in range(4))
        return f"-{number(rng, 0)}{''.join(parts)}^2"
    if kind == 6:
        return f"IF({truth(rng, depth - 1)},{number(rng, 0)},{number(rng, 0)})"
    test = rng.choice(('"red"', '"<>blue"', '"green"'))
    if rng.random() < 0.5:
        return f"COUNTIF(C1:C5,{test})"
    return f"SUMIF(C1:C5,{test},A1:A5)"


def truth(rng: random.Random, depth: int) -> str:
    """Draw a formula whose value is a boolean or an error."""
    compared = f"{number(rng, 0)}{rng.choice(COMPARED)}{number(rng, 0)}"
    if depth <= 0:
        return compared
    other = truth(rng, depth - 1)
    return rng.choice(
        (compared, f"AND({compared},{other})", f"OR({compared},{other})",
         f"NOT({other})")
    )  # fmt: skip


def text(rng: random.Random) -> str:
    """Draw a formula whose value is a text or its length."""
    cell = f"C{rng.randint(1, 5)}"
    return rng.choice(
        (f'{cell}&"-"&A3', f'CONCATENATE({cell},"x",A1)', f"LEN({cell})",
         f"MOD({number(rng, 0)},{rng.choice('234')})", f'{cell}="RED"')
    )  # fmt: skip


def judged(formulas: list[str]) -> list[Any]:
    """Return the values that ``formulas`` computes; runs in its own interpreter."""
    judge, openpyxl = import_module("formulas"), import_module("openpyxl")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.xlsx"
        book = openpyxl.Workbook()
        sheet = book.active
        for row in TABLE:
            sheet.append(row)
        for k, formula in enumerate(formulas, start=1):
            sheet.cell(k, 10).value = formula
        book.save(path)
        solved = judge.ExcelModel().loads(str(path)).finish().calculate()
    found = []
    for k in range(1, len(formulas) + 1):
        value = solved[f"'[book.xlsx]SHEET'!J{k}"].value[0, 0]
        value = value.item() if hasattr(value, "item") else value
        found.append(value if isinstance(value, (bool, int, float)) else str(value))
    return found


def ours(formulas: list[str]) -> list[Any]:
    """Return the values that our workbook shows."""
    from aq_gym.envs.tooloperation.logic.sheet.start import SheetData
    from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
    from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid

    cells = {
        (r, c): value
        for r, row in enumerate(TABLE, start=1)
        for c, value in enumerate(row, start=1)
        if value is not None
    }
    session = SheetSession(
        SheetData({"a": Grid("S", cells, {}, frozenset())}, (dict, ()))
    )
    session.set_range("S", "J1", [[formula] for formula in formulas])
    return [row[0] for row in session.get_values("S", f"J1:J{len(formulas)}")]


def agree(one: Any, other: Any) -> bool:
    """Return whether two values are equal, numbers to nine digits."""
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    if numbers:
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return str(one) == str(other)


def main() -> None:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", help="the interpreter that has formulas")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.python is None:
        json.dump(judged(json.load(sys.stdin)), sys.stdout)
        return
    rng = random.Random(options.seed)
    draws = (lambda: number(rng, 3), lambda: truth(rng, 2), lambda: text(rng))
    formulas = [f"={draws[k % 3]()}" for k in range(options.count)]
    done = subprocess.run(
        [options.python, "-W", "ignore", __file__],
        input=json.dumps(formulas),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs, own = json.loads(done.stdout.splitlines()[-1]), ours(formulas)
    rows = list(zip(formulas, own, theirs, strict=True))
    for formula, one, other in rows:
        if not agree(one, other):
            print(f"{formula}: {one!r}, formulas has {other!r}")
    errors = sum(isinstance(one, str) and one[:1] == "#" for one in own)
    equal = sum(agree(one, other) for _, one, other in rows)
    print(f"{equal} of {len(rows)} equal, {errors} of them errors")


if __name__ == "__main__":
    main()
