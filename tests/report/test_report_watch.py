"""The report of a run in progress."""

import contextlib
import dataclasses
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from report_runs import MASTERMIND, play

from aq_gym.cli import main
from aq_gym.integrations.access import Client
from aq_gym.integrations.listener import Listener
from aq_gym.report import load_runs
from aq_gym.report.running import has_finished, running_episodes, told
from aq_gym.report.watch import LiveReport
from aq_gym.report.watch_server import WatchServer
from aq_gym.trajectory import jsonl

TOKEN = "a-token-of-a-test"
pytestmark = pytest.mark.needs("module:jinja2")


@pytest.fixture
def run(tmp_path):
    return play(tmp_path / "run", ids=(MASTERMIND,), episodes=3, max_steps=4)


@pytest.fixture
def in_progress(run):
    """A run with one finished episode, one being played, and one not begun."""
    rows = (run / "episodes.jsonl").read_text().splitlines(keepends=True)
    (run / "episodes.jsonl").write_text(rows[0])
    _, second, third = sorted((run / "trajectories").iterdir())
    lines = second.read_text().splitlines(keepends=True)
    second.write_text("".join(lines[:3]) + lines[3][:10])
    third.unlink()
    return run


def finish(run):
    file = run / "episodes.jsonl"
    (row,) = jsonl.read(file).records
    row["task"] = sorted((run / "trajectories").iterdir())[1].stem
    with file.open("ab") as out:
        out.write(jsonl.with_checksum(jsonl.dumps(row)) + b"\n")


@pytest.fixture
def serve():
    servers = []

    def start(report):
        server = WatchServer(report, TOKEN)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        servers.append((server, thread))
        return server.server_port

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(port, path=f"/{TOKEN}/", method="GET", host=None, origin=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    headers = {"Host": host} if host else {}
    headers |= {"Origin": origin} if origin else {}
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def island(page):
    found = re.search(
        r'<script type="application/json" id="aq-data">(.*?)</script>', page
    )
    return json.loads(found[1])


def test_an_episode_that_is_played_is_listed_and_counts_in_nothing(in_progress):
    loaded = load_runs([in_progress])[0]
    (running,) = running_episodes(loaded)
    assert (running.ended, running.steps) == ("running", 2)
    page = LiveReport([in_progress]).page()
    assert island(page)["episodes"]["outcome"].count("running") == 1
    assert "1 of 3 episodes are finished" in page


def test_the_page_follows_the_files(in_progress, monkeypatch):
    monkeypatch.setattr("aq_gym.report.watch._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.watch._SHARE", 0)
    report = LiveReport([in_progress])
    first, stamp = report.page(), report.stamp()
    assert report.page() is first
    finish(in_progress)
    assert report.stamp() != stamp
    outcomes = island(report.page())["episodes"]["outcome"]
    assert len(outcomes) == 2
    assert "running" not in outcomes


def test_the_page_is_not_built_again_at_once(in_progress, monkeypatch):
    # However long the lines below take.
    monkeypatch.setattr("aq_gym.report.watch._LEAST_SECONDS", 1_000)
    report = LiveReport([in_progress])
    first, stamp = report.page(), report.stamp()
    finish(in_progress)
    assert report.stamp() == stamp
    assert report.page() is first


def test_a_run_without_an_episode_is_waited_for(in_progress):
    (in_progress / "episodes.jsonl").unlink()
    shutil.rmtree(in_progress / "trajectories")
    assert "No episode has begun yet" in LiveReport([in_progress]).page()


def test_a_run_that_is_damaged_or_moved_is_named(in_progress, tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.watch._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.watch._SHARE", 0)
    report = LiveReport([in_progress])
    assert "aq-data" in report.page()
    rows = in_progress / "episodes.jsonl"
    kept = rows.read_text()
    rows.write_text(kept.replace('"steps":', '"steps":"<b>","_":'))
    page = report.page()
    assert "episodes.jsonl is damaged" in page
    assert "<b>" not in page
    rows.write_text(kept)
    assert "aq-data" in report.page()
    (in_progress / "run.json").rename(tmp_path / "away")
    assert "is not a run" in report.page()
    (tmp_path / "away").rename(in_progress / "run.json")
    assert "aq-data" in report.page()


def test_only_what_is_asked_for_by_its_own_name_is_answered(run, serve):
    port = serve(LiveReport([run]))
    answer, body = ask(port)
    assert answer.status == 200
    assert "aq-data" in body
    policy = answer.headers["Content-Security-Policy"]
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    answer, body = ask(port, f"/{TOKEN}/stamp")
    assert (answer.status, len(body)) == (200, 16)
    answer, body = ask(port, method="HEAD")
    assert (answer.status, body) == (200, "")
    assert ask(port, host=f"localhost:{port}")[0].status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example",
        "127.0.0.1:evil.example",
        "[::1]evil.example",
        "",
    ],
)
def test_another_host_is_refused(run, serve, host):
    port = serve(LiveReport([run]))
    answer, body = ask(port, host=host.format(port=port) or " ")
    assert answer.status == 403
    assert "aq-data" not in body


