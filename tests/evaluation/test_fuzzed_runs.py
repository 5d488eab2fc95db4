"""Damaged suites and runs: every command that reads them answers in words."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, compare, load_run, run, summarize
from aq_gym.report.live import LiveReport
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.reader import find

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "attacks"
HUGE = 10**400
LONG = {"$type": "int", "hex": "0x" + "f" * 5_000}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    environment = dict(os.environ)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import fuzz_runs
    finally:
        sys.path.remove(str(BENCHMARKS))
    # The module of the metric is compiled beside it.
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    folder = tmp_path_factory.mktemp("fuzzed")
    fuzz_runs.make_runs(folder)
    fuzz_runs.write_inputs(folder)
    yield fuzz_runs, folder
    fuzz_runs.tempfile.tempdir = None
    sys.dont_write_bytecode = compiles
    os.environ.clear()
    os.environ.update(environment)


def put(number, value, *keys):
    """Return a change of one value of a line, whose checksum is right again."""

    def change(data):
        lines = data.splitlines()
        record = json.loads(lines[number])
        record.pop("crc", None)
        owner = record
        for key in keys[:-1]:
            owner = owner[key]
        owner[keys[-1]] = value
        lines[number] = jsonl.with_checksum(json.dumps(record).encode())
        return b"\n".join([*lines, b""])

    return change


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize(
    "name", ["run.json", "summary.json", "episodes.jsonl", "trajectories/*"]
)
@pytest.mark.parametrize("kind", ["a pipe", "a folder", "a link to zeros"])
def test_what_is_no_file(runs, tmp_path, capsys, name, kind):
    import run_damages

    run = shutil.copytree(runs[1] / "plain", tmp_path / "run")
    path = sorted(run.glob(name))[0]
    path.unlink()
    run_damages.KINDS[kind](path)
    code = main(["export", str(run), "--out", str(tmp_path / "chat.jsonl")])
    assert code == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert path.name in err or "not a run" in err
    # It ends, too.
    assert main(["compact", str(run)]) in (0, 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [("progress", HUGE), ("best_progress", None), ("repetitions", {"a": 1}),
     ("success", LONG)],
    ids=["progress", "best_progress", "repetitions", "success"],
)  # fmt: skip
def test_a_damaged_episode_that_is_running(runs, tmp_path, key, value):
    run = shutil.copytree(runs[1] / "begun", tmp_path / "run")
    for path in (run / "trajectories").iterdir():
        path.write_bytes(put(1, value, "info", key)(path.read_bytes()))
    assert "<html" in LiveReport([run]).page()


def test_a_live_page_says_what_is_damaged(runs, tmp_path):
    run = shutil.copytree(runs[1] / "rated", tmp_path / "run")
    (run / "ratings.json").write_text('{"judges": 1}')
    rows = run / "episodes.jsonl"
    live = LiveReport([run])
    assert "ratings.json is damaged" in live.page()
    rows.unlink()
    rows.symlink_to(rows.name)
    live = LiveReport([runs[1] / "plain"])
    live._paths = [run]
    assert "a run cannot be read" in live.page()


@pytest.mark.parametrize("command", ["run", "compact", "score", "rate"])
@pytest.mark.parametrize(
    "name", ["episodes.jsonl", ".summary.json.part", ".lock", "trajectories/x.jsonl"]
)
def test_no_command_writes_through_a_link(
    runs, tmp_path, capsys, monkeypatch, command, name
):
    fuzz_runs, folder = runs
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    damaged = folder / "damaged"
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(
        folder / "rated" if command == "rate" else folder / "plain", damaged
    )
    (outside := tmp_path / "outside").write_text("precious\n")
    (damaged / name).unlink(missing_ok=True)
    (damaged / name).symlink_to(outside)
    try:
        assert main(fuzz_runs.commands(folder)[command]) == 1
    finally:
        (damaged / name).unlink()
    assert outside.read_text() == "precious\n"
    err = capsys.readouterr().err
    assert "is a link" in err or "outside" in err or "damaged" in err


@pytest.mark.parametrize("value", [5, "x", [], {"aq/Wordle-v0": 5}])
def test_damaged_notes_of_a_run(runs, tmp_path, value):
    run = shutil.copytree(runs[1] / "plain", tmp_path / "run")
    what = json.loads((run / "run.json").read_text())
    what["notes"] |= dict.fromkeys(("protocol", "prompts", "subgoals"), value)
    (run / "run.json").write_text(json.dumps(what))
    page = runs[1] / "out" / "r.html"
    assert not runs[0].failure(runs[1], ["report", str(run), "-o", str(page)])


SUITE = Suite(
    "two", tuple(Task("aq/Mastermind-v0", seed, max_steps=3) for seed in (0, 1))
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["name", "tasks", "include", "id", "seed", "seeds", "kwargs"]
            ),
            part,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(JSON)
@settings(max_examples=100)
def test_any_json_is_a_suite_or_refused(value):
    try:
        suite = Suite.from_json(json.dumps(value), "file")
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert suite.tasks


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package whose files a test writes."""
    folder = tmp_path / "some_suites"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop("some_suites", None)


