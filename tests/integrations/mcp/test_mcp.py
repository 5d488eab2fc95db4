"""Episodes played by the SDK's own client, over both transports."""

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("mcp.server.lowlevel", reason="needs mcp, as in .ci/integrations")
pytest.importorskip("mcp_types", reason="needs mcp 2, as in .ci/integrations")
import gymnasium as gym
import httpx2
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.evaluation import Task
from aq_gym.integrations.mcp_server import Sessions
from aq_gym.server.asgi import bind, serve
from integrations.unknown_secrets import ACTIONS, IDS, SEED, check_nothing_is_told

MASTERMIND = "aq/Mastermind-v0?code=1234"
TOKEN = "0123456789abcdef-0123456789abcdef"
PLAYED = ["0000", "1234"]
JSON = {"Content-Type": "application/json", "Accept": "application/json"}
INITIALIZE = json.dumps({
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}).encode()  # fmt: skip


def stdio(*arguments, errors=None):
    """A client that starts the command, as applications do."""
    command = ["-m", "aq_gym", "mcp", *arguments]
    return Client(StdioServerParameters(command=sys.executable, args=command))


def text_of(result):
    (content,) = result.content
    return content.text


async def play(client, guesses=PLAYED):
    """The answers to guesses, by the tool ``act``."""
    answers = []
    for guess in guesses:
        answers.append(await client.call_tool("act", {"action": f"Guess: {guess}"}))
    return answers


def test_an_environment_without_tools_has_act(tmp_path):
    async def session():
        async with stdio(MASTERMIND, "--log", str(tmp_path)) as client:
            assert "read_task first" in client.instructions
            tools = (await client.list_tools()).tools
            assert [one.name for one in tools] == [
                "read_task",
                "act",
                "check_valid_actions",
            ]
            task = text_of(await client.call_tool("read_task", {}))
            assert "example" not in task
            read = await client.read_resource("aq-gym://task")
            assert read.contents[0].text == task
            prompt = await client.get_prompt("instructions")
            assert prompt.messages[0].content.text == task
            wrong = await client.call_tool("act", {"action": "abracadabra"})
            assert wrong.is_error
            answers = await play(client)
            assert not any("info" in (one.meta or {}) for one in (wrong, *answers))
            assert [one.is_error for one in answers] == [False, False]
            assert text_of(answers[1]).endswith("The episode is over.")
            after = await client.call_tool("act", {"action": "Guess: 1234"})
            assert (after.is_error, text_of(after)) == (True, "The episode is over.")
            seen = json.dumps([text_of(one) for one in [*answers, wrong]])
            assert "progress" not in seen
            assert "success" not in seen

    asyncio.run(session())
    (file,) = tmp_path.glob("*.jsonl")
    steps = trajectory.read(file).steps
    assert [one["info"]["action_valid"] for one in steps] == [False, True, True]
    assert steps[-1]["info"]["success"]


def test_an_evaluator_gets_the_info_beside_the_observation():
    async def session():
        async with stdio(MASTERMIND, "--evaluator") as client:
            (answer, _) = await play(client)
            assert answer.meta["info"]["progress"] == 0.0
            assert "progress" not in text_of(answer)

    asyncio.run(session())


def test_what_was_sent_before_the_input_ends_is_answered():
    """And the score is for the operator of the server alone."""
    act = {"name": "act", "arguments": {"action": "Guess: 1234"}}
    sent = [
        json.loads(INITIALIZE),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": act},
        {"jsonrpc": "2.0", "id": "two", "method": "tools/list"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "aq_gym", "mcp", MASTERMIND],
        input="".join(f"{json.dumps(one)}\n" for one in sent),
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    answers = {
        one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())
    }
    assert set(answers) == {0, 1, "two"}
    assert "over" in answers[1]["content"][0]["text"]
    assert "success" not in done.stdout
    assert "success 1, progress rate 1.00, 1 steps, terminated" in done.stderr


def test_the_pages_files_tell_the_agent_nothing(root, tmp_path):
    page = (root / "docs" / "mcp.md").read_text()
    blocks = [one.split("```")[0] for one in page.split("```json\n")[1:]]
    (given,), over_http = (json.loads(one)["mcpServers"].values() for one in blocks)
    (codex,) = tomllib.loads(page.split("```toml\n")[1].split("```")[0]).values()
    assert codex["task"]["args"] == given["args"]
    assert given["command"] == "aq-gym"
    assert set(next(iter(over_http))) == {"type", "url", "headers"}
    assert not {"--seed", "--task", "--suite"} & set(given["args"])
    project, state = tmp_path / "project", tmp_path / "state"
    project.mkdir()

    async def session():
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "aq_gym", *given["args"]],
            env={**os.environ, "XDG_STATE_HOME": str(state), "HOME": str(state)},
            cwd=project,
        )
        async with Client(command) as client:
            await client.call_tool("read_task", {})

    for _ in range(2):
        asyncio.run(session())
    assert not any(project.iterdir())
    files = list(state.rglob("*.jsonl"))
    seeds = {trajectory.read(file).header["seed"] for file in files}
    assert len(files) == len(seeds) == 2
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert {file.parent.stat().st_mode & 0o777 for file in files} == {0o700}
    assert len({trajectory.read(file).header["task_id"] for file in files}) == 2


