"""A run that ends early is unfinished, signals end it, and it leaves no process.

Ctrl-C stops a run whose model does not answer, and the run can be continued.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, answer

HERE = Path(__file__).parent


def command(out, agent, *options):
    return [
        sys.executable, "-m", "aq_gym", "run", "--env", "aq/Mastermind-v0",
        "--agent", f"leaving_agents:{agent}", "--episodes", "2", "--max-steps", "3",
        "--out", str(out), "--quiet", *options,
    ]  # fmt: skip


def play(out, agent, *options, **how):
    return subprocess.run(
        command(out, agent, *options),
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=600,
        **how,
    )


def start(out, agent, *options, **how):
    """Start a run, and wait until its agents have had their first step.

    With the executor ray nothing of it is in the folder; a flag there tells it.
    """
    process = subprocess.Popen(
        command(out, agent, *options),
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )
    while steps(out) < 1 and not (out / "flag").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    return process


def steps(out):
    files = (Path(out) / "trajectories").glob("*.jsonl")
    return sum(file.read_text().count('"kind":"step"') for file in files)


def rows(out):
    return len((out / "episodes.jsonl").read_text().splitlines())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.parametrize(
    ("agent", "executor"),
    [("Exits", "inline"), ("Exits", "threads"), ("LeavesAnother", "inline")],
)
def test_a_run_that_ends_early_is_unfinished(tmp_path, agent, executor):
    flag = ("--agent-arg", f"flag={tmp_path / 'flag'}", "--executor", executor)
    out = tmp_path / "out"
    assert play(out, agent, *flag).returncode == 0
    assert rows(out) == 0
    assert not (out / "summary.json").exists()
    continued = play(out, agent, *flag)
    assert continued.returncode == 0, continued.stderr
    assert rows(out) == 2
    assert (out / "summary.json").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_an_agent_can_be_debugged(tmp_path):
    ended = play(tmp_path, "Debugs", input="p 6 * 7\nc\nc\n")
    assert ended.returncode == 0, ended.stderr
    assert "(Pdb) 42" in ended.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_signal_ends_the_run(tmp_path):
    mark = uuid.uuid4().hex
    process = start(tmp_path, "Waits", env={**os.environ, "AQ_GYM_TEST_MARK": mark})
    process.terminate()
    assert process.wait(120) == -signal.SIGTERM
    process.stderr.close()
    assert left(mark, 120) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_ctrl_c_of_a_whole_group_counts_once(tmp_path):
    process = start(tmp_path, "Waits", start_new_session=True)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(120) == 130
    assert "the same command continues the run" in process.stderr.read()
    process.stderr.close()
    assert (tmp_path / "summary.json").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.parametrize(
    ("agent", "executor"),
    [
        ("Computes", "inline"),
        ("Waits", "threads"),
        ("Waits", "processes"),
        ("Computes", "processes"),
        pytest.param("Waits", "ray", marks=pytest.mark.needs("module:ray")),
    ],
)
def test_nothing_survives_a_run_that_is_killed(tmp_path, agent, executor):
    mark = uuid.uuid4().hex
    environment = {**os.environ, "AQ_GYM_TEST_MARK": mark}
    options = ["--executor", executor]
    if executor == "ray":
        options += ["--agent-arg", f"flag={tmp_path / 'flag'}"]
    process = start(tmp_path, agent, *options, env=environment)
    assert left(mark, 0)
    process.kill()
    process.wait()
    process.stderr.close()
    assert left(mark, 120) == []


def left(mark, seconds):
    """The processes with a mark in their environment that are left after a while."""
    end = time.monotonic() + seconds
    while True:
        found = [name for name in processes() if has_mark(name, mark)]
        if not found or time.monotonic() >= end:
            return found
        time.sleep(0.05)


def processes():
    return [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]


def has_mark(name, mark):
    with contextlib.suppress(OSError):
        # Bytes, for the processes of others need not be UTF-8.
        dead = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[0]
        # Ray's own agents, which play nothing, may wait for its other daemons longer.
        command = Path(f"/proc/{name}/cmdline").read_bytes()
        if command.startswith((b"ray::DashboardAgent", b"ray::RuntimeEnvAgent")):
            return False
        environment = Path(f"/proc/{name}/environ").read_bytes()
        return dead != b"Z" and mark.encode() in environment
    return False


def model_command(url, out):
    return [
        sys.executable, "-m", "aq_gym", "run", "--env", "aq/Mastermind-v0",
        "--agent", "llm", "--model", "m", "--base-url", url, "--workers", "2",
        "--episodes", "3", "--max-steps", "2", "--out", out,
    ]  # fmt: skip


def silent(handler):
    """Take a call and say nothing for longer than the test may take."""
    time.sleep(600)


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
    process = subprocess.Popen(
        model_command(server.url, tmp_path), stderr=subprocess.PIPE, text=True
    )
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
    subprocess.run(model_command(server.url, tmp_path), check=True, env=os.environ)
    server.close()
    rows = (tmp_path / "episodes.jsonl").read_text().splitlines()
    assert len(rows) == 3
    assert not any(json.loads(row)["error"] for row in rows)
