"""What everything that listens refuses: strangers, other names, pages, long bodies."""

import asyncio
import http.client
import os
import threading

import pytest

from aq_gym.cli import main
from aq_gym.server.access import (
    LARGEST_BODY,
    LOCAL_NAMES,
    TOKEN_VARIABLE,
    Access,
    read_token,
)
from aq_gym.server.asgi import Guard, address, bind, is_local
from aq_gym.server.pages import Answer, PageServer
from aq_gym.support import redaction
from aq_gym.support.redaction import redact

TOKEN = "0123456789abcdef-served"
KNOWN = {"Authorization": f"Bearer {TOKEN}"}
FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "127.0.0.1:evil.example",
    "[::1]evil.example",
    "[::1",
    "",
)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    # Later tests in this process write texts that contain these tokens.
    monkeypatch.setattr(redaction, "_FORMS", ())


class Pages(PageServer):
    """A server with a page, and a form that answers with what was sent."""

    def answer(self, path):
        return Answer("the page", "text/html") if path == "" else None

    def post(self, path, sent):
        return Answer(sent.decode()) if path == "form" else None


@pytest.fixture(scope="module")
def port():
    with Pages(TOKEN) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port, path=f"/{TOKEN}/", method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read().decode()
    finally:
        connection.close()


def guarded(headers, *, method="GET", path="/", kind="http", parts=(b"",), **guard):
    """The status of a guarded application, and what it received."""
    received, sent = [], []

    async def app(scope, receive, send):
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            received.append(message.get("body", b""))
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    queue = [
        {"type": "http.request", "body": part, "more_body": True} for part in parts
    ]
    queue[-1]["more_body"] = False

    async def receive():
        return queue.pop(0)

    async def send(message):
        sent.append(message)

    access = guard.pop("access", Access(TOKEN, LOCAL_NAMES))
    headers = {"Host": "localhost", **headers}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
        "extensions": {"websocket.http.response": {}},
    }
    asyncio.run(Guard(app, access, **guard)(scope, receive, send))
    return (sent[0]["status"] if sent else None), b"".join(received)


def test_a_page_is_served_with_its_policy(port):
    answer, body = ask(port)
    assert (answer.status, body) == (200, "the page")
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    answer, body = ask(port, method="HEAD")
    assert (answer.status, body) == (200, "")
    assert ask(port, f"/{TOKEN}/other")[0].status == 404
    assert ask(port, method="PUT")[0].status == 501
    with pytest.raises(ValueError, match="port=70000"):
        Pages(TOKEN, 70000)


@pytest.mark.parametrize(
    "path",
    ["/", "/x", f"/{TOKEN}", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/", "*", "/%C3%A9/"],
)
def test_a_page_needs_the_token(port, path):
    answer, body = ask(port, path)
    assert answer.status == 401
    assert "aq-gym printed" in body


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_page_is_not_served_under_another_name(port, host):
    assert ask(port, Host=host)[0].status == 403


def test_a_page_is_served_to_pages_of_its_own(port):
    json_kind = {"Content-Type": "application/json"}
    own = {"Origin": f"http://127.0.0.1:{port}", **json_kind}
    assert ask(port, f"/{TOKEN}/form", "POST", "[1]", **own)[1] == "[1]"
    for origin in ("null", "http://evil.example", f"http://127.0.0.1:{port}.example"):
        foreign = {**json_kind, "Origin": origin}
        assert ask(port, **foreign)[0].status == 403
        assert ask(port, f"/{TOKEN}/form", "POST", "1", **foreign)[0].status == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Length": "\u00b2"}, 400),
        ({"Content-Length": str(LARGEST_BODY + 1)}, 413),
        ({"Content-Length": "9" * 5_000}, 413),
    ],
    ids=range(4),
)
def test_a_page_takes_json_of_a_limited_length(port, headers, status):
    headers = {"Content-Type": "application/json", **headers}
    assert ask(port, f"/{TOKEN}/form", "POST", "{}", **headers)[0].status == status


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (KNOWN, 200),
        ({"Authorization": f"bearer {TOKEN}"}, 200),
        ({}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        ({"Authorization": "Bearer é"}, 401),
        *(({**KNOWN, "Host": host}, 403) for host in FOREIGN_HOSTS),
        *(({**KNOWN, "Host": f"{host}:1"}, 200) for host in ("LOCALHOST", "[::1]")),
        ({**KNOWN, "Origin": "http://localhost"}, 403),
        ({**KNOWN, "Origin": "null"}, 403),
    ],
)
def test_an_application_is_guarded(kind, headers, status):
    assert guarded(headers, kind=kind)[0] == status


