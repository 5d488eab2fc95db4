"""How long does a second client of a server wait while a first one attacks it?

Attacks ``aq-gym serve``, ``mcp --port``, ``watch``, ``ui`` and a published Space from
a process on this machine: with silent connections, requests that arrive a byte at a
time, 1,000 requests at once, each second, that are begun or have no token, bodies,
headers and messages of 100 MB with one, and bytes that are no request. The second
client asks ten times a second, each time over a connection of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import multiprocessing
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import NamedTuple, TypeAlias

TOKEN = "a-token-that-only-clients-know"
MOST_SECONDS = 1.0
MEGABYTE = b"x" * 1_000_000
WEBSOCKET = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


class Server(NamedTuple):
    """A running server."""

    port: int
    path: str
    method: str
    status: int

    def connect(self) -> socket.socket:
        """Return a new connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=600)

    def head(self, path: str, more: str = "", token: str = TOKEN) -> bytes:
        """Return the begin of a request, without the empty line at its end."""
        line = f"{self.method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}"
        return f"{line}Authorization: Bearer {token}\r\n".encode()

    def ask(self) -> float:
        """Ask as a client does, and return the seconds until the answer."""
        begun = time.monotonic()
        opened = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        with contextlib.closing(opened):
            known = {"Authorization": f"Bearer {TOKEN}", "Mcp-Session-Id": "0"}
            opened.request(self.method, self.path, headers=known)
            answer = opened.getresponse()
            answer.read()
        assert answer.status == self.status, answer.status
        return time.monotonic() - begun


SERVERS: dict[str, tuple[list[str], Callable[[int], Server]]] = {
    "serve": (
        ["serve", "aq/Mastermind-v0"],
        lambda port: Server(port, "/metadata", "GET", 200),
    ),
    "mcp": (
        ["mcp", "aq/Mastermind-v0"],
        lambda port: Server(port, "/mcp", "POST", 404),
    ),
    "watch": (
        ["watch", "run"],
        lambda port: Server(port, f"/{TOKEN}/", "GET", 200),
    ),
    "ui": (["ui", "."], lambda port: Server(port, f"/{TOKEN}/", "GET", 200)),
    "space": (
        ["-m", "server.app"],
        lambda port: Server(port, "/metadata", "GET", 200),
    ),
}
MADE = {
    "space": ["publish", ".", "--for", "space", "--env", "aq/Mastermind-v0"],
    "ui": ["run", "--env", "aq/Mastermind-v0", "--out", "run", "--quiet"],
}
MADE["watch"] = MADE["ui"]


