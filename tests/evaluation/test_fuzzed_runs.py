"""Damaged runs: every command that reads them answers in words."""

import json
import random
import shutil
import sys
from pathlib import Path

import pytest

from aq_gym.trajectory import jsonl

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
HUGE = 10**400


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import fuzz_runs
    finally:
        sys.path.remove(str(BENCHMARKS))
    folder = tmp_path_factory.mktemp("fuzzed")
    fuzz_runs.make_runs(folder)
    fuzz_runs.write_inputs(folder)
    return fuzz_runs, folder


@pytest.fixture
def damage(runs, monkeypatch):
    """Change the content of a file of the run, and return what the commands say."""
    fuzz_runs, folder = runs
    monkeypatch.chdir(folder)
    # Where the module of the metric is found.
    monkeypatch.setattr(sys, "path", [*sys.path])
    damaged = folder / "damaged"

    def damage(name, change):
        failures = []
        for command, arguments in fuzz_runs.commands(folder).items():
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
        (("observation",), [1]),
        (("action",), {"$type": "opaque", "kind": "os:system"}),
        (("info", "subgoals"), [1]),
        (("info", "success"), {"$type": "int", "hex": "0x" + "f" * 5_000}),
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


def test_a_step_that_is_damaged_is_named(damage, runs, capsys):
    fuzz_runs, folder = runs
    damage("trajectories/*", put(1, "x", "info", "progress"))
    shutil.rmtree(folder / "damaged")
    shutil.copytree(folder / "plain", folder / "damaged")
    (path, *_) = sorted((folder / "damaged" / "trajectories").iterdir())
    path.write_bytes(put(1, "x", "info", "progress")(path.read_bytes()))
    fuzz_runs.aq_gym_command(fuzz_runs.commands(folder)["export"])
    err = capsys.readouterr().err
    assert f"{path.name} is damaged: step 1: progress is 'x', and must be a fin" in err


@pytest.mark.slow
def test_random_damage(runs, monkeypatch):
    fuzz_runs, folder = runs
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    rng = random.Random(0)
    found = []
    for _ in range(40):
        found += fuzz_runs.fuzz(folder, rng, lambda run: fuzz_runs.mutate(rng, run))
    assert not found
