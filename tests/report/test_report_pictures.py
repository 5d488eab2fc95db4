"""The pictures of the episodes' worlds in the report, and grids from observations."""

import json
import shutil
import sys
import threading
import urllib.error
import urllib.request

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_runs import BABYAI, MASTERMIND, SUDOKU, rewrite
from test_report_page import island, records

import aq_gym  # noqa: F401
from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.report import load_runs, write_report
from aq_gym.report.archive import Archive
from aq_gym.report.collect import Collector
from aq_gym.report.live import LiveReport
from aq_gym.report.pictures import drawn
from aq_gym.report.record import grid_of
from aq_gym.report.ui import UiServer

FOREIGN = "foreign_of_a_report"


def pictured(runs, path, **arguments):
    """Write a report, and return its data and the pictures by run and task."""
    text = write_report(runs, path, **arguments).read_text()
    data, chunks = island(text), records(text)
    columns = data["episodes"]
    named = zip(columns["run"], columns["task"], columns["pictures"], strict=True)
    return data, {
        (run, task): chunks[place[0]][place[1]] for run, task, place in named if place
    }


def test_the_pictures_are_those_of_a_replay_each_distinct_one_once(runs, tmp_path):
    data, shown = pictured(runs, tmp_path / "r.html")
    assert len(shown) == len(data["episodes"]["task"]) == 18
    assert data["unpictured"] == ""
    folders = dict(zip(data["runs"], runs, strict=True))
    for (run, task), found in shown.items():
        file = folders[run] / "trajectories" / f"{task}.jsonl"
        assert [found["svg"][n] for n in found["at"]] == trajectory.pictures(file)
        assert len(set(found["svg"])) == len(found["svg"])
        assert found["problem"] == ""
    assert any(len(found["svg"]) < len(found["at"]) for found in shown.values())


@pytest.mark.slow
def test_episodes_that_findings_name_come_first(runs, tmp_path):
    data, shown = pictured(runs, tmp_path / "r.html", pictures=3)
    assert len(shown) == 3
    assert data["unpictured"].startswith("The pictures of 3 of the 18 episodes are in")
    with Archive() as archive:
        loaded = load_runs(runs)
        collected = Collector().collect(loaded, archive)
        named = {
            (loaded[number].label, task)
            for (number, _), findings in collected.findings.items()
            for finding in findings
            for task, _ in finding.examples
        }
    assert set(shown) <= named
    assert pictured(runs, tmp_path / "r.html", pictures=0)[1] == {}
    assert len(pictured(runs, tmp_path / "r.html", pictures=None)[1]) == 18


def test_a_log_that_names_no_environment_has_no_pictures(copy):
    def change(record):
        if record["kind"] == "header":
            record.update(spec=None, spec_missing="A log of another framework.")

    rewrite(copy, change)
    assert drawn(copy, task_of(copy)) == {"svg": [], "at": [], "problem": ""}


@pytest.fixture
def copy(runs, tmp_path):
    return shutil.copytree(runs[0], tmp_path / "copy")


def task_of(run):
    return max((run / "trajectories").iterdir()).stem


def test_pictures_end_where_the_replay_differs(copy):
    def change(record):
        if record.get("t") == 3:
            record["observation"] = "Something else."

    whole = drawn(copy, task_of(copy))
    rewrite(copy, change)
    found = drawn(copy, task_of(copy))
    assert found["at"] == whole["at"][:3]
    assert found["problem"].startswith("No pictures after step 2: the replay there is")


def test_a_long_episode_is_drawn_to_a_step(copy, monkeypatch):
    monkeypatch.setattr("aq_gym.report.pictures._MOST_STEPS", 4)
    found = drawn(copy, task_of(copy))
    assert len(found["at"]) == 5
    assert found["problem"] == "No pictures after step 4: 4 steps are drawn."


def test_code_that_a_file_names_is_imported_only_with_trust(
    copy, tmp_path, monkeypatch, capsys
):
    def change(record):
        if record["kind"] == "header":
            record["spec"]["id"] = "Foreign-v0"
            record["spec"]["entry_point"] = f"{FOREIGN}:Env"

    rewrite(copy, change)
    (tmp_path / f"{FOREIGN}.py").write_text("class Env: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    _, shown = pictured([copy], tmp_path / "r.html")
    problems = {found["problem"] for found in shown.values()}
    assert all("'Foreign-v0', which is not registered here," in one for one in problems)
    assert all(one.endswith("aq-gym report --trust draws them.") for one in problems)
    assert FOREIGN not in sys.modules
    out = ["-o", str(tmp_path / "r.html")]
    assert main(["report", str(copy), "--trust", "--pictures", "1", *out]) == 0
    assert sys.modules.pop(FOREIGN)


@pytest.mark.parametrize("file", ["", "not a trajectory", "../run", "missing"])
def test_a_file_without_an_episode_gives_a_reason(copy, file):
    task = task_of(copy)
    (copy / "trajectories" / f"{task}.jsonl").write_text(file)
    for name in (task, file):
        found = drawn(copy, name)
        assert (found["svg"], found["at"]) == ([], [])
        assert found["problem"].startswith("No pictures: ")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "count"), [("none", 0), ("2", 2), ("all", 9)])
