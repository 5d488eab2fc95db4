"""What the page on verifiers shows works, without a network."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")
from verifiers.v1.cli import validate
from verifiers.v1.cli.eval import main as command

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = (Path(__file__).parents[3] / "docs" / "verifiers.md").read_text()
ENDPOINT = "http://localhost:8000/v1"


def snippets(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


# What the command line and its processes must not reach.
OFFLINE = """
import socket
connect = socket.socket.connect

def local_only(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] != "127.0.0.1":
        raise OSError(f"no network: {address}")
    return connect(self, address)

socket.socket.connect = local_only
"""


def results(folder):
    (file,) = folder.glob("outputs/*/traces.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_the_command_of_the_page_works_offline(server, tmp_path):
    line = snippets("bash")[0].strip().replace(ENDPOINT, server.url)
    line += " --env.agent.max-turns 5"
    (tmp_path / "sitecustomize.py").write_text(OFFLINE)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {"PATH": path, "HOME": str(tmp_path / "home"), "TERM": "dumb"}
    environ |= {"PYTHONPATH": str(tmp_path), "PRIME_API_KEY": "secret-7"}
    done = subprocess.run(
        line, shell=True, cwd=tmp_path, env=environ, text=True, check=False,
        capture_output=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = results(tmp_path)
    assert [one["ok"] for one in written] == [True, True]
    assert all(one["traces"][0]["metrics"]["success"] == 0.0 for one in written)
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in kept if b"secret-7" in file.read_bytes()]
    assert "secret-7" not in done.stdout + done.stderr


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """A folder of its own, and the handlers of signals as they were."""
    monkeypatch.chdir(tmp_path)
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield tmp_path
    for one, handler in handlers.items():
        signal.signal(one, handler)


def test_the_environment_of_the_page_is_played(server, in_folder):
    words = snippets("bash")[1].replace(ENDPOINT, server.url).replace('"', "").split()
    command.main([*words[1:], "--no-rich"])
    written = results(in_folder)
    assert [one["traces"][0]["rewards"]["success"]["score"] for one in written] == [
        0,
        0,
    ]
    assert len(list(in_folder.glob("trajectories/*/*.jsonl"))) == 2
    assert "Thought:" in json.dumps(server.requests[0]["messages"])


def test_the_tasks_of_the_page_are_valid(in_folder):
    words = snippets("bash")[2].replace("quick", "one.json").split()
    rows = [
        {"id": "aq/Mastermind-v0", "seeds": [0]},
        # No game is won in one step.
        {"id": "aq/Hangman-v0", "seeds": [0], "max_steps": 1},
    ]
    Path("one.json").write_text(json.dumps({"name": "one", "tasks": rows}))
    validate.main([*words[1:], "--rich", "False"])
    (summary,) = in_folder.glob("outputs/*/summary.json")
    checks = json.loads(summary.read_text())["checks"]
    assert (checks["gold"]["valid"], checks["gold"]["unchecked"]) == (1, 1)
    assert checks["noop"]["valid"] == 2


def test_the_code_of_the_page_runs(server, capsys):
    code = snippets("{code-block} python")[0]
    exec(code.replace(ENDPOINT, server.url), {"__name__": "snippet"})
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_curriculum_of_the_page(server):
    (code,) = re.findall(
        r"^```{code-block} python\n:class: curriculum\n(.*?)^```$", PAGE, re.M | re.S
    )
    names = {"__name__": "snippet"}
    exec(code.replace("http://localhost:8000/v1", server.url), names)
    sampler = names["sampler"]
    assert sum(sampler.draws) == 8
    assert sampler.level == 0