def test_an_environments_own_tools_are_listed():
    async def session():
        async with stdio("aq/ToolQuery-v0", "--seed", "3") as client:
            tools = (await client.list_tools()).tools
            names = [one.name for one in tools]
            assert names[0] == "read_task"
            assert "finish" in names
            assert "act" not in names
            wrong = await client.call_tool("finish", {"answers": "x"})
            assert wrong.is_error
            assert "answer" in text_of(wrong)
            last = await client.call_tool("finish", {"answer": "x"})
            assert text_of(last).endswith("The episode is over.")

    asyncio.run(session())


def test_each_session_plays_the_next_task_of_a_suite(tmp_path):
    async def session():
        async with stdio("--suite", "quick", "--log", str(tmp_path)) as client:
            await client.call_tool("act", {"action": "x"})

    for _ in range(2):
        asyncio.run(session())
    from aq_gym.evaluation import Suite

    expected = [task.name for task in Suite.load("quick").tasks[:2]]
    assert sorted(file.stem for file in tmp_path.glob("*.jsonl")) == sorted(expected)


@contextmanager
def served(*arguments, errors=subprocess.PIPE):
    """A server over HTTP: its port and the token that it printed."""
    command = [sys.executable, "-m", "aq_gym", "mcp", *arguments, "--port", "0"]
    opened = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        line = opened.stdout.readline()
        port = int(re.match(r"http://127\.0\.0\.1:(\d+)/mcp ", line)[1])
        yield port, opened.stdout.readline().split()[-1], opened
    finally:
        opened.terminate()
        opened.communicate(timeout=600)


@asynccontextmanager
async def over_http(port, token):
    headers = {"Authorization": f"Bearer {token}"}
    url = f"http://127.0.0.1:{port}/mcp"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=600) as made,
        Client(streamable_http_client(url, http_client=made)) as client,
    ):
        yield client


def test_each_session_over_http_has_its_own_episode(tmp_path):
    async def sessions(port, token):
        async with over_http(port, token) as first, over_http(port, token) as second:
            answers = await asyncio.gather(play(first), play(second, ["9999", "1111"]))
            assert text_of(answers[0][1]).endswith("The episode is over.")
            assert not text_of(answers[1][1]).endswith("The episode is over.")

    with served(MASTERMIND, "--log", str(tmp_path)) as (port, token, opened):
        asyncio.run(sessions(port, token))
        # A session that its client ends is closed at once.
        lines = [opened.stderr.readline() for _ in range(2)]
        assert sorted("terminated" in line for line in lines) == [False, True]
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_the_pages_client_plays(root, capsys):
    page = (root / "docs" / "mcp.md").read_text()
    code = page.split(":class: client\n")[1].split("```")[0]
    names = {}
    exec(code, names)
    with served(MASTERMIND) as (port, token, _):
        asyncio.run(names["play"](f"http://127.0.0.1:{port}/mcp", token))
    assert "The episode is over." in capsys.readouterr().out


