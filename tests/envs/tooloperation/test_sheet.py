"""The workbook: values of formulas as spreadsheets have them, rows that move."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.tooloperation.logic.sheet.functions import FUNCTIONS
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, SheetData
from aq_gym.tools import ToolError

CELLS = (
    (1, 2, "3", "red"),
    (4, None, "x", "Rose"),
    (2.5, True, "=A1+A2", "blue"),
    (-8.9, "=1/0", '=""', "r*"),
    (0, 0.1, 1000, "green"),
)
# Values for the cells above, from the documentation of Excel and LibreOffice.
EXPECTED = Path(__file__).with_name("formulas.txt").read_text("utf-8")


def session():
    cells = {
        (r, c): value
        for r, row in enumerate(CELLS, start=1)
        for c, value in enumerate(row, start=1)
        if value is not None
    }
    grid = Grid("Data", cells, {}, frozenset())
    return SheetSession(
        SheetData({"a": grid, "b": grid._replace(name="B")}, (dict, ()))
    )


def written(value):
    return str(value).upper() if isinstance(value, bool) else str(value)


def test_values():
    rows = [one for line in EXPECTED.splitlines() for one in line.split(" | ") if one]
    assert len(rows) > 200
    sheet, wrong = session(), {}
    for formula, _, value in (one.rpartition(" = ") for one in rows):
        found = written(sheet.calculate("Data", formula))
        if found != value.replace("1e300", "1e+300"):
            wrong[formula] = found
    assert wrong == {}
    used = {name for name in FUNCTIONS if f"{name}(" in EXPECTED}
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize(
    "formula",
    [
        *("=", "=1+", "=(1", "=SUM(1", "=1 2", "=A0", "=x", '="a', "=A1:", "=1e999"),
        "=" + "(" * 99,
    ],
)
def test_unreadable_formulas(formula):
    with pytest.raises(ToolError, match="The formula cannot be read"):
        session().set_cell("Data", "A1", formula)


PARTS = st.sampled_from(
    [
        *("1e308", "A1", "B4", "C4", "A9", "A1:D5", '"x*"', '"~"', '"<>"', "TRUE", "0"),
        *("+", "-", "*", "/", "^", "&", "=", "<", "%", "(", ")", ","),
        *(f"{name}(" for name in FUNCTIONS),
    ]
)


@given(st.lists(PARTS, max_size=12).map("".join))
def test_no_formula_makes_a_later_action_raise(formula):
    sheet = session()
    try:
        sheet.set_cell("Data", "E1", f"={formula}")
    except ToolError:
        return
    sheet.set_cell("Data", "F1", "=E1*1e308-INT(E1)")
    assert sheet.changes()
    assert sheet.get_values("Data")
    sheet.sort_rows("Data", "E", first_row=1)
    sheet.find_cells("Data", "1")


def test_a_criterion_with_many_stars_is_fast():
    sheet = session()
    sheet.set_cell("Data", "A1", "a" * 900)
    assert sheet.calculate("Data", f'COUNTIF(A1:A1,"{"*a" * 40}b")') == 0


def test_a_formula_follows_what_it_reads():
    one = session()
    one.set_cell("Data", "A1", 10)
    expected = {"value": 14, "formula": "=A1+A2", "note": "", "merged": ""}
    assert one.get_cell("Data", "C3") == expected
    one.set_cell("B", "B2", "=SUM(Data!A1:A3)*2")
    one.set_cell("B", "B3", '=SUMIF(Data!D1:D3,"r*",Data!A1)')
    one.insert_rows("Data", 2)
    assert one.get_cell("Data", "C4")["formula"] == "=A1+A3"
    assert one.get_cell("B", "B2")["formula"] == "=SUM(Data!A1:A4)*2"
    one.set_cell("Data", "A3", 5)
    # The third range of SUMIF has the shape of the first, which has grown.
    assert one.get_cell("B", "B3")["value"] == 15
    one.delete_rows("Data", [3])
    assert one.get_cell("Data", "C3")["formula"] == "=A1+#REF!"
    assert one.get_cell("Data", "C3")["value"] == "#REF!"
    assert one.get_cell("B", "B2")["value"] == 25
    one.rename_sheet("Data", "New name")
    assert one.get_cell("B", "B2")["formula"] == "=SUM('New name'!A1:A3)*2"


def test_circular_references_are_errors_in_any_order():
    for cells in (("A1", "A2", "A3"), ("A3", "A2", "A1")):
        one = session()
        contents = {"A1": "=A2+1", "A2": "=COUNT(A3)", "A3": "=A1"}
        for cell in cells:
            one.set_cell("Data", cell, contents[cell])
            one.changes()
        assert [one.get_cell("Data", cell)["value"] for cell in cells] == ["#REF!"] * 3
        one.set_cell("Data", "A3", 5)
        assert one.get_cell("Data", "A1")["value"] == 2


def test_a_long_chain_of_formulas_has_values():
    one = session()
    one.set_range("Data", "A1", [[1], *([f"=A{k}+1"] for k in range(1, 3_000))])
    assert one.get_cell("Data", "A3000")["value"] == 3_000


def test_sorting_moves_formulas_with_their_rows():
    one = session()
    one.set_range("Data", "F1", [[f"=A{k}*2"] for k in range(1, 6)])
    one.set_cell("Data", "C3", None)
    one.sort_rows("Data", "A", "descending", first_row=1)
    assert [row[5] for row in one.get_values("Data")] == [8, 5, 2, 0, -17.8]


def test_formulas_that_read_too_much_are_refused():
    one = session()
    with pytest.raises(ToolError, match="2,000,000"):
        one.set_range("Data", "F1", [["=SUM(A1:C60000)"]] * 20)
    with pytest.raises(ToolError, match="at most"):
        one.set_cell("Data", "F1", "=SUM(A1:C200000)")


def test_a_number_with_an_exponent_is_not_an_address():
    one = session()
    one.set_cell("Data", "F1", "=1e3+A1")
    one.insert_columns("Data", "A")
    assert one.get_cell("Data", "G1")["formula"] == "=1e3+B1"


def test_merged_cells_keep_the_first_value():
    one = session()
    one.merge_cells("Data", "A1:B2")
    assert one.get_values("Data", "A1:B2") == [[1, None], [None, None]]
    with pytest.raises(ToolError, match="merged"):
        one.set_cell("Data", "B2", 3)
    with pytest.raises(ToolError, match="cannot be sorted"):
        one.sort_rows("Data", "A", first_row=1)
    one.delete_columns("Data", ["A"])
    assert one.get_cell("Data", "A1")["merged"] == "A1:A2"
    one.unmerge_cells("Data", "A2")
    assert one.get_cell("Data", "A1")["merged"] == ""
