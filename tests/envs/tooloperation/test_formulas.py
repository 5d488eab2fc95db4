"""Formulas, and what happens to them when rows move."""

import pytest

from aq_gym.envs.tooloperation.logic.sheet.formulas import FormulaError, parse
from aq_gym.envs.tooloperation.logic.sheet.start import SheetData
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid
from aq_gym.tools import ToolError

CELLS = ((1, 2, "3"), (4, None, "x"), (2.5, True, "=A1+A2"))


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


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("1+2*3^2", 19),
        ("-2^2", 4),
        ("2^3^2", 64),
        ("(1+2)*3", 9),
        ("10/4", 2.5),
        ("50%*4", 2),
        ("0.1+0.2", 0.3),
        ("1/0", "#DIV/0!"),
        ("10^400", "#NUM!"),
        ('"a"&1&TRUE', "a1TRUE"),
        ('1="1"', False),
        ('"A"="a"', True),
        ("A1+C1", 4),
        ("A1+C2", "#VALUE!"),
        ("B2+1", 1),
        ("SUM(A1:C3)", 14.5),
        ("SUM(A1:A3,10)", 17.5),
        ("AVERAGE(A1:A3)", 2.5),
        ("AVERAGE(B2:B2)", "#DIV/0!"),
        ("COUNT(A1:C3)", 5),
        ("COUNTA(A1:C3)", 8),
        ("MAX(A1:A3)", 4),
        ("MEDIAN(A1:A3)", 2.5),
        ("PRODUCT(A1:A3)", 10),
        ("PRODUCT(C2:C2)", 0),
        ("ROUND(MEDIAN(C2:C2),0)", "#NUM!"),
        ('COUNTIF(A1:A3,">=2.5")', 2),
        ('SUMIF(A1:A3,">1",C1:C3)', 5),
        ("ROUND(2.675,2)", 2.68),
        ("ROUND(-2.5,0)", -3),
        ("ROUND(1234,-2)", 1200),
        ("MOD(-3,2)", 1),
        ("SQRT(-1)", "#NUM!"),
        ('IF(A1>0,"yes",1/0)', "yes"),
        ("IF(A1>5,1)", False),
        ("AND(A1,B3)", True),
        ("OR(FALSE,A1>9)", False),
        ("NOT(A1=1)", False),
        ("LEN(C2)", 1),
        ('CONCATENATE(A1,"-",C2)', "1-x"),
        ("NONE(1)", "#NAME?"),
        ("B!A2*2", 8),
        ("'B'!A2", 4),
        ("Nowhere!A1", "#REF!"),
        ("$A$1+a2", 5),
    ],
)
def test_values(formula, value):
    found = session().calculate("Data", formula)
    assert (str(found) if isinstance(value, str) else found) == value


@pytest.mark.parametrize(
    "formula",
    ["=", "=1+", "=(1", "=SUM(1", "=1 2", "=A0", "=x", '="a', "=A1:", "=" + "(" * 99],
)
def test_unreadable_formulas(formula):
    with pytest.raises(FormulaError):
        parse(formula)
    with pytest.raises(ToolError):
        session().set_cell("Data", "A1", formula)


def test_a_formula_follows_what_it_reads():
    one = session()
    one.set_cell("Data", "A1", 10)
    assert one.get_cell("Data", "C3") == {
        "value": 14,
        "formula": "=A1+A2",
        "note": "",
        "merged": "",
    }
    one.set_cell("B", "B2", "=SUM(Data!A1:A3)*2")
    one.insert_rows("Data", 2)
    assert one.get_cell("Data", "C4")["formula"] == "=A1+A3"
    assert one.get_cell("B", "B2")["formula"] == "=SUM(Data!A1:A4)*2"
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
    one.set_range("Data", "D1", [["=A1*2"], ["=A2*2"], ["=A3*2"]])
    one.set_cell("Data", "C3", None)
    one.sort_rows("Data", "A", "descending", first_row=1)
    assert [row[3] for row in one.get_values("Data")] == [8, 5, 2]


def test_formulas_that_read_too_much_are_refused():
    one = session()
    with pytest.raises(ToolError, match="2,000,000"):
        one.set_range("Data", "D1", [["=SUM(A1:C60000)"]] * 20)
    with pytest.raises(ToolError, match="at most"):
        one.set_cell("Data", "D1", "=SUM(A1:C200000)")


def test_a_number_with_an_exponent_is_not_an_address():
    one = session()
    one.set_cell("Data", "D1", "=1e3+A1")
    one.insert_columns("Data", "A")
    assert one.get_cell("Data", "E1")["formula"] == "=1e3+B1"


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