def test_the_command_draws_so_many(runs, tmp_path, text, count):
    out = tmp_path / "r.html"
    assert main(["report", str(runs[0]), "--pictures", text, "-o", str(out)]) == 0
    places = island(out.read_text())["episodes"]["pictures"]
    assert sum(place is not None for place in places) == count


def test_the_command_refuses_another_number(runs, capsys):
    with pytest.raises(SystemExit):
        main(["report", str(runs[0]), "--pictures", "some"])
    assert "'some' must be a whole number of at least 0" in capsys.readouterr().err


def test_a_server_draws_what_is_asked_for(runs):
    server = UiServer(runs[0].parent, "a-token", opened=runs)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def get(path):
        address = f"http://127.0.0.1:{server.server_port}/a-token/{path}"
        try:
            with urllib.request.urlopen(address) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code

    task = task_of(runs[1])
    try:
        assert get(f"{server.first}pictures/1/{task}") == drawn(runs[1], task)
        for path in ("2/" + task, "-1/" + task, "x/" + task, "0/", "0/..%2F" + task):
            assert get(f"{server.first}pictures/{path}") == 404
    finally:
        server.shutdown()
        server.server_close()
    assert "pictures" not in island(LiveReport(runs).page())["episodes"]


GAME_2048 = "aq/2048-v0"


@pytest.mark.parametrize("box", [2, 3])
def test_sudoku_is_its_board(box):
    env = gym.make(SUDOKU, box=box)
    observation, _ = env.reset(seed=1)
    rows = grid_of(SUDOKU)(observation)
    cells = env.unwrapped.get_state().world[2]
    assert ["".join(cell or "." for cell in row) for row in rows] == [
        cells[n : n + box**2] for n in range(0, box**4, box**2)
    ]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_2048_is_its_board_at_reset_and_after_every_move(size):
    env = gym.make(GAME_2048, size=size, goal=64)
    observation, _ = env.reset(seed=1)
    for move in ("left", "up", "right", "down", "help", "nothing") * 4:
        rows = grid_of(GAME_2048)(observation)
        if "cannot move" in observation or "is not a move" in observation:
            assert rows is None
        else:
            drawn = [[int(cell or 0) for cell in row] for row in rows]
            board = env.unwrapped.get_state().world[0]
            assert drawn == [[1 << n if n else 0 for n in row] for row in board]
        observation = env.step(move)[0]


@pytest.mark.parametrize("obs_format", ["agentboard", "balrog"])
def test_babyai_shows_every_object_that_the_text_names(obs_format):
    env = gym.make(BABYAI, obs_format=obs_format)
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        shown = [cell for row in grid_of(BABYAI)(observation) for cell in row]
        told = observation.partition("Your mission: ")[2].partition("\n")[2]
        for kind in ("key", "ball"):
            assert sum(kind in cell for cell in shown) == told.count(f"{kind} ")


@given(st.text())
def test_any_text_is_read_without_an_error(text):
    for env in (SUDOKU, BABYAI, GAME_2048, MASTERMIND):
        assert grid_of(env)(text) is None


def test_a_name_that_is_not_registered_imports_nothing(tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert grid_of("trap:Trap-v0")("text") is None


def test_an_engine_that_is_not_there_is_done_without(monkeypatch):
    spec = gym.envs.registration.EnvSpec("mine/Gone-v0", "not_installed:Env")
    monkeypatch.setitem(gym.registry, "mine/Gone-v0", spec)
    assert grid_of("mine/Gone-v0")("text") is None


class _Wrong:
    @staticmethod
    def grid(observation):
        return [[1, 2]]


def test_a_grid_of_something_else_is_a_mistake(monkeypatch):
    spec = gym.envs.registration.EnvSpec("mine/Wrong-v0", _Wrong)
    monkeypatch.setitem(gym.registry, "mine/Wrong-v0", spec)
    with pytest.raises(TypeError, match="must return a list of lists of str"):
        grid_of("mine/Wrong-v0")("text")
