"""Damaged runs: every command that reads them answers in words."""

import json
import os
import random
import shutil
import sys
from pathlib import Path

import pytest

from aq_gym.cli import main
from aq_gym.cli.main import COMMANDS
from aq_gym.report.live import LiveReport
from aq_gym.trajectory import jsonl

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "attacks"
HUGE = 10**400
LONG = {"$type": "int", "hex": "0x" + "f" * 5_000}
# One command for each way in which a run is read.
QUICK = ("report --latex", "export --to chat", "replay", "score", "rate --dry-run")


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


@pytest.fixture(params=["quick", pytest.param("all", marks=pytest.mark.slow)])
def damage(runs, monkeypatch, request):
    """Change the content of a file of the run, and return what the commands say."""
    fuzz_runs, folder = runs
    monkeypatch.chdir(folder)
    # Where the module of the metric is found.
    monkeypatch.setattr(sys, "path", [*sys.path])
    damaged = folder / "damaged"

    def damage(name, change):
        failures = []
        for command, arguments in fuzz_runs.commands(folder).items():
            if request.param == "quick" and command not in QUICK:
                continue
            if "figures" in command and name != "episodes.jsonl":
                # They take as long as ten others, and are of the rows.
                continue
            for place in (damaged, folder / "out"):
                shutil.rmtree(place, ignore_errors=True)
            (folder / "out").mkdir()
            shutil.copytree(folder / "plain", damaged)
            path = sorted(damaged.glob(name))[0]
            path.write_bytes(change(path.read_bytes()))
            problem = fuzz_runs.failure(folder, arguments)
            if problem:
                failures.append(f"{command}: {problem}")
        return failures

    return damage


def test_every_command_that_reads_a_run_is_called(runs):
    fuzz_runs, folder = runs
    called = {arguments[0] for arguments in fuzz_runs.commands(folder).values()}
    assert called | fuzz_runs.READ_NO_RUN == {*COMMANDS}
    assert not called & fuzz_runs.READ_NO_RUN


@pytest.mark.parametrize(
    ("command", "place", "noticed"),
    [
        ("report", "out", False),
        ("report", "damaged", True),
        ("score", "damaged", False),
        ("score", "other", True),
        ("run --from", "damaged", True),
        ("rate --dry-run", "damaged", True),
    ],
)
def test_what_is_written_elsewhere_is_noticed(
    runs, monkeypatch, command, place, noticed
):
    fuzz_runs, folder = runs
    (folder / place).mkdir(exist_ok=True)
    ways = {
        "opened": lambda path: path.touch(),
        "renamed": lambda path: path.rename(folder / place / "renamed"),
        "removed": lambda path: (folder / place / "renamed").unlink(),
        "linked": lambda path: path.symlink_to(folder / "out"),
        "gone": Path.unlink,
    }
    for write in ways.values():
        monkeypatch.setattr(
            fuzz_runs,
            "aq_gym_command",
            lambda arguments, write=write: write(folder / place / "new"),
        )
        problem = fuzz_runs.failure(folder, fuzz_runs.commands(folder)[command])
        assert ("wrote" in problem) is noticed


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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("repetitions", HUGE),
        ("repetitions", -1),
        ("distinct_locations", HUGE),
        ("distinct_observations", 1e308),
        ("progress", [HUGE]),
        ("progress_rate", 1e308),
        ("env", {}),
        ("usage", {"cost": HUGE}),
        ("unknown", 1),
        ("task", "../../other/trajectories/x"),
    ],
    ids=lambda value: f"{value!s:.20}",
)
def test_a_value_of_a_row(damage, key, value):
    assert not damage("episodes.jsonl", put(0, value, key))


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("reward",), HUGE),
        (("info",), {}),
        (("info", "progress"), HUGE),
        (("info", "best_progress"), None),
        (("info", "action_repeated"), []),
        (("notes",), "text"),
        (("notes",), {"prompt": [["x"]]}),
        (("notes",), {"prompt": [{"role": LONG, "content": LONG}]}),
        (("notes",), {"tool_calls": [{"id": LONG}], "tools": [LONG]}),
        (("info", "feedback"), [LONG]),
        (("notes",), {"tool_calls": [{"function": {"name": "a", "arguments": LONG}}]}),
        (("observation",), [1]),
        (("action",), {"$type": "opaque", "kind": "os:system"}),
        (("info", "subgoals"), [1]),
        (("info", "success"), LONG),
        (("reward",), LONG),
        (("t",), LONG),
    ],
    ids=lambda value: f"{value!s:.20}",
)
@pytest.mark.slow
def test_a_value_of_a_step(damage, keys, value):
    assert not damage("trajectories/*", put(1, value, *keys))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.json", '{"suite": {"name": [], "hash": 10}, "agent": "x"}'),
        ("run.json", "[" * 100_000),
        ("summary.json", '{"overall": 3}'),
        ("summary.json", '{"a": NaN, "a": "\\ud800\\u001b[2J"}'),
        ("episodes.jsonl", '{"task": ' + "9" * 5_000 + "}\n"),
        ("trajectories/*", "{" * 100_000),
        ("trajectories/*", ""),
    ],
    ids=lambda value: f"{value!s:.20}",
)
@pytest.mark.slow
def test_a_whole_file(damage, name, text):
    assert not damage(name, lambda data: text.encode())


@pytest.mark.slow
def test_random_damage(runs, monkeypatch):
    fuzz_runs, folder = runs
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    rng = random.Random(0)
    found = []
    for _ in range(25):
        found += fuzz_runs.fuzz(folder, rng, lambda run: fuzz_runs.mutate(rng, run))
    assert not found


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


@pytest.mark.parametrize("value", [[], None, "x", HUGE, LONG, {"a": 1}])
@pytest.mark.parametrize("key", ["progress", "best_progress", "repetitions", "success"])
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


@pytest.mark.parametrize("name", ["protocol", "prompts", "subgoals"])
@pytest.mark.parametrize("value", [5, "x", [], {"aq/Wordle-v0": 5}])
def test_damaged_notes_of_a_run(runs, tmp_path, name, value):
    run = shutil.copytree(runs[1] / "plain", tmp_path / "run")
    what = json.loads((run / "run.json").read_text())
    what["notes"][name] = value
    (run / "run.json").write_text(json.dumps(what))
    page = runs[1] / "out" / "r.html"
    assert not runs[0].failure(runs[1], ["report", str(run), "-o", str(page)])
