"""AgentBoard's protocol, on files of our own that have the form of AgentBoard's."""

import json
import zipfile

import gymnasium as gym
import pytest

from aq_gym.envs.tooloperation.agentboard_table import shown
from aq_gym.envs.tooloperation.agentboard_xlsx import WorkbookError, read_workbook
from aq_gym.testing import CHECKS, Case

PROJECTS = [
    {
        "name": "Moving",
        "tasks": [
            {
                "content": "Pack books",
                "description": "- Place: Attic",
                "due_date": "2030-02-03",
                "duration": 40,
                "duration_unit": "minute",
                "priority": 2,
            },
            {
                "content": "Sell chair",
                "description": "- Place: Hall",
                "due_date": "2030-02-01",
                "duration": 15,
                "duration_unit": "minute",
                "priority": 4,
            },
        ],
    }
]
CONTENT = """<?xml version="1.0"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
{rows}</sheetData>{merged}</worksheet>"""
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TABLE = (("Name", "Hours", "Rate"), ("Ann", 3, 2.5), ("Bob", 5, 1), ("Cy", 4, 4))


def sheet_xml(table, merged=""):
    lines = []
    for r, row in enumerate(table, start=1):
        cells = "".join(
            f'<c r="{"ABC"[c]}{r}" t="inlineStr"><is><t>{value}</t></is></c>'
            if isinstance(value, str)
            else f'<c r="{"ABC"[c]}{r}" s="{int(c == 2)}"><v>{value}</v></c>'
            for c, value in enumerate(row)
        )
        lines.append(f'<row r="{r}">{cells}</row>')
    return CONTENT.format(rows="".join(lines), merged=merged)


def write_workbook(path, **parts):
    """Write a workbook with one sheet, whose column C shows two decimals."""
    content = {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{LINKS}">'
        '<Relationship Id="rId1" Type="x" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="4"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": sheet_xml(TABLE),
        **parts,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)


def row(world, goal, subgoals, answer, goal_type=0):
    info = {
        "answer": answer,
        "init_config": {"current_date": "2030-02-02", "current_location": "Oslo"},
        "goal_type": goal_type,
        "tool": world,
    }
    return {
        "goal": goal,
        "subgoals": subgoals,
        "additional_info": info,
        "difficulty": "easy",
    }


SOLD = {"order": 2, "content": "Sell chair", "priority": 4, "due_date": "2030-02-01"}
STATUS = {
    "projects": [
        {"order": 1, "color": "charcoal", "name": "Moving", "is_favorite": False}
    ],
    "tasks": [
        {
            "order": 1,
            "content": "Pack books",
            "is_completed": False,
            "priority": 2,
            "due_date": "2030-02-03",
        }
    ],
}
GOLDEN = [
    ["Name", "Hours", "Rate"],
    ["Bob", "5", "1.00"],
    ["Cy", "4", "4.00"],
    ["Ann", "12.5", "2.50"],
]
PATH = (
    "Path: \n"
    "Action 1: update_cell_by_formula with Action Input: {'position_list': "
    "\"['B3', 'B4', 'B2']\", 'result_position': 'B2', 'operator': 'SUM'}\n"
    "Action 2: update_range with Action Input: {'start_position': 'B2', "
    "'end_position': 'B2', 'values_list': '[[12.5]]'}\n"
    "Action 3: sort_sheet_by_col with Action Input: {'col_num': '1', 'order': 'des'}\n"
    "Action 4: delete_batch_data with Action Input: {'dimension': 'row', "
    "'index_list': '[2]'}\n"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "projects.json").write_text(json.dumps(PROJECTS))
    write_workbook(tmp_path / "book.xlsx")
    golden = {"message": "Some words.", "task": SOLD}
    rows = [
        row("todo", "Complete Sell chair.", [golden, "done"], STATUS, 1),
        row("todo", "How long does Pack books take?", ["40(minute)"], STATUS),
        row("sheet", 'Sort "Sheet1".', PATH, json.dumps(GOLDEN)),
    ]
    lines = (json.dumps(one) for one in rows)
    (tmp_path / "test.jsonl").write_text("\n".join(lines))
    return tmp_path


def make(folder, world="todo"):
    return gym.make(
        "aq/ToolOperation-v0",
        world=world,
        protocol="agentboard",
        data_dir=str(folder),
    )


def begun(folder, number=0, world="todo"):
    env = make(folder, world)
    env.reset(options={"task_id": f"agentboard-{world}-{number}"})
    return env


CALL = "Action: {} with Action Input: {}"


