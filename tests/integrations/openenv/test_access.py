"""Who may use a server, and which of its addresses there are."""

import json
import socket
from contextlib import closing
from http.client import HTTPConnection

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from aq_gym.integrations.openenv import TextEnvClient
from integrations.openenv.served import MASTERMIND, command, forked
from integrations.openenv.sockets import raw
from integrations.openenv.wire import refused

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
TOKEN = "0123456789abcdef-0123456789abcdef"
UNFINISHED = b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize("path", ["/reset", "/step", "/state"])
def test_episodes_over_http_are_refused(server, path):
    status, body = server.get(path, "POST")
    assert status == 426
    assert "needs a session" in body


def test_there_is_nothing_else(server):
    assert server.get("/docs")[0] == 404
    assert server.get("/web")[0] == 404
    assert server.get("/Mastermind-v0/tasks", "POST")[0] == 404
    assert server.get("/health", "POST")[0] == 405
    assert json.loads(server.get("/metadata")[1])["name"] == MASTERMIND


def test_the_constructors_arguments_are_not_told():
    with forked(f"{MASTERMIND}?code_length=5") as server:
        paths = ("/metadata", "/schema", "/openapi.json", "/list_environments")
        assert not any("code_length" in server.get(path)[1] for path in paths)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "[::1"])
def test_another_host_is_refused(server, host):
    assert server.get("/health", Host=host)[0] in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:1"])
def test_this_machine_is_served(server, host):
    assert server.get("/health", Host=host)[0] == 200


def test_pages_of_browsers_are_refused(server):
    assert refused(server, origin=server.url) == 403
    assert server.get("/metadata", Origin="null")[0] == 403


def test_a_token_is_needed(tmp_path):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    with command(MASTERMIND, "--host", "0.0.0.0", "--token-file", str(file)) as server:
        assert server.get("/health", Host="any.example")[0] == 200
        for given_token in ("", TOKEN[:-1], f"{TOKEN}x", "é"):
            header = {"Authorization": f"Bearer {given_token}"}
            assert server.get("/metadata", **header)[0] == 401
            assert refused(server, additional_headers=header) == 401
        assert refused(server) == 401
        assert server.get("/metadata", **BEARER)[0] == 200
        with TextEnvClient(base_url=server.url, headers=BEARER).sync() as env:
            assert env.reset(seed=0).observation.text
            assert env.new_session().reset(seed=0).observation.text
        with open(f"/proc/{server.pid}/cmdline") as arguments:
            assert TOKEN not in arguments.read()
    assert TOKEN not in server.line + server.rest


def test_a_refusal_does_not_wait_for_the_rest_of_a_request():
    """And ends the connection, for which uvicorn has no time limit."""
    environ = {"AQ_GYM_SERVE_TOKEN": TOKEN}
    with forked(MASTERMIND, environ=environ) as server:
        for head in (b"POST /reset", b"GET /metadata", b"GET /ws"):
            with raw(server, head + UNFINISHED) as opened:
                assert opened.makefile("rb").read().startswith(b"HTTP/1.1 401")


def test_a_client_that_ends_its_side_is_answered(server):
    with raw(server, b"GET /metadata HTTP/1.1\r\nHost: localhost\r\n\r\n") as opened:
        opened.shutdown(socket.SHUT_WR)
        answer = opened.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"}")


def test_what_breaks_http_is_refused_without_a_word_to_the_operator():
    """And ends the connection: what follows is not taken for another request."""
    head = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
    chunked = head + b"Transfer-Encoding: chunked\r\n"
    smuggled = b"0\r\n\r\n" + head + b"\r\n"
    environ = {"AQ_GYM_SERVE_TOKEN": TOKEN}
    with forked(MASTERMIND, environ=environ) as server:
        for rest in (b"\r\nzz\r\n", b"Content-Length: 5\r\n\r\n" + smuggled):
            with raw(server, chunked + rest) as opened:
                answer = opened.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 400")
            assert answer.count(b"HTTP/1.1") == 1
        with raw(server, chunked + b"\r\n") as opened:
            assert opened.recv(1_000).startswith(b"HTTP/1.1 200")
            opened.sendall(b"zz\r\n")
            assert b"HTTP/1.1" not in opened.makefile("rb").read()
    assert not server.rest


def test_the_token_can_be_in_the_environment():
    environ = {"AQ_GYM_SERVE_TOKEN": TOKEN}
    with forked(f"{MASTERMIND}", environ=environ) as server:
        assert server.get("/metadata")[0] == 401
        assert server.get("/metadata", **BEARER)[0] == 200
        # Each request of a connection needs it.
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=600)) as opened:
            for headers, status in ((BEARER, 200), ({}, 401)):
                opened.request("GET", "/metadata", headers=headers)
                answer = opened.getresponse()
                assert (answer.status, bool(answer.read())) == (status, True)
