"""Measure ``--agent llm``: requests in flight, and processor time per request.

A server in another process answers each request after a latency, as a model would, and
records how many requests it holds. Episodes of Mastermind with wrong guesses are played
by ``aq_gym.evaluation.run`` in threads, one per episode::

    python benchmarks/speed/llm_loop.py [--steps 20] [--episodes 1 16 64 256]
                                        [--context 8192] [--latency 0.1] [--rounds 3]

Printed for each number of episodes at once: the mean number of requests in flight, the
processor time of this process per request, and steps per second of wall clock time;
medians over the rounds, and the 95th percentile of the processor time. The last rows
repeat the largest number with a conversation of 120 messages, and with a latency of a
second: at 100 ms, 256 requests in flight are 2,560 answers a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from timing import percentile_95, rounds_argument

from aq_gym.evaluation import Suite, Task, run

_LONG_LATENCY = 1.0
MOST_MILLISECONDS = 2.0


class Server:
    """Answers every request after a delay, and sums the requests in flight."""

    def __init__(self, channel: Connection) -> None:
        self._channel = channel
        self._latency = 0.0
        self._held, self._since, self._sum = 0, 0.0, 0.0
        self._served = 0

    async def serve(self) -> None:
        """Send the port, then the figures whenever the other end sends a latency."""
        server = await asyncio.start_server(
            self._connected, "127.0.0.1", 0, backlog=1024
        )
        self._channel.send(server.sockets[0].getsockname()[1])
        loop = asyncio.get_running_loop()
        while True:
            self._latency = await loop.run_in_executor(None, self._channel.recv)
            self._count(0)
            self._channel.send((self._served, self._sum))
            self._served, self._sum = 0, 0.0

    def _count(self, change: int) -> None:
        now = time.monotonic()
        self._sum += self._held * (now - self._since)
        self._held, self._since = self._held + change, now

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = head.lower().partition(b"content-length:")[2]
                await reader.readexactly(int(length.partition(b"\r\n")[0]))
                self._count(1)
                await asyncio.sleep(self._latency)
                self._count(-1)
                self._served += 1
                writer.write(_response(f"Guess: {self._served % 5000:04d}"))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def _response(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice], "usage": usage}).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    return f"{head}{len(body)}\r\n\r\n".encode() + body


def _serve(channel: Connection) -> None:
    asyncio.run(Server(channel).serve())


class Figures(NamedTuple):
    """The figures of one run."""

    in_flight: float
    milliseconds: float
    steps_per_second: float


class Row(NamedTuple):
    """What is measured.

    Attributes:
        episodes: The number of episodes at once, and of workers.
        steps: The steps of each episode.
        context: The context of the model in tokens.
        latency: The seconds that the server takes to answer.
    """

    episodes: int
    steps: int
    context: int
    latency: float


def measure(channel: Connection, url: str, row: Row) -> Figures:
    """Run many episodes at once.

    Args:
        channel: The pipe to the server.
        url: The server's base URL.
        row: How many, and which.
    """
    _figures(channel, row.latency)
    episodes = row.episodes
    # A code that the server does not guess.
    kwargs = {"code": "9999", "code_length": 4}
    tasks = [Task("aq/Mastermind-v0", n, kwargs, row.steps) for n in range(episodes)]
    params = {"model": "m", "base_url": url, "context": row.context, "max_tokens": 16}
    with TemporaryDirectory() as folder:
        suite = Suite("loop", tuple(tasks))
        cpu, wall = time.process_time(), time.monotonic()
        run(suite, Path(folder), "llm", params, executor="threads", workers=episodes)
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    served, held = _figures(channel, row.latency)
    return Figures(held / wall, cpu / served * 1e3, served / wall)


def _figures(channel: Connection, latency: float) -> tuple[int, float]:
    """Return the requests since the last call, and the sum of the seconds of each."""
    channel.send(latency)
    figures: tuple[int, float] = channel.recv()
    return figures


def show(row: Row, rounds: Sequence[Figures]) -> None:
    """Print a row; from 64 episodes on, whether the target was met."""
    in_flight, each, rate = (median(column) for column in zip(*rounds, strict=True))
    high = percentile_95([one.milliseconds for one in rounds])
    verdict = "met" if each <= MOST_MILLISECONDS else "MISSED"
    print(
        f"| {row.episodes} | {2 * row.steps} | {row.latency * 1e3:.0f} "
        f"| {in_flight:.1f} | {each:.2f} | {high:.2f} | {rate:.0f} "
        f"| {verdict if row.episodes >= 64 else ''} |",
        flush=True,
    )


def _rows(options: argparse.Namespace) -> list[Row]:
    given = options.steps, options.context, options.latency
    rows = [Row(count, *given) for count in options.episodes]
    if options.steps < 60:
        most = rows[-1]._replace(episodes=max(options.episodes))
        rows.append(most._replace(steps=60, context=10**6))
        rows.append(most._replace(latency=_LONG_LATENCY))
    return rows


def main() -> None:
    """Measure every number of episodes."""
    parser = rounds_argument(__doc__, default=3)
    parser.add_argument("--episodes", type=int, nargs="+", default=[1, 16, 64, 256])
    parser.add_argument("--steps", type=int, default=20, help="(%(default)s)")
    parser.add_argument("--context", type=int, default=8192, help="(%(default)s)")
    parser.add_argument("--latency", type=float, default=0.1, help="s (%(default)s)")
    options = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    channel, other = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(other,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{channel.recv()}/v1"
    print(
        "| episodes | messages | latency ms | in flight | CPU ms a request | p95 ms "
        f"| steps/s | at most {MOST_MILLISECONDS:g} ms |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for row in _rows(options):
        show(row, [measure(channel, url, row) for _ in range(options.rounds)])
    server.terminate()


if __name__ == "__main__":
    main()