def post(port, path="/mcp", body=b"{}", **headers):
    opened = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    with closing(opened) as connection:
        connection.request("POST", path, body, {**JSON, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_strangers_are_refused():
    with served(MASTERMIND) as (port, token, _):
        known = {"Authorization": f"Bearer {token}"}
        assert post(port)[0] == 401
        assert post(port, Host="evil.example", **known)[0] == 403
        assert post(port, path="/other", **known)[0] == 405
        unknown = {"Mcp-Session-Id": "0" * 32}
        assert post(port, **known, **unknown)[0] in (400, 404)
        status, body = post(port, **known, **{"MCP-Protocol-Version": "2026-07-28"})
        assert (status, json.loads(body)["error"]["code"]) == (400, -32022)
        # Each request of a connection needs the token.
        with closing(
            http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        ) as opened:
            for headers, status in ((known, 200), ({}, 401)):
                opened.request("POST", "/mcp", INITIALIZE, {**JSON, **headers})
                answer = opened.getresponse()
                assert (answer.status, bool(answer.read())) == (status, True)


def test_a_server_keeps_connections_longer_than_clients(monkeypatch):
    """Else a request can meet a connection that the server is closing."""
    configs = []

    def server(config):
        configs.append(config)
        return SimpleNamespace(run=lambda sockets: None)

    monkeypatch.setattr(uvicorn, "Server", server)
    with bind("127.0.0.1", 0) as bound:
        serve(None, bound, 1, lambda: None)
    assert configs[0].timeout_keep_alive > httpx2.Limits().keepalive_expiry


def test_fifty_sessions_at_once_are_as_played_here():
    guesses = [f"{number:04d}" for number in range(8)]

    async def session(port, token):
        async with over_http(port, token) as client:
            return [text_of(one) for one in await play(client, guesses)]

    async def sessions(port, token):
        return await asyncio.gather(*(session(port, token) for _ in range(50)))

    env = gym.make("aq/Mastermind-v0", code="1234")
    env.reset(seed=0)
    here = [env.step(f"Guess: {guess}")[0] for guess in guesses]
    how = {"errors": subprocess.DEVNULL}
    with served(MASTERMIND, "--max-sessions", "50", **how) as (port, token, _):
        assert asyncio.run(sessions(port, token)) == [here] * 50


def test_the_episode_of_a_session_that_is_not_used_is_closed():
    closed = []
    sessions = Sessions(lambda: SimpleNamespace(close=lambda: closed.append(1)), -1.0)

    async def use():
        await sessions.use("first", id)
        assert not closed
        await sessions.use("second", id)

    asyncio.run(use())
    assert closed == [1]


def test_calls_of_a_session_never_overlap_and_no_other_session_waits():
    """Not even if it would close the session, which is not idle while it is used."""
    sessions = Sessions(lambda: SimpleNamespace(close=lambda: None), -1.0)
    begun, done, again = threading.Event(), threading.Event(), []

    def wait(_):
        begun.set()
        return done.wait(300)

    async def use():
        first = asyncio.create_task(sessions.use("first", wait))
        assert await asyncio.to_thread(begun.wait, 600)
        second = asyncio.create_task(sessions.use("first", again.append))
        for number in range(20):
            await sessions.use(f"another {number}", id)
        assert not again
        done.set()
        assert await first, "another session waited"
        await second

    asyncio.run(use())
    assert again


def test_no_route_tells_a_secret(tmp_path):
    """Neither the score: an agent asks the server itself."""
    suite = tmp_path / "suite.json"
    tasks = [Task(env_id, SEED).to_record() for env_id in IDS]
    suite.write_text(json.dumps({"name": "all", "tasks": tasks}))

    async def session(port, token):
        answers = {}
        async with over_http(port, token) as client:
            answers["initialize"] = client.instructions or ""
            for name in ("tools", "resources", "prompts"):
                listed = await getattr(client, f"list_{name}")()
                answers[name] = listed.model_dump_json()
            read = await client.read_resource("aq-gym://task")
            answers["read resource"] = read.model_dump_json()
            prompt = await client.get_prompt("instructions")
            answers["get prompt"] = prompt.model_dump_json()
            for tool in json.loads(answers["tools"])["tools"]:
                if tool["name"] == "finish":
                    continue
                for action in ACTIONS:
                    called = await client.call_tool(tool["name"], {"action": action})
                    answers[f"{tool['name']} {action!r}"] = called.model_dump_json()
        return answers

    how = {"errors": subprocess.DEVNULL}
    with served("--suite", str(suite), **how) as (port, token, _):
        for env_id in IDS:
            check_nothing_is_told(env_id, asyncio.run(session(port, token)))
        known = {"Authorization": f"Bearer {token}"}
        for path in ("/", "/state", "/metadata", "/health", "/tasks"):
            assert post(port, path, **known)[0] == 405


def test_too_many_sessions_are_refused():
    async def sessions(port, token):
        async with over_http(port, token) as first:
            await play(first)
            with pytest.raises(BaseExceptionGroup):
                async with over_http(port, token) as second:
                    await play(second)

    with served(MASTERMIND, "--max-sessions", "1") as (port, token, _):
        asyncio.run(sessions(port, token))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name an environment, or a suite"),
        (["aq/Mastermind-v0", "--suite", "quick"], "name an environment, or a suite"),
        (["--suite", "quick", "--task", "x"], "--task names an instance"),
        (["aq/Mastermin-v0"], "did you mean"),
        (["aq/Mastermind-v0?colours=3"], "colours"),
        (["aq/Mastermind-v0", "--task", "nothing"], "task_id='nothing'"),
        (
            ["aq/Mastermind-v0", "--log", "/dev/null/inside"],
            "inside: Not a directory",
        ),
        *(
            (
                ["aq/Mastermind-v0", "--log", folder],
                "where the client's agent may read it: give a name",
            )
            for folder in (f"{Path.cwd()}/played", f"{Path.cwd()}")
        ),
    ],
)
def test_a_wrong_command_is_one_line(capsys, arguments, message):
    assert main(["mcp", *arguments]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
