"""A run that is killed at any moment resumes as if nothing had happened."""

import contextlib
import glob
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

EPISODES = 40


def start(out, *more):
    """Begin the run in a process of its own."""
    command = [sys.executable, "-m", "aq_gym.cli", "run", "--env", "aq/Mastermind-v0"]
    command += ["--episodes", str(EPISODES), "--out", str(out), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(out):
    """Run to the end."""
    process = start(out)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()


def contents(out):
    rows = []
    for line in (out / "episodes.jsonl").read_text().splitlines():
        # A line torn by the kill is sealed, and no row.
        if line.endswith("}"):
            rows.append(json.loads(line))
    files = {f.name: f.read_bytes() for f in (out / "trajectories").iterdir()}
    return rows, files


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole")
    finish(out)
    return contents(out)


def test_kill_and_continue(tmp_path, uninterrupted):
    kills = 0
    rng = random.Random(0)
    while kills < 4:
        process = start(tmp_path)
        while not (tmp_path / "episodes.jsonl").exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.04))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    assert len(contents(tmp_path)[0]) < EPISODES, "it was never interrupted"
    finish(tmp_path)
    assert contents(tmp_path) == uninterrupted


def test_each_way_to_be_cut_short(tmp_path, uninterrupted):
    """Torn row, missing row, torn trajectory: all at once, as no kill would do it."""
    finish(tmp_path)
    journal = tmp_path / "episodes.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-3]) + lines[-3][:40])
    last = sorted((tmp_path / "trajectories").iterdir())[-1]
    whole = last.read_bytes()
    last.write_bytes(whole[: len(whole) // 2])

    finish(tmp_path)
    assert contents(tmp_path) == uninterrupted
    (aside,) = (tmp_path / "interrupted").iterdir()
    assert aside.name == f"001-{last.name}"
    assert aside.read_bytes() == whole[: len(whole) // 2]


def test_ctrl_c_says_how_to_continue(tmp_path, uninterrupted):
    process = start(tmp_path)
    while not (tmp_path / "episodes.jsonl").exists():
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    if process.returncode:
        assert process.returncode == 130
        assert b"the same command continues the run" in errors
        assert b"Traceback" not in errors
    finish(tmp_path)
    assert contents(tmp_path) == uninterrupted


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes in /proc")
def test_workers_die_with_their_parent(tmp_path):
    process = start(tmp_path, "--workers", "2", "--episodes", "2000")
    while not (tmp_path / "episodes.jsonl").exists() or not children(process.pid):
        time.sleep(0.05)
    workers = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    deadline = time.monotonic() + 30
    while any(os.path.isdir(f"/proc/{worker}") for worker in workers):
        assert time.monotonic() < deadline, "a worker has outlived its parent"
        time.sleep(0.05)


def children(pid):
    """The processes that have this one as their parent."""
    found = []
    for status in glob.glob("/proc/[0-9]*/status"):
        with contextlib.suppress(OSError), open(status) as file:
            if f"PPid:\t{pid}\n" in file.read():
                found.append(int(status.split("/")[2]))
    return found