@pytest.mark.parametrize(
    "path",
    [
        f"/{TOKEN}/run.json",
        f"/{TOKEN}/%2e%2e%2frun.json",
        f"/{TOKEN}/../run.json",
        f"//{TOKEN}/etc/passwd",
    ],
)
def test_no_file_is_served(run, serve, path):
    answer, body = ask(serve(LiveReport([run])), path)
    assert answer.status in (401, 404)
    assert len(body) < 100


def test_other_methods_are_refused(run, serve):
    port = serve(LiveReport([run]))
    assert ask(port, method="PUT")[0].status == 501
    assert ask(port, method="POST")[0].status == 400


def test_it_listens_on_this_machine_alone(run):
    with WatchServer(LiveReport([run]), TOKEN) as server:
        assert server.server_address[0] == "127.0.0.1"
    with pytest.raises(ValueError, match="port=70000"):
        WatchServer(LiveReport([run]), TOKEN, 70000)


def test_a_folder_without_a_run_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("no run")
    with pytest.raises(FileNotFoundError):
        LiveReport([tmp_path])
    with pytest.raises(ValueError, match="more than once"):
        LiveReport([tmp_path / "a", tmp_path / "a"])


def test_a_run_that_has_not_begun_is_waited_for(run, tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.watch._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.watch._SHARE", 0)
    (tmp_path / "empty").mkdir()
    for name in ("missing", "empty"):
        report = LiveReport([tmp_path / name, run])
        assert "1 of 2 runs not begun" in report.page()
        assert not report.finished()
        alone = LiveReport([tmp_path / name])
        assert "No episode has begun yet" in alone.page()
        shutil.copytree(run, tmp_path / name, dirs_exist_ok=True)
        assert "3 of 3 episodes" in alone.page()
        assert "6 of 6 episodes" in report.page()
        assert report.finished()
        shutil.rmtree(tmp_path / name)


def test_the_page_tells_how_far_a_run_is(in_progress, monkeypatch):
    loaded = load_runs([in_progress])[0]
    running = [running_episodes(loaded)]
    first, second = sorted((in_progress / "trajectories").iterdir())
    now = time.time()
    os.utime(first, (now - 30, now - 30))
    monkeypatch.setattr(time, "time", lambda: now)
    assert told([loaded], running) == "1 of 3 episodes · 1 being played · 0 errors"
    broken = dataclasses.replace(
        loaded.episodes[0], task=second.stem, error="x", usage={"cost": 0.25}
    )
    later = dataclasses.replace(loaded, episodes=[*loaded.episodes, broken])
    text = told([later], [[]])
    # Two files in half a minute: the next one ends in half a minute.
    assert text == (
        "2 of 3 episodes · 2 a minute · about 30 s left · cost 0.25 · 1 error"
    )
    assert not has_finished([later])


def test_the_server_ends_after_the_runs_have_finished(in_progress, monkeypatch):
    monkeypatch.setattr("aq_gym.report.watch_server._LINGER", 0.1)
    monkeypatch.setattr("aq_gym.report.watch_server._LOOK", 0.01)
    with WatchServer(LiveReport([in_progress]), TOKEN) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        assert ask(server.server_port)[0].status == 200
        time.sleep(0.3)
        assert thread.is_alive()
        rows = (in_progress / "episodes.jsonl").read_text()
        what = json.loads((in_progress / "run.json").read_text())
        what["notes"]["tasks"] = rows.count("\n")
        (in_progress / "run.json").write_text(json.dumps(what))
        thread.join(600)
        assert server.finished


@pytest.mark.slow
def test_the_command_serves_until_ctrl_c(run):
    command = [sys.executable, "-m", "aq_gym.cli", "watch", str(run)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        # It is ignored in what a shell without job control started with "&".
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            line = process.stdout.readline()
            port, token = re.search(
                r"^http://127\.0\.0\.1:(\d+)/(\S+)/ ", line
            ).groups()
            assert len(token) == 43
            assert ask(int(port), f"/{token}/")[0].status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=600) == 0
        finally:
            process.kill()


def test_the_command_refuses_what_is_no_run(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("no run")
    assert main(["watch", str(tmp_path)]) == 1
    assert "aq-gym: " in capsys.readouterr().err


def test_pages_from_elsewhere_are_refused(run, serve):
    port = serve(LiveReport([run]))
    for origin in ("null", "http://evil.example", f"http://127.0.0.1:{port}"):
        assert ask(port, origin=origin)[0].status == 403


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "path", ["/", "/stamp", f"/{TOKEN}", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/stamp", "*"]
)
def test_nothing_is_told_without_the_token(run, serve, path, late, monkeypatch):
    if late:  # The request arrives after its connection has been accepted.
        monkeypatch.setattr(Listener, "_client", lambda *given: Client.UNKNOWN)
    answer, body = ask(serve(LiveReport([run])), path)
    assert answer.status == 401
    assert "aq-gym printed" in body


def test_a_given_token_is_not_printed(run, tmp_path, monkeypatch, capsys):
    (tmp_path / "token").write_text(f"{TOKEN}\n")

    def serve_forever(server):
        assert server.access.is_token(TOKEN.encode())
        raise KeyboardInterrupt

    monkeypatch.setattr(WatchServer, "serve_forever", serve_forever)
    assert main(["watch", str(run), "--token-file", str(tmp_path / "token")]) == 0
    assert re.match(r"http://127\.0\.0\.1:\d+/TOKEN/ ", capsys.readouterr().out)


def test_a_flood_of_connections_keeps_nobody_out(run, serve, monkeypatch, capfd):
    """Silent, slow and broken ones: each new client is answered."""
    monkeypatch.setattr("aq_gym.report.watch_server._MOST_STRANGERS", 20)
    port = serve(LiveReport([run]))
    begun = b"", b"GET /", b"\x16\x03\x01" * 100, b"GET / HTTP/1.1\r\nHost: a\r\n"
    before = threading.active_count()
    with contextlib.ExitStack() as stack:
        for number in range(100):
            opened = socket.create_connection(("127.0.0.1", port))
            stack.enter_context(opened)
            opened.sendall(begun[number % len(begun)])
        assert ask(port)[0].status == 200
        # Threads of connections that were ended may need a moment.
        while threading.active_count() > before + 40:
            time.sleep(0.01)
    assert capfd.readouterr().err == ""


def test_a_flood_does_not_end_the_connection_of_a_client(run, serve, monkeypatch):
    """However long its page takes."""
    monkeypatch.setattr("aq_gym.report.watch_server._MOST_STRANGERS", 2)
    report = LiveReport([run])
    begun, built = threading.Event(), threading.Event()

    def page():
        begun.set()
        assert built.wait(600)
        return "the page"

    monkeypatch.setattr(report, "page", page)
    port = serve(report)
    with contextlib.ExitStack() as stack:
        answer = stack.enter_context(ThreadPoolExecutor(1)).submit(ask, port)
        stack.callback(built.set)  # also where the test fails
        assert begun.wait(600)
        strangers = []
        for _ in range(5):
            opened = socket.create_connection(("127.0.0.1", port), timeout=600)
            strangers.append(stack.enter_context(opened))
            opened.sendall(f"GET /{TOKEN}/ HTTP/1.1\r\n".encode())
        assert strangers[0].recv(1) == b""
        built.set()
        assert answer.result()[1] == "the page"


@pytest.mark.parametrize(
    "hosts", [("evil.example", "127.0.0.1"), ("127.0.0.1", "evil.example")]
)
def test_two_hosts_are_refused(run, serve, hosts):
    address = "127.0.0.1", serve(LiveReport([run]))
    with socket.create_connection(address, timeout=600) as opened:
        two = "".join(f"Host: {host}\r\n" for host in hosts)
        opened.sendall(f"GET /{TOKEN}/ HTTP/1.1\r\n{two}\r\n".encode())
        assert opened.makefile("rb").readline().split()[1] == b"403"


def test_a_client_that_ends_its_side_is_answered(run, serve):
    address = "127.0.0.1", serve(LiveReport([run]))
    with socket.create_connection(address, timeout=600) as opened:
        opened.sendall(f"GET /{TOKEN}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        opened.shutdown(socket.SHUT_WR)
        assert opened.makefile("rb").readline().split()[1] == b"200"


def test_a_client_that_leaves_within_its_request_gets_no_page(run, serve, monkeypatch):
    report, asked = LiveReport([run]), []
    monkeypatch.setattr(report, "page", lambda: asked.append(1) or "the page")
    accepted, process = threading.Event(), WatchServer.process_request

    def process_request(*given):
        process(*given)
        accepted.set()

    monkeypatch.setattr(WatchServer, "process_request", process_request)
    address = "127.0.0.1", serve(report)
    with socket.create_connection(address, timeout=600) as opened:
        head = f"GET /{TOKEN}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        opened.sendall(f"{head}X: ".encode())
        assert accepted.wait(600)
        opened.shutdown(socket.SHUT_WR)
        assert opened.recv(1) == b""
    assert not asked