def test_what_is_public_needs_no_token_but_the_right_name():
    assert guarded({}, path="/health", public="/health")[0] == 200
    assert guarded({}, path="/health/x", public="/health")[0] == 401
    assert guarded({}, path="/health", public="/health", kind="websocket")[0] == 401
    foreign = {"Host": "evil.example"}
    assert guarded(foreign, path="/health", public="/health")[0] == 403


def test_an_open_application_is_for_its_own_pages():
    access = Access("", None, own_pages=True)
    host = {"Host": "any.example"}
    own = {**host, "Origin": "https://any.example"}
    assert guarded(own, access=access)[0] == 200
    foreign = {**host, "Origin": "https://other.example"}
    assert guarded(foreign, access=access)[0] == 403


def test_only_named_paths_are_written_to():
    assert guarded(KNOWN, method="POST", path="/a", writes=("/a",))[0] == 200
    assert guarded(KNOWN, method="DELETE", path="/b", writes=("/a",))[0] == 405
    assert guarded({}, method="POST", path="/b", writes=("/a",))[0] == 401


def test_a_body_has_a_limited_length():
    how = {"method": "POST", "path": "/a", "writes": ("/a",)}
    long = {**KNOWN, "Content-Length": str(LARGEST_BODY + 1)}
    assert guarded(long, **how) == (413, b"")
    half = b"x" * (LARGEST_BODY // 2)
    assert guarded(KNOWN, parts=(half, half), **how)[0] == 200
    # Without a length, as a stream of chunks.
    status, received = guarded(KNOWN, parts=(half, half, b"x"), **how)
    assert status is None
    assert len(received) == LARGEST_BODY


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("", False)]
)
def test_a_socket_says_who_can_reach_it(host, local):
    with bind(host, 0) as bound:
        assert is_local(bound) == local
        assert address(bound).startswith("http://")
    with pytest.raises(ValueError, match="port=-1"):
        bind(host, -1)


def test_without_a_token_there_is_none(monkeypatch):
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert read_token(None) == ""


def test_a_token_is_read_once_and_kept_secret(monkeypatch, tmp_path):
    monkeypatch.setenv(TOKEN_VARIABLE, f"{TOKEN}\n")
    assert read_token(None) == TOKEN
    assert TOKEN_VARIABLE not in os.environ
    assert redact(f"it is {TOKEN}") == "it is ***"
    # A file comes before the variable.
    monkeypatch.setenv(TOKEN_VARIABLE, "another-token-of-the-shell")
    file = tmp_path / "token"
    file.write_text(f" {TOKEN}\n")
    assert read_token(str(file)) == TOKEN
    assert TOKEN_VARIABLE not in os.environ


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 15, "x" * 5000, "a b" * 9, "é" * 20]
)
def test_what_is_not_a_token_is_refused_without_showing_it(
    tmp_path, token, monkeypatch
):
    file = tmp_path / "token"
    file.write_text(token)
    with pytest.raises(ValueError, match="must have a token of 16 to 4096") as error:
        read_token(str(file))
    assert not token or token not in str(error.value).replace("token", "")
    monkeypatch.setenv(TOKEN_VARIABLE, "short")
    with pytest.raises(ValueError, match=TOKEN_VARIABLE):
        read_token(None)


def test_a_missing_token_file_is_an_error(tmp_path, capsys):
    missing = str(tmp_path / "none")
    assert main(["serve", "aq/Mastermind-v0", "--token-file", missing]) == 1
    assert "No such file" in capsys.readouterr().err