def test_the_golden_calls_and_finish_solve_a_task(folder):
    env = begun(folder)
    _, reward, *_ = env.step(CALL.format("get_projects", "{}"))
    assert reward == 0.0
    *_, info = env.step(CALL.format("complete_task", '{"task_id": "2001002"}'))
    assert info["progress"] == 0.5
    *_, info = env.step(CALL.format("finish", '{"answer": "done"}'))
    assert info["success"] and info["agentboard_reward"] == 1.0


def test_the_expert_finds_the_golden_calls(folder):
    for number, world in ((0, "todo"), (1, "todo")):
        env, over = begun(folder, number, world), False
        while not over:
            *_, over, _, info = env.step(env.unwrapped.expert_action())
        assert info["success"]


def test_other_changes_prevent_success(folder):
    env = begun(folder)
    env.step('update_project(project_id="2001", is_favorite="True")')
    env.step('complete_task(task_id="2001002")')
    *_, over, _, info = env.step('finish(answer="done")')
    assert over and not info["success"]


def test_the_word_finish_in_any_action_ends_the_episode(folder):
    env = begun(folder)
    *_, over, _, info = env.step('get_tasks(project_id="finish")')
    assert over and not info["success"]
    assert not begun(folder).step("I will finish soon")[2]
    assert not begun(folder).step(CALL.format("finish", "{}"))[2]
    assert begun(folder).step(CALL.format("unfinished", "{}"))[2]


def test_equal_cells_in_the_common_part_count(folder):
    """AgentBoard's measure, which deleting rows can raise."""
    env = begun(folder, world="sheet")
    env.step('update_cell(position="A2", value="Bob")')
    before = env.unwrapped.progress()
    assert 0.0 < before < 1.0
    *_, info = env.step('delete_batch_data(dimension="row", index_list=[3])')
    assert info["progress"] >= before


def test_a_sheet_shows_what_the_service_would(folder):
    env = begun(folder, world="sheet")
    env.step(
        'update_cell_by_formula(start_position="C2", end_position="C4", '
        'result_position="B2", operator="SUM")'
    )
    assert env.step('get_cell_value(position="B2")')[0] == "7.50"
    env.step('insert_cols(values_list=[["New", 1]], col_idx=4)')
    assert env.step('get_cell_value(position="D2")')[0] == "1.00"
    env.step('merge_cells(start_position="A1", end_position="B1")')
    text = env.step('get_range_values(start_position="A1", end_position="B1")')[0]
    assert text == "[['Name', 'Name']]"
    assert env.step('filter_cells(query="Cy")')[0] == "['A4']"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (None, "", ""),
        (0.5, "", "0.5"),
        (1234.565, "#,##0.00", "1,234.57"),
        (-2, "0.0", "-2.0"),
        (2.5, "0", "3"),
        (7, "@", "7"),
        ("x", "0.0", "x"),
    ],
)
def test_number_formats(value, code, text):
    assert shown(value, code) == text


@pytest.mark.parametrize("world", ["todo", "sheet"])
@pytest.mark.parametrize("name", ["check_copies", "check_progress", "check_same_again"])
def test_contract(folder, name, world):
    (check,) = [one for one in CHECKS if one.__name__ == name]
    kwargs = {"world": world, "protocol": "agentboard", "data_dir": str(folder)}
    check(Case("aq/ToolOperation-v0", kwargs))


def test_files_that_are_missing_or_wrong(folder):
    with pytest.raises(FileNotFoundError, match="data_dir="):
        make(folder / "none").reset()
    (folder / "test.jsonl").write_text('{"goal": "x"}')
    with pytest.raises(ValueError, match="not as AgentBoard writes it"):
        make(folder).reset()
    (folder / "test.jsonl").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="is not JSON"):
        make(folder).reset()


def test_the_protocol_has_fixed_tasks(folder):
    with pytest.raises(ValueError, match="fixed tasks"):
        gym.make(
            "aq/ToolOperation-v0",
            protocol="agentboard",
            data_dir=str(folder),
            split="test",
        )


@pytest.mark.parametrize(
    "part",
    [
        "no xml",
        '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>',
        f'<worksheet xmlns="{MAIN}"><c r="A0"/></worksheet>',
        f'<worksheet xmlns="{MAIN}"><c r="A1" t="s"><v>9</v></c></worksheet>',
    ],
)
def test_damaged_workbooks_are_refused(tmp_path, part):
    path = tmp_path / "x.xlsx"
    write_workbook(path, **{"xl/worksheets/sheet1.xml": part})
    with pytest.raises(WorkbookError):
        read_workbook(path)
    path.write_text("not a zip")
    with pytest.raises(WorkbookError):
        read_workbook(path)
