"""Damaged suites and runs: every command that reads them answers in words."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from aq_gym.cli import main
from aq_gym.evaluation import (
    Suite,
    Task,
    compact,
    load_run,
    run,
    score,
)
from aq_gym.ratings.episodes import load_episodes
from aq_gym.report.folder import listed_runs
from aq_gym.report.live import LiveReport
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.reader import find

HUGE = 10**400
LONG = {"$type": "int", "hex": "0x" + "f" * 5_000}
SUITE = Suite(
    "two", tuple(Task("aq/Mastermind-v0", seed, max_steps=3) for seed in (0, 1))
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played")
    run(SUITE, folder)
    return folder


@pytest.fixture
def copied(played, tmp_path):
    """A copy of a finished run."""
    return Path(shutil.copytree(played, tmp_path / "run"))


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
@pytest.mark.parametrize(
    "make",
    [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")],
    ids=["a folder", "a pipe", "a link to zeros"],
)
def test_what_is_no_file(copied, tmp_path, capsys, name, make):
    path = sorted(copied.glob(name))[0]
    path.unlink()
    make(path)
    command = ["export", str(copied), "--out", str(tmp_path / "chat.jsonl")]
    assert main(command) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert path.name in err or "not a run" in err
    # It ends, too.
    assert main(["compact", str(copied)]) in (0, 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [("progress", HUGE), ("best_progress", None), ("repetitions", {"a": 1}),
     ("success", LONG)],
    ids=["progress", "best_progress", "repetitions", "success"],
)  # fmt: skip
def test_a_damaged_episode_that_is_running(copied, key, value):
    (copied / "summary.json").unlink()
    (copied / "episodes.jsonl").write_text("")
    for path in (copied / "trajectories").iterdir():
        path.write_bytes(put(1, value, "info", key)(path.read_bytes()))
    assert "<html" in LiveReport([copied]).page()


def test_a_live_page_says_what_is_damaged(played, copied):
    (copied / "ratings.json").write_text('{"judges": 1}')
    rows = copied / "episodes.jsonl"
    assert "ratings.json is damaged" in LiveReport([copied]).page()
    live = LiveReport([copied])
    rows.unlink()
    rows.symlink_to(rows.name)
    assert "a run cannot be read" in live.page()


def length(recorded):
    return len(recorded.steps)


@pytest.mark.parametrize(
    "write",
    [
        compact,
        lambda folder: score(folder, [length]),
        lambda folder: run(SUITE, folder),
    ],
    ids=["compact", "score", "run"],
)
@pytest.mark.parametrize(
    "name", ["episodes.jsonl", ".summary.json.part", ".lock", "trajectories/x.jsonl"]
)
def test_nothing_is_written_through_a_link(copied, tmp_path, write, name):
    (outside := tmp_path / "outside").write_text("precious\n")
    (copied / name).unlink(missing_ok=True)
    (copied / name).symlink_to(outside)
    with pytest.raises((ValueError, OSError), match=r"is a link|outside|damaged"):
        write(copied)
    assert outside.read_text() == "precious\n"


@pytest.mark.parametrize("value", [5, "x", [], {"aq/Wordle-v0": 5}])
def test_damaged_notes_of_a_run(copied, tmp_path, value):
    what = json.loads((copied / "run.json").read_text())
    what["notes"] |= dict.fromkeys(("protocol", "prompts", "subgoals"), value)
    (copied / "run.json").write_text(json.dumps(what))
    assert main(["report", str(copied), "-o", str(tmp_path / "r.html")]) in (0, 1)


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
def test_a_damaged_row_is_named_and_left_out(copied, change):
    rows = jsonl.read(copied / "episodes.jsonl").records
    rows[0] |= change
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (copied / "episodes.jsonl").write_text(text)
    with pytest.warns(UserWarning, match=f"jsonl, line 1: .*{next(iter(change))}"):
        loaded = load_run(copied)
    assert [one.task for one in loaded.episodes] == [rows[1]["task"]]


@pytest.fixture
def damaged(copied):
    """A run whose second row has a flipped bit."""
    file = copied / "episodes.jsonl"
    row = bytearray(file.read_bytes())
    row[-30] ^= 1
    file.write_bytes(bytes(row))
    return copied


NOTE = "1 damaged row is left out"


@pytest.mark.parametrize(
    "arguments",
    ["report {} -o {out}", "report {} --markdown", "report {} --latex",
     "leaderboard {} -o {out}", "compare {} {}"],
)  # fmt: skip
def test_every_table_says_that_a_damaged_row_is_left_out(
    damaged, tmp_path, capsys, arguments
):
    out = tmp_path / "page.html"
    with pytest.warns(UserWarning, match=f"{NOTE}; .*, line 2: it has a wrong"):
        assert main(arguments.format(damaged, damaged, out=out).split()) == 0
    shown = out.read_text() if out.exists() else capsys.readouterr().out
    assert NOTE in shown


@pytest.mark.filterwarnings(f"default:.*{NOTE}:UserWarning")
def test_other_readers_leave_a_damaged_row_out(damaged, tmp_path, capfd):
    assert NOTE in LiveReport([damaged]).page()
    (listed,) = listed_runs(damaged.parent)
    assert NOTE in listed.status
    assert NOTE in load_episodes(damaged)[1][0]
    summary = (damaged / "summary.json").read_bytes()
    score(damaged, [length])
    # It is of all rows.
    assert (damaged / "summary.json").read_bytes() == summary
    with pytest.raises(ValueError, match="is not finished: it has 1 of 2"):
        compact(damaged)
    command = ["export", str(damaged), "--out", str(tmp_path / "chat.jsonl")]
    done = subprocess.run(
        [sys.executable, "-m", "aq_gym", *command], capture_output=True, text=True
    )
    assert "1 episode of split" in done.stdout
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"aq-gym: {damaged}: {NOTE}; ")


def test_an_episode_with_a_damaged_trajectory_is_named_and_left_out(copied, tmp_path):
    file = min((copied / "trajectories").iterdir())
    file.write_bytes(file.read_bytes().replace(b'"action"', b'"bction"', 1))
    out = tmp_path / "chat.jsonl"
    with pytest.warns(UserWarning, match=f"{file.name} is not complete: line 2 is"):
        assert main(["export", str(copied), "--out", str(out)]) == 0
    assert len(jsonl.read(out).records) == 1
    with pytest.warns(
        UserWarning, match=r"line 2 is damaged\. Its episode is left out"
    ):
        score(copied, [length])
    scored = [one.scores for one in load_run(copied).episodes]
    assert scored == [{}, {"length": 3.0}]
    assert load_episodes(copied)[1] == [file.stem]


def test_a_run_restores_a_damaged_row(played, damaged):
    with pytest.warns(UserWarning, match=NOTE):
        run(SUITE, damaged)
    assert load_run(damaged) == replace(load_run(played), path=damaged)
    assert len((damaged / "interrupted" / "episodes.jsonl").read_bytes()) > 400


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
def test_a_damaged_manifest_is_named(copied, capsys, text):
    (copied / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"run\.json is damaged"):
        load_run(copied)
    with pytest.raises(ValueError, match=r"run\.json is damaged|holds another run"):
        run(SUITE, copied)
    assert main(["compare", str(copied), str(copied)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("position", [5, 60, 400, -300, -30, None])
def test_a_damaged_trajectory_is_played_again(copied, position):
    first = load_run(copied).episodes
    file = next((copied / "trajectories").glob("*00001.jsonl"))
    data = bytearray(file.read_bytes() if position else b"no trajectory")
    data[position or 0] ^= 4
    file.write_bytes(bytes(data))
    # As after a kill between the end of the episode and its row.
    rows = (copied / "episodes.jsonl").read_text().splitlines()
    (copied / "episodes.jsonl").write_text(f"{rows[0]}\n")
    again = run(SUITE, copied)
    assert again == first
    assert (copied / "interrupted" / f"001-{file.name}").read_bytes() == data
