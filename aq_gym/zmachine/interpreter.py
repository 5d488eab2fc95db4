"""The Python interface of the interpreter."""

from __future__ import annotations

import ctypes
from typing import NoReturn

from aq_gym.zmachine.errors import StateError
from aq_gym.zmachine.sandbox import (
    COLUMNS,
    INPUT_CAPACITY,
    REGISTERS,
    STORY_CAPACITY,
    Answer,
    ExclusiveSandbox,
    Sandbox,
    Status,
    Stream,
)
from aq_gym.zmachine.state_bytes import Snapshot, pack, unpack

_MOST_BUDGET = 1_000_000_000
_GLOBALS = 240


class Interpreter:
    """Plays one story.

    Interpreters share nothing, so each may run in a thread of its own; a running story
    doesn't hold Python's global lock. Two threads must not use the same interpreter at
    once.

    Args:
        story: The story file's content, version 3, 4, 5 or 8.
        undo: Whether the story may save a state to undo a turn.
        budget: The most instructions that one step may take, 1 to 1,000,000,000.

    Raises:
        StoryError: If the bytes aren't a story that can be played.
        ValueError: If the budget is out of range.
    """

    def __init__(
        self, story: bytes, *, undo: bool = True, budget: int = 20_000_000
    ) -> None:
        if not 1 <= budget <= _MOST_BUDGET:
            raise ValueError(f"budget must be 1 to {_MOST_BUDGET:,}, not {budget!r}")
        self._sandbox = Sandbox(story, undo, budget)
        self._exclusive = ExclusiveSandbox(self._sandbox)
        self._initial = story[: self._sandbox.dynamic_size]
        self._globals = int.from_bytes(story[0x0C:0x0E], "big")
        self._undo: tuple[int, tuple[bytes, ...]] = -1, ()
        self._id = self._sandbox.registers.story

    @property
    def status(self) -> Status:
        """Whether the story waits for a line or a key, or has stopped."""
        with self._exclusive as sandbox:
            return Status(sandbox.registers.status)

    @property
    def steps(self) -> int:
        """The number of instructions executed so far; restoring does not reset it."""
        with self._exclusive as sandbox:
            return sandbox.instructions

    def start(self, seed: int = 0, stream: Stream = Stream.OWN) -> Answer:
        """Start from the beginning, and play up to the first input.

        Args:
            seed: The start of the random stream: 0 to 2**64 - 1, or 0 to 2**31 - 1 for
                ``Stream.JERICHO``.
            stream: The generator of the random numbers.

        Returns:
            The story's opening text and status.

        Raises:
            ValueError: If the seed is out of range.
        """
        most = 2**31 - 1 if stream == Stream.JERICHO else 2**64 - 1
        if not 0 <= seed <= most:
            raise ValueError(f"seed must be 0 to {most:,}, not {seed!r}")
        with self._exclusive as sandbox:
            sandbox.exchange.seed = seed
            sandbox.exchange.random_kind = stream
            return sandbox.run("start")

    def step(self, text: str) -> Answer:
        """Type a line, or press a key where the story waits for one.

        Args:
            text: Any text. For a line, control characters are dropped, and the rest is
                cut to the length that the story accepts; for a key, only the first
                character counts, and "" is the Enter key.

        Returns:
            What the story answered.

        Raises:
            RuntimeError: If the story has stopped: restore a state, or start again.
        """
        data = text[:INPUT_CAPACITY].encode("utf-8", "replace")[:INPUT_CAPACITY]
        with self._exclusive as sandbox:
            if sandbox.registers.status not in (Status.LINE, Status.KEY):
                raise RuntimeError(
                    "the story has stopped: restore a state, or start it again"
                )
            ctypes.memmove(sandbox.input, data, len(data))
            sandbox.exchange.length = len(data)
            return sandbox.run("step")

    def snapshot(self) -> Snapshot:
        """Return the state, for ``restore``."""
        with self._exclusive as sandbox:
            registers = sandbox.registers
            return Snapshot(
                ctypes.string_at(sandbox.state, REGISTERS + 2 * registers.stack),
                ctypes.string_at(sandbox.story, sandbox.dynamic_size),
                ctypes.string_at(sandbox.screen, 2 * COLUMNS * registers.kept_rows),
                self._read_undo(sandbox) if registers.undo_kept else (),
            )

    def _read_undo(self, sandbox: Sandbox) -> tuple[bytes, ...]:
        """Return the undo slot; the same object as long as it doesn't change."""
        saves = sandbox.undo_saves.value
        if self._undo[0] != saves:
            length = REGISTERS + 2 * sandbox.undo_registers.stack
            state = ctypes.string_at(sandbox.undo_state, length)
            memory = ctypes.string_at(sandbox.undo_memory, sandbox.dynamic_size)
            self._undo = saves, (state, memory)
        return self._undo[1]

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a state.

        Args:
            snapshot: A state of this story, from this or another interpreter.

        Raises:
            StateError: If the state belongs to another story.
        """
        with self._exclusive as sandbox:
            self._check_story(snapshot)
            self._write(sandbox, snapshot)

    def _check_story(self, snapshot: Snapshot) -> None:
        if snapshot.story != self._id:
            raise StateError("a state of another story")

    def _write(self, sandbox: Sandbox, snapshot: Snapshot) -> None:
        ctypes.memmove(sandbox.state, snapshot.state, len(snapshot.state))
        ctypes.memmove(sandbox.story, snapshot.memory, len(snapshot.memory))
        ctypes.memmove(sandbox.screen, snapshot.screen, len(snapshot.screen))
        undo = snapshot.undo
        if undo and (undo is not self._undo[1] or not self._undo_is_known(sandbox)):
            ctypes.memmove(sandbox.undo_state, undo[0], len(undo[0]))
            ctypes.memmove(sandbox.undo_memory, undo[1], len(undo[1]))
            sandbox.undo_saves.value += 1
            self._undo = sandbox.undo_saves.value, undo

    def _undo_is_known(self, sandbox: Sandbox) -> bool:
        return self._undo[0] == sandbox.undo_saves.value

    def pack(self, snapshot: Snapshot) -> bytes:
        """Return a state as compact bytes, which can be kept and sent.

        Equal states give equal bytes.

        Args:
            snapshot: A state of this story.

        Raises:
            StateError: If the state belongs to another story.
        """
        self._check_story(snapshot)
        return pack(snapshot, self._initial)

    def unpack(self, data: bytes) -> Snapshot:
        """Return the state that ``pack`` converted to bytes.

        Args:
            data: The bytes.

        Raises:
            StateError: If the bytes are damaged, belong to another story or format, or
                encode a state that no story can be in.
        """
        snapshot = unpack(data, self._initial, self._id)
        self._check_story(snapshot)
        here = self.snapshot()
        with self._exclusive as sandbox:
            self._write(sandbox, snapshot)
            sandbox.call("check")
            sound = sandbox.exchange.answer
            self._write(sandbox, here)
        if not sound:
            raise StateError("the state is damaged: its values are impossible")
        return snapshot

    def dynamic_memory(self) -> bytes:
        """Return a copy of the dynamic memory."""
        with self._exclusive as sandbox:
            return ctypes.string_at(sandbox.story, sandbox.dynamic_size)

    def read(self, address: int, length: int) -> bytes:
        """Return bytes of the story's memory as they are now.

        Raises:
            ValueError: If part of the range is outside the memory.
        """
        if not 0 <= address <= address + length <= STORY_CAPACITY:
            raise ValueError(f"{length} bytes at {address} aren't in a story's memory")
        with self._exclusive as sandbox:
            return ctypes.string_at(sandbox.story + address, length)

    def word(self, address: int) -> int:
        """Return the two bytes at an address as an unsigned number."""
        return int.from_bytes(self.read(address, 2), "big")

    def variable(self, number: int) -> int:
        """Return a global variable as a signed number, the first being 0.

        Raises:
            ValueError: If the number isn't 0 to 239.
        """
        if not 0 <= number < _GLOBALS:
            raise ValueError(f"number must be 0 to {_GLOBALS - 1}, not {number!r}")
        data = self.read(self._globals + 2 * number, 2)
        return int.from_bytes(data, "big", signed=True)

    def upper_window(self) -> tuple[str, ...]:
        """Return the rows of the upper window, without version 3's status line.

        Rows that the story has just removed from the window, such as a quotation, are
        included until the next step.
        """
        with self._exclusive as sandbox:
            row = 2 * COLUMNS
            text = ctypes.string_at(sandbox.screen, row * sandbox.registers.kept_rows)
        return tuple(
            text[start : start + row].decode("utf-16-le", "replace").rstrip()
            for start in range(0, len(text), row)
        )

    def close(self) -> None:
        """Release the interpreter's memory. Further use raises ``RuntimeError``."""
        if not self._sandbox.closed:
            with self._exclusive as sandbox:
                sandbox.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an Interpreter can't be copied or pickled: make another of the same "
            "story, and restore a state of the first"
        )
