"""aq/ToolOperation-v0: episodes, progress, arguments."""

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.envs.tooloperation.logic.worlds import WORLDS
from aq_gym.tools import Call


def make(**kwargs):
    return gym.make("aq/ToolOperation-v0", **kwargs)


@pytest.mark.parametrize("world", WORLDS)
def test_finishing_at_once_earns_nothing(world):
    env = make(world=world)
    for answer in ("done", "unknown"):
        env.reset(seed=3)
        text, reward, over, _, info = env.step(f"finish(answer={answer!r})")
        assert over and reward == 0.0 and not info["success"]
        assert text.endswith("not done as asked.")


def near_the_end(env, **start):
    """Play the expert's calls until only finish is left."""
    _, info = env.reset(**start)
    while not env.unwrapped.expert_action().startswith("finish"):
        *_, info = env.step(env.unwrapped.expert_action())
    return info


def test_damage_lowers_progress_and_prevents_success():
    env = make(world="todo")
    before = near_the_end(env, seed=0)
    needed = len(env.unwrapped._game.task.wanted.target.changes)
    assert before["progress"] == pytest.approx(needed / (needed + 1))
    changed = {key[0] for key in env.unwrapped._game.task.wanted.target.changes}
    data = env.unwrapped.world.data
    other = next(
        one
        for keys in data.children.values()
        for one in keys
        if one not in changed and hasattr(data.records[one], "due_date")
    )
    *_, info = env.step(f"delete_task(task_id='{other}')")
    assert info["progress"] == pytest.approx((needed - 1) / (needed + 1))
    assert env.unwrapped.expert_action() is None
    assert "no way to success" in env.unwrapped.expert_gave_up()
    assert not env.step("finish()")[4]["success"]


@pytest.mark.parametrize("template", [t.name for t in WORLDS["sheet"].templates])
@pytest.mark.slow
def test_deleting_rows_and_columns_earns_nothing(template):
    """It earns something only where the task asks to delete these rows."""
    env = make(world="sheet")
    for number in range(3):
        task_id = f"sheet-{number}-{template}-7"
        try:
            env.reset(options={"task_id": task_id})
        except ValueError:
            continue
        task = env.unwrapped._game.task.wanted
        asked = [s.arguments for s in task.route if s.tool.startswith("delete_")]
        state = env.unwrapped.get_state()
        for sheet in ("Report", env.unwrapped.world.data["main"].name):
            for line in range(1, 14):
                calls = (
                    ("delete_rows", {"rows": [line]}),
                    ("delete_rows", {"rows": list(range(line, 14))}),
                    ("delete_columns", {"columns": ["ABCDEFGHIJKLMN"[line]]}),
                )
                for tool, lines in calls:
                    right = any(
                        set(*lines.values()) <= set(one.get(*lines, ()))
                        for one in asked
                    )
                    env.unwrapped.set_state(state)
                    call = env.unwrapped.write_call(tool, sheet=sheet, **lines)
                    *_, info = env.unwrapped.step(call)
                    assert right or info["progress"] == 0.0, (task_id, call)


def test_another_order_and_other_ids_reach_the_same_end_state():
    env = make(world="todo")
    task_id = "todo-1-new-project-2"
    env.reset(options={"task_id": task_id})
    route = [
        s for s in env.unwrapped._game.task.wanted.route if s.tool.startswith("add_")
    ]
    project, section, *tasks = route
    env.step(env.unwrapped.write_call(project.tool, **project.arguments))
    old = section.arguments["project_id"]
    # The tasks come first, so that the section gets the last id.
    inside = [one for one in tasks if "section_id" in one.arguments]
    for one in tasks:
        if one not in inside:
            env.step(env.unwrapped.write_call(one.tool, **one.arguments))
    answer = env.step(env.unwrapped.write_call(section.tool, **section.arguments))[0]
    new = answer.split('"')[3]
    assert new != inside[0].arguments["section_id"] and old
    for one in inside:
        arguments = {**one.arguments, "section_id": new}
        env.step(env.unwrapped.write_call(one.tool, **arguments))
    assert env.step("finish()")[4]["success"]