@contextlib.contextmanager
def serving(name: str, folder: Path) -> Iterator[Server]:
    """Start a server in a process of its own."""
    arguments, make = SERVERS[name]
    cli = [sys.executable, "-m", "aq_gym.cli"]
    if name in MADE:
        subprocess.run([*cli, *MADE[name]], cwd=folder, check=True, capture_output=True)
    own = [*cli, *arguments, "--port", "0"]
    with subprocess.Popen(
        [cli[0], *arguments] if name == "space" else own, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, cwd=folder,
        env=os.environ | {"AQ_GYM_SERVE_TOKEN": TOKEN, "PORT": "0"},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            found = None
            while found is None:
                line = process.stdout.readline()
                assert line, "it has not started"
                found = re.search(r"http://[0-9.]+:(\d+)", line)
            # It would wait for a full pipe.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield make(int(found[1]))
        finally:
            process.terminate()


# Attacks until the event is set; each holds its connections meanwhile.
Attack: TypeAlias = Callable[[Server, Event], None]


def flood(data: Callable[[Server], bytes], seconds: float | None) -> Attack:
    """Return an attack by 1,000 connections at once, again after some seconds."""

    def attack(server: Server, stop: Event) -> None:
        sent = data(server)
        while not stop.is_set():
            with contextlib.ExitStack() as stack:
                opened = [stack.enter_context(socket.socket()) for _ in range(1_000)]
                for one in opened:
                    one.setblocking(False)
                    one.connect_ex(("127.0.0.1", server.port))
                for one in opened:
                    with contextlib.suppress(OSError):
                        one.sendall(sent)
                stop.wait(seconds)

    return attack


def drip(server: Server, stop: Event) -> None:
    """Send a byte of a header on each of 200 connections, again and again."""
    opened = [server.connect() for _ in range(200)]
    for one in opened:
        one.sendall(server.head(server.path))
    while not stop.wait(0.1):
        for number, one in enumerate(opened):
            try:
                one.sendall(b"X")
            except OSError:
                one.close()
                opened[number] = server.connect()
    for one in opened:
        one.close()


def pour(head: Callable[[Server], bytes]) -> Attack:
    """Return an attack by 100 MB after a begin, on one connection after another."""

    def attack(server: Server, stop: Event) -> None:
        while not stop.is_set():
            with server.connect() as opened, contextlib.suppress(OSError):
                opened.sendall(head(server))
                for _ in range(100):
                    opened.sendall(MEGABYTE)

    return attack


def garble(server: Server, stop: Event) -> None:
    """Send random bytes, as a request and as the messages of a WebSocket."""
    rng = random.Random(0)
    upgrade = server.head("/ws", WEBSOCKET) + b"\r\n"
    while not stop.is_set():
        with server.connect() as opened, contextlib.suppress(OSError):
            opened.sendall(rng.choice((b"", upgrade)) + rng.randbytes(10_000))


# A message of 100 MB in one frame, and its key.
_FRAME = b"\x81\xff" + (100 * len(MEGABYTE)).to_bytes(8, "big") + bytes(4)
_LENGTH = f"Content-Length: {100 * len(MEGABYTE)}\r\nContent-Type: application/json\r\n"
ATTACKS: dict[str, Attack] = {
    "none": lambda server, stop: None,
    "1,000 silent connections": flood(lambda server: b"", None),
    "200 slow connections": drip,
    "1,000 begun requests": flood(lambda server: b"G", 1.0),
    "1,000 requests without a token": flood(
        lambda s: s.head(s.path.replace(TOKEN, "?"), token="?") + b"\r\n", 1.0
    ),
    "bodies of 100 MB": pour(lambda s: s.head(s.path, _LENGTH) + b"\r\n"),
    "headers of 100 MB": pour(lambda s: s.head(s.path) + b"X: "),
    "messages of 100 MB": pour(lambda s: s.head("/ws", WEBSOCKET) + b"\r\n" + _FRAME),
    "random bytes": garble,
}


def measure(server: Server, attack: Attack, times: int) -> tuple[float, float]:
    """Return the mean and the longest time of a client during an attack."""
    fork = multiprocessing.get_context("fork")
    stop = fork.Event()
    process = fork.Process(target=attack, args=(server, stop))
    process.start()
    time.sleep(1)
    try:
        waits = []
        for _ in range(times):
            waits.append(server.ask())
            time.sleep(0.1)
    finally:
        stop.set()
        process.join()
    return sum(waits) / times, max(waits)


def main() -> None:
    """Attack the servers, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*", default=list(SERVERS), help="%(default)s")
    parser.add_argument("--times", type=int, default=50, help="of the second client")
    options = parser.parse_args()
    longest = 0.0
    print(f"load before: {os.getloadavg()[0]:.1f}\n")
    print("| server | attack | mean ms | longest ms |\n| --- | --- | ---: | ---: |")
    for name in options.servers:
        with tempfile.TemporaryDirectory() as made, serving(name, Path(made)) as server:
            for kind, attack in ATTACKS.items():
                mean, most = measure(server, attack, options.times)
                longest = max(longest, most)
                print(f"| {name} | {kind} | {mean * 1e3:.0f} | {most * 1e3:.0f} |")
    met = "met" if longest <= MOST_SECONDS else "MISSED"
    print(f"\ntarget: an answer within {MOST_SECONDS:g} s: {met} ({longest:.2f} s)")


if __name__ == "__main__":
    main()
