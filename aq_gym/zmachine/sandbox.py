"""The WebAssembly module, and an instance of it: its calls and its memory."""

from __future__ import annotations

import ctypes
import threading
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from wasmtime import Config, Engine, Func, Instance, Memory, Module, Store, Trap

from aq_gym.zmachine.errors import OUTSIDE_MEMORY, StoryError, describe

# The address space reserved for each machine, more than its memory, which never grows.
# The default of 4 GB fails where the address space is limited.
_RESERVATION = 1024 * 1024
_STACK = 64 * 1024
_lock = threading.Lock()


def compiled_module() -> tuple[Engine, Module]:
    """Return the Z-machine's module, compiled for this processor, and its engine."""
    with _lock:
        return _compile()


@cache
def _compile() -> tuple[Engine, Module]:
    package = files("aq_gym.zmachine")
    engine = Engine(_config())
    return engine, Module(engine, (package / "zmachine.wasm").read_bytes())


def _config() -> Config:
    config = Config()
    # If traps used signals, an enabled faulthandler would end the process.
    config.signals_based_traps = False
    config.memory_reservation = _RESERVATION
    config.memory_reservation_for_growth = 0
    config.memory_guard_size = 0
    # The machine needs much less stack than this, and every thread has more.
    config.max_wasm_stack = _STACK
    # Compiling in parallel would leave threads behind.
    config.parallel_compilation = False
    return config


# Sizes from source/machine.h.
STORY_CAPACITY = 0x80000
INPUT_CAPACITY = 1024
REGISTERS = 256
ROWS, COLUMNS = 50, 128

_U32, _U64 = ctypes.c_uint32, ctypes.c_uint64


class Status(IntEnum):
    """The state of a story after a step."""

    LINE = 1
    """It waits for a line."""
    KEY = 2
    """It waits for a single key."""
    HALTED = 3
    """It has ended."""
    FAILED = 4
    """An error has stopped it."""


class Stream(IntEnum):
    """The random generator that a seed starts."""

    OWN = 0
    """SplitMix64, whose seeds have 64 bits."""
    JERICHO = 1
    """The linear congruence that Jericho uses, whose seeds have 31 bits."""


class Answer(NamedTuple):
    """The result of a step.

    Attributes:
        text: The text printed to the lower window; lines end in a newline.
        status: Whether the story waits for a line or a key, or has stopped.
        error: The reason where the status is ``FAILED``, else "".
    """

    text: str
    status: Status
    error: str = ""


class Registers(ctypes.Structure):
    """The registers that a host needs, at the beginning of a state."""

    _fields_ = (
        ("seed", _U64),
        ("random", _U64),
        ("storys_random", _U64),
        ("story", _U32),
        ("status", _U32),
        ("error", _U32),
        ("stack", _U32),
        ("depth", _U32),
        ("undo_kept", _U32),
        ("kept_rows", _U32),
    )


class Exchange(ctypes.Structure):
    """The fields shared by the host and the machine, as in interface.c."""

    _fields_ = (
        ("story", _U32),
        ("input", _U32),
        ("output", _U32),
        ("state", _U32),
        ("screen", _U32),
        ("undo_state", _U32),
        ("undo_memory", _U32),
        ("undo_saves", _U32),
        ("seed", _U64),
        ("random_kind", _U32),
        ("undo_allowed", _U32),
        ("length", _U32),
        ("budget", _U32),
        ("output_length", _U32),
        ("answer", _U32),
        ("instructions", _U64),
    )


class Sandbox:
    """An instance with a story loaded.

    Its fields are views of this process's memory and mustn't be used after ``close``.

    Args:
        story: The story file's content.
        undo: Whether the story may save a state to undo a turn.
        budget: The most instructions in a step.

    Raises:
        StoryError: If the machine can't play it.

    Attributes:
        exchange: The fields passed to the machine and back.
        registers: The current registers.
        dynamic_size: Bytes of dynamic memory.
        instructions: The number of instructions executed so far.
        closed: Whether ``close`` was called.
    """

    def __init__(self, story: bytes, undo: bool, budget: int) -> None:
        if len(story) > STORY_CAPACITY:
            raise StoryError(
                f"{len(story)} bytes are more than a story can have ({STORY_CAPACITY})"
            )
        engine, module = compiled_module()
        self.closed = False
        self.instructions = 0
        self._store = store = Store(engine)
        exports = Instance(store, module, []).exports(store)
        self._exports = exports
        memory, address = exports["memory"], exports["exchange_address"]
        assert isinstance(memory, Memory) and isinstance(address, Func)
        base = ctypes.addressof(memory.data_ptr(store).contents)
        self.exchange = Exchange.from_address(base + address(store))
        self._find_places(base)
        self._load(story, undo, budget)

    def _find_places(self, base: int) -> None:
        exchange = self.exchange
        self.story = base + exchange.story
        self.input = base + exchange.input
        self.output = base + exchange.output
        self.state = base + exchange.state
        self.screen = base + exchange.screen
        self.undo_state = base + exchange.undo_state
        self.undo_memory = base + exchange.undo_memory
        self.registers = Registers.from_address(self.state)
        self.undo_registers = Registers.from_address(self.undo_state)
        self.undo_saves = _U32.from_address(base + exchange.undo_saves)

    def _load(self, story: bytes, undo: bool, budget: int) -> None:
        ctypes.memmove(self.story, story, len(story))
        self.exchange.length = len(story)
        self.exchange.undo_allowed = undo
        self.exchange.budget = budget
        self.call("load")
        if self.exchange.answer:
            raise StoryError(
                "not a story file of version 3, 4, 5 or 8, or its header is damaged"
            )
        self.dynamic_size = int.from_bytes(story[0x0E:0x10], "big")

    def call(self, name: str) -> None:
        """Call an exported function.

        Raises:
            wasmtime.Trap: If the machine fails.
        """
        function = self._exports[name]
        assert isinstance(function, Func)
        function(self._store)

    def run(self, name: str) -> Answer:
        """Call a function that runs the story."""
        try:
            self.call(name)
        except Trap:
            return self._failure()
        finally:
            self.instructions += self.exchange.instructions
        return Answer(self._output(), _STATUS[self.registers.status])

    def _failure(self) -> Answer:
        registers = self.registers
        if registers.status != Status.FAILED:
            registers.status, registers.error = Status.FAILED, OUTSIDE_MEMORY
        return Answer(self._output(), Status.FAILED, describe(registers.error))

    def _output(self) -> str:
        text = ctypes.string_at(self.output, self.exchange.output_length)
        return text.decode("utf-8", "replace")

    def close(self) -> None:
        """Release the memory."""
        self.closed = True
        self._store.close()


_STATUS = (Status.FAILED, *Status)


class ExclusiveSandbox:
    """A sandbox that is entered by one thread at a time, as a context manager."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()

    def __enter__(self) -> Sandbox:
        """Return the sandbox.

        Raises:
            RuntimeError: If another thread is using the sandbox, or it is closed.
        """
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(
                "this interpreter is in use by another thread: use one for each"
            )
        if self._sandbox.closed:
            self._lock.release()
            raise RuntimeError("this interpreter is closed")
        return self._sandbox

    def __exit__(self, *error: object) -> None:
        """Release the sandbox for the next thread."""
        self._lock.release()