def test_the_expert_continues_where_the_agent_stopped():
    env = make(world="todo")
    for number in range(10):
        env.reset(options={"task_id": f"todo-{number}-favorites-1"})
        task = env.unwrapped._game.task.wanted
        first = next(s for s in task.route if s.tool == "update_project")
        env.step(env.unwrapped.write_call(first.tool, **first.arguments))
        over = False
        while not over:
            action = env.unwrapped.expert_action()
            *_, over, _, info = env.step(action)
        assert info["success"], task.text


@pytest.mark.parametrize(
    ("world", "calls"),
    [
        ("todo", ["add_task(project_id='{}', content='nothing')"]),
        ("todo", ["update_project(project_id='{}', name='X', favorite=True)"]),
        ("sheet", ["add_sheet(name='More')", "rename_sheet(sheet='{}', name='Less')"]),
        ("sheet", ["insert_rows(sheet='{}', row=2)", "delete_columns('{}', ['B'])"]),
        ("sheet", ["merge_cells('{}', 'A1:B3')", "set_note('{}', 'B2', 'nothing')"]),
    ],
)
def test_the_expert_undoes_what_can_be_undone(world, calls):
    env = make(world=world)
    for seed in range(8):
        env.reset(seed=seed)
        tool, key = ("find_projects", 0) if world == "todo" else ("list_sheets", -1)
        listed = getattr(env.unwrapped.world, tool)()[key]
        name = listed["project_id" if world == "todo" else "sheet"]
        for call in calls:
            assert env.step(call.format(name))[4]["action_valid"], call
        over = False
        while not over:
            *_, over, _, info = env.step(env.unwrapped.expert_action())
            assert info["action_valid"]
        assert info["success"], seed


def test_subgoals_are_grouped():
    env = make(world="sheet", records=100)
    info = near_the_end(env, options={"task_id": "sheet-5-sort-1"})
    assert len(info["subgoals"]) <= 21
    assert sum(info["subgoals"].values()) == len(info["subgoals"]) - 1


@pytest.mark.parametrize(
    ("argument", "value", "error"),
    [
        ("world", "mail", ValueError),
        ("records", 9, ValueError),
        ("records", 10_001, ValueError),
        ("unanswerable", 1.5, ValueError),
        ("difficulty", "medium", ValueError),
        ("list_actions", True, ValueError),
    ],
)
def test_arguments_are_checked(argument, value, error):
    with pytest.raises(error, match=argument):
        make(**{argument: value})


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.floats(allow_nan=False),
    st.text(max_size=6),
    st.sampled_from(
        ("A1", "A2:C9", "B", "Report", "main", "=SUM(A1:C9)", "=A1", "=B2/0", "=F1+1")
    ),
)


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_arguments_are_answered(world, data):
    """A call with odd arguments is carried out or refused, and never raises."""
    env = make(world=world).unwrapped
    env.reset(options={"task_id": f"{world}-1-{WORLDS[world].templates[0].name}-1"})
    main = env.world.data["main"].name if world == "sheet" else ""
    ids = [*env.world.data.records][:3] if world == "todo" else [main]
    for _ in range(8):
        tool = data.draw(st.sampled_from([t for t in env.tools if t.name != "finish"]))
        value = VALUES | st.sampled_from(ids) | st.lists(VALUES | st.lists(VALUES))
        arguments = {one.name: data.draw(value) for one in tool.parameters}
        if "sheet" in arguments and data.draw(st.booleans()):
            arguments["sheet"] = main
        before = env.get_state()
        result = env.tools.run(env.world, Call(tool.name, arguments))
        assert result.valid or env.get_state() == before, (tool.name, result)
        env.progress()
