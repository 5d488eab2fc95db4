"""Rough edges of the command line: near misses, own modules, files, output."""

import io
import json
import os
import re
import subprocess
import sys

import pytest
from scripted_server import ScriptedServer, answer, raw

from aq_gym.cli import main
from aq_gym.cli.output import make_console
from aq_gym.evaluation import load_run
from aq_gym.support.escaping import SafeStream


def aq_gym(*arguments, cwd, **environ):
    return subprocess.run(
        [sys.executable, "-m", "aq_gym", *map(str, arguments)],
        cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True,
        check=False, timeout=600,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("aq/Mastermind", "aq/Mastermind-v0"),
        ("mastermind", "aq/Mastermind-v0"),
        ("Mastermind-v0", "aq/Mastermind-v0"),
        ("aq/Sodoku-v0", "aq/Sudoku-v0"),
        ("FrozenLake", "FrozenLake-v1"),
    ],
)
def test_a_near_miss_is_answered_with_what_was_meant(tmp_path, capfd, named, meant):
    for command in (
        ["run", "--env", named, "--out", str(tmp_path / "out")],
        ["play", named],
        ["list", named],
    ):
        assert main(command) == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert re.fullmatch(rf"aq-gym: .*did you mean .*{meant}.*\n", err)


def test_the_help_of_a_run_ends_with_0(tmp_path):
    """It plays nothing, so it is no run that ended early."""
    done = aq_gym("run", "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--episodes" in done.stdout


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["replay", "none.jsonl"], "none.jsonl does not exist"),
        (["run", "--env", "aq/Mastermind-v0", "--out", "file/x"], "Not a directory"),
        (["run", "--env", "aq/Mastermind-v0", "--out", "/proc/x"], "/proc/x"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    capsys, tmp_path, monkeypatch, command, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert main(command) == 1
    err = capsys.readouterr().err
    assert message in err
    assert "Errno" not in err


def test_the_step_cap_is_named(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1234\n1234\n"))
    assert main(["play", "aq/Mastermind-v0?max_episode_steps=2"]) == 0
    assert "not solved after 2 steps, the step cap was" in capsys.readouterr().out


def test_a_run_grows(tmp_path, capsys):
    command = ["run", "--env", "aq/Mastermind-v0", "--max-steps", "3"]
    command += ["--out", str(tmp_path / "out")]
    assert main([*command, "--episodes", "2"]) == 0
    first = load_run(tmp_path / "out").episodes
    assert main([*command, "--episodes", "5"]) == 0
    grown = load_run(tmp_path / "out")
    assert grown.episodes[:2] == first
    assert len(grown.episodes) == 5
    assert grown.manifest["notes"]["tasks"] == 5
    capsys.readouterr()
    for other in (["--episodes", "2"], ["--episodes", "9", "--seed", "1"]):
        assert main([*command, *other]) == 1
        assert "holds another run" in capsys.readouterr().err


LAKE = """
import gymnasium as gym
from aq_gym.wrappers import SubgoalProgress

def make(**kwargs):
    env = gym.make("FrozenLake-v1", is_slippery=False, **kwargs)
    return SubgoalProgress(env, {"half": r"^8$", "goal": r"^15$"})

gym.register("lake/Lake-v0", "lakes:make", max_episode_steps=9)
"""


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["inline", "processes"])
def test_a_module_registers_environments(tmp_path, executor):
    (tmp_path / "lakes.py").write_text(LAKE)
    done = aq_gym(
        "run", "--env-module", "lakes", "--env", "lake/Lake-v0", "--episodes", 2,
        "--executor", executor, "--out", "out", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "lakes:lake/Lake-v0" in done.stdout
    assert aq_gym("list", "lakes:lake/Lake-v0", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_file_in_the_current_folder_replaces_no_package(tmp_path):
    # With "python -m", Gymnasium and numpy are imported before the command can tell
    # Python to leave the folder out.
    for name in ("rich", "minigrid", "jericho"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('stray file imported')")
    (tmp_path / "mine.py").write_text(
        "class Agent:\n    def __init__(self, env): pass\n"
        "    def reset(self, observation, info): pass\n"
        "    def act(self, observation, info): return 'help'\n"
    )
    run = ["run", "--env", "aq/Mastermind-v0", "--episodes", 1, "--max-steps", 2]
    for command in (
        ["list"],
        [*run, "--agent", "mine:Agent", "--out", "a"],
        ["compare", "a", "a"],
    ):
        done = aq_gym(*command, cwd=tmp_path)
        assert "stray" not in done.stdout + done.stderr
        assert done.returncode == 0, done.stderr


def test_arguments_of_a_model_can_be_in_a_file(tmp_path, capsys, monkeypatch):
    server = ScriptedServer(answer("Guess: 1234", "length"))
    (tmp_path / "model.json").write_text(
        json.dumps({"model": "m", "request": {"top_p": 0.5}, "max_tokens": 7})
    )
    (tmp_path / "counter_here.py").write_text("def count(messages):\n    return 9\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    command = [
        "run", "--env", "aq/Mastermind-v0", "--max-steps", "3", "--episodes", "1",
        "--agent", "llm", "--model-args", str(tmp_path / "model.json"),
        "--agent-arg", "max_tokens=9", "--agent-arg",
        "count_tokens=counter_here:count", "--base-url", server.url,
        "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "warning: 3 of 3 answers were cut at the longest length" in out
    assert load_run(tmp_path / "out").summary["warnings"]
    sent = server.requests[0]
    assert (sent["model"], sent["top_p"], sent["max_tokens"]) == ("m", 0.5, 9)
    (tmp_path / "model.json").write_text("[1]")
    assert main(command) == 1
    assert "must contain a JSON object" in capsys.readouterr().err
    server.close()


@pytest.mark.parametrize("agent", [[], ["--agent", "llm", "--model", "m"]])
def test_who_writes_text_is_refused_numbers(capsys, agent):
    assert main(["play", "FrozenLake-v1", *agent]) == 1
    message = "takes actions of Discrete(4), and the agent writes text: wrap it with aq"
    assert message in capsys.readouterr().err


def test_playing_against_a_broken_endpoint_is_one_line(capsys):
    server = ScriptedServer(raw(401, '{"error": "no"}'))
    arguments = ["--agent", "llm", "--model", "m", "--base-url", server.url]
    assert main(["play", "aq/Mastermind-v0", *arguments]) == 1
    err = capsys.readouterr().err
    assert err.startswith("aq-gym: status 401")
    assert err.count("\n") == 1
    server.close()


EVIL = "\x1b[2J\x1b]0;\x07\x9b\u202e\r\ud800\xfccode"


@pytest.mark.parametrize(
    ("command", "does"),
    [("run --out out --episodes 1 --env", "raise ValueError"), ("play", "return")],
)
@pytest.mark.slow
def test_what_no_terminal_may_get_is_escaped(tmp_path, command, does):
    """Controls, and what its encoding lacks."""
    (tmp_path / "evil.py").write_text(
        "class Agent:\n    def __init__(self, env): pass\n"
        "    def reset(self, observation, info): pass\n"
        f"    def act(self, observation, info): {does}({EVIL!r})\n"
    )
    done = aq_gym(
        *command.split(), "aq/Mastermind-v0", "--agent", "evil:Agent",
        cwd=tmp_path, PYTHONIOENCODING="ascii",
    )  # fmt: skip
    assert "\\x1b[2J" in done.stdout and "\\xfc" in done.stdout
    odd = [one for one in EVIL if not (one.isascii() and one.isprintable())]
    assert not [one for one in odd if one in done.stdout + done.stderr]


def test_styles_of_our_own_are_not_escaped(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", SafeStream(out))
    make_console().print("[bold red]ours[/] \x1b[2J")
    assert "\x1b[1;31mours" in out.getvalue()
    assert "\\x1b[2J" in out.getvalue()


@pytest.mark.slow
def test_terminal_controls_of_workers_are_escaped(tmp_path):
    (tmp_path / "evil.py").write_text(
        "class Agent:\n    def __init__(self, env): pass\n"
        "    def reset(self, observation, info): print('\\x1b[2J')\n"
        "    def act(self, observation, info): return 'help'\n"
    )
    done = aq_gym(
        "run", "--env", "aq/Mastermind-v0", "--episodes", 2, "--max-steps", 2,
        "--agent", "evil:Agent", "--executor", "processes", "--out", "out",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "\\x1b[2J" in done.stdout
    assert "\x1b" not in done.stdout


RUN = "run --env aq/Mastermind-v0 --episodes 6 --max-steps 20 --agent expert --out r"
METRIC = "def shortness(recorded):\n    return 1 / len(recorded.steps)\n"


@pytest.mark.slow
@pytest.mark.needs("unshare")
@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("export r --out o.jsonl --split train", "o.jsonl"),
        ("report r -o o.html", "o.html"),
        ("leaderboard r -o o.html", "o.html"),
        ("compact r", ""),
        ("score r --metric read_only_metric:shortness", ""),
        (RUN, ""),
    ],
    ids=lambda value: value.split(" ")[0],
)
def test_a_folder_that_is_read_only(tmp_path, monkeypatch, command, made):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "read_only_metric.py").write_text(METRIC)
    assert main(RUN.split()) == 0
    mount = "mount --bind r r && mount -o remount,bind,ro r || exit 99\n"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c",
         f'{mount} exec "{sys.executable}" -m aq_gym {command}'],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    if made:
        assert done.returncode == 0, done.stderr
        assert (tmp_path / made).stat().st_size
    else:
        assert done.returncode == 1
        assert "Read-only file system" in done.stderr
        assert "Traceback" not in done.stderr
