"""A file of puzzles, and endpoints that judge."""

import json

import pytest
from envs.mystery.own_puzzles import PUZZLE, SECRET
from scripted_server import ScriptedServer


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([PUZZLE]))
    return path


@pytest.fixture
def judge(monkeypatch):
    """Make a scripted judge the configured endpoint."""
    servers = []
    for name in ("AQ_GYM_JUDGE_BASE_URL", "AQ_GYM_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def configured(*script):
        server = ScriptedServer(*script)
        servers.append(server)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        return server

    yield configured
    for server in servers:
        server.close()


@pytest.fixture
def unconfigured(monkeypatch):
    for name in ("BASE_URL", "API_KEY"):
        monkeypatch.delenv(f"OPENAI_{name}", raising=False)
        monkeypatch.delenv(f"AQ_GYM_JUDGE_{name}", raising=False)