def test_an_include_loop_is_refused(package):
    for name, other in ("ab", "ba"):
        record = {"name": "x", "include": [f"some_suites:{other}.json"]}
        (package / f"{name}.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match=r"some_suites:b.json includes itself"):
        Suite.load(package / "a.json")


@pytest.mark.parametrize(
    "include",
    ["aq_gym:/dev/zero", "aq_gym:../x.json", "aq_gym:a/../../x", "..:x"],
)
def test_an_include_names_a_file_of_a_package(include):
    text = json.dumps({"name": "x", "include": [include]})
    with pytest.raises(ValueError, match=r"is not a file of a package"):
        Suite.from_json(text, "file")


@pytest.mark.parametrize(
    "change",
    [
        {"usage": None}, {"env": None}, {"progress": [None]}, {"steps": "3"},
        {"grounding": "x"}, {"success": 1}, {"progress_rate": float("nan")},
        {"extra": 1}, {"scores": {"a": None}}, {"seed": True}, {"repeated": [0]},
        {"progress": []}, {"progress": [0.5] * 9}, {"repeated": [True]}, {"steps": 2},
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_row_is_named(tmp_path, capsys, change):
    run(SUITE, tmp_path)
    rows = jsonl.read(tmp_path / "episodes.jsonl").records
    rows[0] |= change
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "episodes.jsonl").write_text(text)
    with pytest.raises(ValueError, match=r"episodes\.jsonl is damaged"):
        load_run(tmp_path)
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert next(iter(change)) in err


def test_the_name_of_an_episode_does_not_lead_out_of_the_folder(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "x.jsonl").touch()
    for name in ("../x", str(tmp_path / "x")):
        with pytest.raises(FileNotFoundError):
            find(tmp_path / "inside", name)


@pytest.mark.parametrize(
    "text",
    ["[]", "5", "{", "", "null", '{"suite": 3}', '{"suite": {}}', "\xff", "[" * 10**5,
     '{"suite": {"name": "a", "hash": "b"}, "agent": 5}',
     '{"suite": {"name": "a", "hash": "b"}, "agent": "c", "notes": null}',
     '{"suite": {"name": "a", "hash": "b"}, "agent": "c", "agent_params": [1]}',
     '{"suite": {"name": "a", "hash": "b"}, "agent": "c", "versions": "1"}'],
)  # fmt: skip
def test_a_damaged_manifest_is_named(tmp_path, capsys, text):
    run(SUITE, tmp_path)
    (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"run\.json is damaged"):
        load_run(tmp_path)
    with pytest.raises(ValueError, match=r"run\.json is damaged|holds another run"):
        run(SUITE, tmp_path)
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("position", [5, 60, 400, -300, -30, None])
def test_a_damaged_trajectory_is_played_again(tmp_path, position):
    first = run(SUITE, tmp_path)
    file = next((tmp_path / "trajectories").glob("*00001.jsonl"))
    data = bytearray(file.read_bytes() if position else b"no trajectory")
    data[position or 0] ^= 4
    file.write_bytes(bytes(data))
    # As after a kill between the end of the episode and its row.
    rows = (tmp_path / "episodes.jsonl").read_text().splitlines()
    (tmp_path / "episodes.jsonl").write_text(f"{rows[0]}\n")
    again = run(SUITE, tmp_path)
    assert again == first
    assert (tmp_path / "interrupted" / f"001-{file.name}").read_bytes() == data


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    """A row of a finished run, and its folder."""
    folder = tmp_path_factory.mktemp("run")
    run(SUITE, folder)
    return jsonl.read(folder / "episodes.jsonl").records[0], folder


@given(data=st.data())
@settings(max_examples=100)
def test_any_row_is_read_or_refused(row, data):
    record, folder = row
    name = data.draw(st.sampled_from([*record, "other"]))
    record = {**record, name: data.draw(JSON)}
    (folder / "episodes.jsonl").write_text(json.dumps(record) + "\n")
    try:
        loaded = load_run(folder)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        summarize(loaded.episodes)
        if not all(episode.error for episode in loaded.episodes):
            compare(loaded.episodes, loaded.episodes)
