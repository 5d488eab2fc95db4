"""Ctrl-C stops a run whose model does not answer, and the run can be continued."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from scripted_server import ScriptedServer, answer


def command(url, out):
    return [
        sys.executable, "-m", "aq_gym.cli", "run", "--env", "aq/Mastermind-v0",
        "--agent", "llm", "--model", "m", "--base-url", url, "--workers", "2",
        "--episodes", "3", "--max-steps", "2", "--out", out,
    ]  # fmt: skip


def silent(handler):
    """Take a call and say nothing for longer than the test may take."""
    time.sleep(600)


def start(url, out):
    """Start a run and wait until two calls are out."""
    return subprocess.Popen(command(url, out), stderr=subprocess.PIPE, text=True)


def press_until_gone(process):
    """Press Ctrl-C; Python can miss one that comes just before it begins to wait."""
    for _ in range(100):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(1.5)
    raise AssertionError("it waits on")


@pytest.mark.slow
def test_ctrl_c_twice_does_not_wait_for_a_model(tmp_path):
    server = ScriptedServer(silent)
    process = start(server.url, tmp_path)
    while len(server.requests) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.stderr.readline()
    assert "Ctrl-C again exits at once" in process.stderr.readline()
    assert process.poll() is None
    assert press_until_gone(process) == 130
    process.stderr.close()
    server.script[:] = [answer("Guess: 1234")]
    subprocess.run(command(server.url, tmp_path), check=True, env=os.environ)
    server.close()
    rows = (tmp_path / "episodes.jsonl").read_text().splitlines()
    assert len(rows) == 3
    assert not any(json.loads(row)["error"] for row in rows)
