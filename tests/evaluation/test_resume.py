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
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


EPISODES = 40
# Of the five or six episodes that a process may play; an episode has at most 60.
LAST_ACTION = 300


def start(out, *more, last=0):
    """Begin the run in a process of its own, which stops before its last action."""
    command = [sys.executable, "-m", "aq_gym.cli", "run", "--env", "aq/Mastermind-v0"]
    command += ["--agent", "stopping_agent:Agent"]
    command += ["--episodes", str(EPISODES), "--out", str(out), *more]
    return subprocess.Popen(
        command,
        cwd=Path(__file__).parent,
        env={**os.environ, "AQ_GYM_TEST_LAST_ACTION": str(last)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for_rows(out, count, process):
    """Wait until the journal has so many lines."""
    while len(lines(out)) < count:
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.005)


def lines(out):
    journal = out / "episodes.jsonl"
    return journal.read_text().splitlines() if journal.exists() else []


def finish(out):
    """Run to the end."""
    process = start(out)
    _, errors = process.communicate(timeout=600)
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
    rng = random.Random(0)
    for _ in range(4):
        process = start(tmp_path, last=LAST_ACTION)
        wait_for_rows(tmp_path, len(lines(tmp_path)) + 1, process)
        time.sleep(rng.uniform(0.0, 0.04))
        process.send_signal(signal.SIGKILL)
        process.communicate()
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
    process = start(tmp_path, last=LAST_ACTION)
    wait_for_rows(tmp_path, 1, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert b"the same command continues the run" in errors
    assert b"Traceback" not in errors
    finish(tmp_path)
    assert contents(tmp_path) == uninterrupted


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes in /proc")
def test_workers_die_with_their_parent(tmp_path):
    process = start(tmp_path, "--workers", "2", last=LAST_ACTION)
    wait_for_rows(tmp_path, 1, process)
    workers = children(process.pid)
    assert workers
    process.send_signal(signal.SIGKILL)
    process.communicate()
    deadline = time.monotonic() + 120
    while any(map(is_alive, workers)):
        assert time.monotonic() < deadline, "a worker has outlived its parent"
        time.sleep(0.05)


def is_alive(pid):
    """Whether a process runs; one that nobody waits for stays as a zombie."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0] != b"Z"
    return False


def children(pid):
    """The processes that have this one as their parent."""
    found = []
    for status in glob.glob("/proc/[0-9]*/status"):
        with contextlib.suppress(OSError), open(status, "rb") as file:
            if f"PPid:\t{pid}\n".encode() in file.read():
                found.append(int(status.split("/")[2]))
    return found
