"""AgentBoard's protocol, on files of our own that have the form of AgentBoard's."""

import datetime
import json

import gymnasium as gym
import pytest

from aq_gym.envs.tooloperation.agentboard_table import (
    WorkbookError,
    read_workbook,
    shown,
)
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
TABLE = (("Name", "Hours", "Rate"), ("Ann", 3, 2.5), ("Bob", 5, 1), ("Cy", 4, 4))


def write_workbook(path):
    """Write a workbook whose column C shows two decimals; C1 has a note."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sheet1"
    for line in TABLE:
        sheet.append(line)
    for cell in sheet["C"]:
        cell.number_format = "#,##0.00"
    sheet["C1"].comment = openpyxl.comments.Comment("a note", "somebody")
    sheet.freeze_panes = "A2"
    book.save(path)


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
    for number, world in ((0, "todo"), (1, "todo"), (0, "sheet")):
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
    assert env.step('get_note(position="C1")')[0] == "a note"
    # The first row is frozen, so it is not sorted.
    env.step('sort_sheet_by_col(col_num=1, order="des")')
    assert env.step('get_cell_value(position="A2")')[0] == "Cy"


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


def test_a_workbook_is_read_with_formats_notes_and_what_is_merged(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([datetime.date(2030, 1, 2), 2.0, True, "=B1*2", "", "#N/A"])
    sheet.merge_cells("A3:B4")
    sheet["A3"], sheet["B1"].number_format = "merged", "0.0"
    book.create_sheet("Empty")
    book.save(tmp_path / "x.xlsx")
    tables = read_workbook(tmp_path / "x.xlsx")
    grid, formats, frozen = tables["Sheet"]
    row = {1: 47485, 2: 2, 3: True, 4: "=B1*2", 6: "#N/A"}
    assert grid.cells == {**{(1, c): v for c, v in row.items()}, (3, 1): "merged"}
    assert isinstance(grid.cells[1, 2], int) and formats[1, 2] == "0.0"
    assert [str(one) for one in grid.merged] == ["A3:B4"] and frozen == 0
    assert tables["Empty"].grid.cells == {}
    (tmp_path / "x.xlsx").write_bytes(b"no zip")
    with pytest.raises(WorkbookError, match="cannot be read as a workbook"):
        read_workbook(tmp_path / "x.xlsx")
