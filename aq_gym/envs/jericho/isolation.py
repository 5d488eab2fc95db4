"""A story that nobody vouches for, played in a process of its own."""

from __future__ import annotations

import base64
import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import time
from typing import Any

from aq_gym.envs.jericho.engine import load_jericho
from aq_gym.envs.jericho.machine import Output, Snapshot

__all__ = ["IsolatedEngine", "StoryProcessError", "pack", "receive", "send", "unpack"]

# Seconds for a process to begin on a busy machine, and for a story's opening.
_PROCESS_LIMIT, _LEAST_OPENING_LIMIT = 30.0, 5.0
_LENGTH = struct.Struct(">I")
_LONGEST_MESSAGE = 4_000_000


class StoryProcessError(RuntimeError):
    """The process that plays a story has died, hung or answered nonsense."""


class IsolatedEngine:
    """Plays a story in a process that can open no file and is killed when it hangs.

    The process has an empty working folder of its own, a file-size limit of 0 and,
    once the story waits for its first line, no file that it could open; it is sent
    and sends JSON, never pickles.

    Args:
        story: The content of a checked story file.
        time_limit: Seconds the story may take for a line; for its opening it has at
            least 5.

    Attributes:
        opening: What the story printed before it first waited.
        max_score: The highest score, where jericho knows the story; else 0.
        player: The player's object, where jericho knows the story; else any number.

    Raises:
        StoryProcessError: If the story does not even start.
    """

    def __init__(self, story: bytes, time_limit: float) -> None:
        load_jericho()
        self._time_limit = time_limit
        self._folder = tempfile.TemporaryDirectory()
        self._process, self._to, self._from = _start_process(self._folder.name)
        try:
            self._ask(["ready", ""], limit=_PROCESS_LIMIT)
            limit = max(time_limit, _LEAST_OPENING_LIMIT)
            begun = self._ask(["start", _encode(story)], limit=limit)
        except StoryProcessError:
            self.close()
            raise
        self.max_score = int(begun["max_score"])
        self.player = int(begun["player"])
        self.opening = Output(*begun["output"])
        self._snapshot = unpack(begun["snapshot"])

    def send(self, line: str) -> Output:
        """Type a line that is known to be safe.

        Raises:
            StoryProcessError: If the story hangs or its process dies.
        """
        answer = self._ask(["send", line])
        self._snapshot = unpack(answer["snapshot"])
        return Output(*answer["output"])

    def snapshot(self) -> Snapshot:
        """Return the whole state."""
        return self._snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a state of this story."""
        self._ask(["restore", pack(snapshot)])
        self._snapshot = snapshot

    def __del__(self) -> None:
        """Leave no process behind."""
        if getattr(self, "_to", -1) >= 0:
            self.close()

    def close(self) -> None:
        """End the process and remove its folder."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for descriptor in (self._to, self._from):
            if descriptor >= 0:
                os.close(descriptor)
        self._to = self._from = -1
        self._folder.cleanup()

    def _ask(self, message: list[Any], limit: float | None = None) -> dict[str, Any]:
        limit = self._time_limit if limit is None else limit
        if self._to < 0:
            raise StoryProcessError("the story's process has been ended")
        try:
            send(self._to, message)
            answer = receive(self._from, limit)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            self._process.kill()
            why = "took too long" if isinstance(error, TimeoutError) else "died"
            raise StoryProcessError(f"the story's process {why}") from error
        if not isinstance(answer, dict):
            raise StoryProcessError("the story's process answered nonsense")
        return answer


def _start_process(folder: str) -> tuple[subprocess.Popen[bytes], int, int]:
    """Start the player; return it with the pipes to and from it."""
    there, to = os.pipe()
    from_, back = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "aq_gym.envs.jericho.worker", str(there), str(back)],
        pass_fds=(there, back),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    os.close(there)
    os.close(back)
    return process, to, from_


def send(descriptor: int, message: Any) -> None:
    """Write a message to a pipe."""
    data = json.dumps(message).encode()
    data = _LENGTH.pack(len(data)) + data
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor: int, limit: float | None = None) -> Any:
    """Read a message from a pipe.

    Raises:
        EOFError: If the other end is closed.
        TimeoutError: If it is not there within ``limit`` seconds.
        ValueError: If it is not a message.
    """
    deadline = None if limit is None else time.monotonic() + limit
    length = _LENGTH.unpack(_read(descriptor, _LENGTH.size, deadline))[0]
    if length > _LONGEST_MESSAGE:
        raise ValueError(f"message of {length} bytes")
    return json.loads(_read(descriptor, length, deadline))


def _read(descriptor: int, size: int, deadline: float | None) -> bytes:
    data = b""
    while len(data) < size:
        if deadline is not None:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([descriptor], [], [], left)[0]:
                raise TimeoutError
        part = os.read(descriptor, size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def pack(snapshot: Snapshot) -> list[Any]:
    """Write a state as JSON can hold it."""
    ram, stack, registers, random = snapshot
    return [_encode(ram), _encode(stack), list(registers), list(random)]


def unpack(plain: list[Any]) -> Snapshot:
    """Read what ``pack`` wrote."""
    ram, stack, registers, random = plain
    return Snapshot(
        base64.b64decode(ram),
        base64.b64decode(stack),
        tuple(registers),
        tuple(random),
    )
