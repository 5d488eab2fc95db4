"""The Z-machine interpreter of the ``jericho`` package, with its claws clipped."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from gymnasium.error import DependencyNotInstalled

from aq_gym.envs.jericho.zmachine import Header

__all__ = ["Engine", "Output", "Player", "Snapshot", "load_jericho"]

_READ_CHAR = 246
_STACK_WORDS = 1024
_RUNNING, _BROKEN, _QUIT = 0, 1, 2
_SEED = 1
_TRANSCRIPT, _COMMANDS = 2, 4
_FAILED, _UNAVAILABLE = 0, 0xFFFF


class Snapshot(NamedTuple):
    """All that a Z-machine will ever consult again.

    Attributes:
        ram: Dynamic memory.
        stack: The stack, from its top in use on.
        registers: Program counter, stack pointer, frame pointer, frames, pending
            instruction.
        random: The random stream: its state, interval and counter.
    """

    ram: bytes
    stack: bytes
    registers: tuple[int, int, int, int, int]
    random: tuple[int, int, int]


class Output(NamedTuple):
    """What a story answered.

    Attributes:
        text: What it printed.
        wants_key: Whether it waits for a single key rather than a line.
        halted: Whether the interpreter has stopped.
        broken: Whether it stopped by an error of the story's.
        score: The score, where jericho knows the story; else 0.
        won: Whether it is won, where jericho knows the story.
        lost: Whether it is over and not won, where jericho knows the story.
    """

    text: str
    wants_key: bool
    halted: bool
    broken: bool
    score: int
    won: bool
    lost: bool


class Player(Protocol):
    """Something that plays a story, here or in another process."""

    opening: Output
    max_score: int

    def send(self, line: str) -> Output:
        """Type a line that is known to be safe."""

    def snapshot(self) -> Snapshot:
        """Return the whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a state of this story."""

    def close(self) -> None:
        """Let go of the interpreter."""


def load_jericho() -> Any:
    """Import jericho.

    Raises:
        gymnasium.error.DependencyNotInstalled: If it is not installed.
    """
    try:
        import jericho  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise DependencyNotInstalled(
            'aq/Jericho-v0 needs the engine: pip install "aq-gym[jericho]" '
            "(it is compiled on installation, which needs make and gcc)"
        ) from error
    return jericho


class Engine:
    """One interpreter of its own with one story in it.

    The instructions that save, restore, restart, quit, undo and open files are
    replaced before the first instruction runs, so that no menu of a story reaches
    the disk, and the end of a story stops the interpreter instead of running on.

    Args:
        story: The content of a checked story file.
        before_start: Called when all is ready and the story has not run yet.

    Attributes:
        opening: What the story printed before it first waited.
        max_score: The highest score, where jericho knows the story; else 0.
    """

    def __init__(
        self, story: bytes, before_start: Callable[[], None] | None = None
    ) -> None:
        self._before_start = before_start
        self._version = Header.read(story).version
        self._interpreter = interpreter = _interpreter(story, self._guard)
        self._lib = interpreter.frotz_lib
        self._ram = ctypes.create_string_buffer(self._lib.getRAMSize())
        self._stack = ctypes.create_string_buffer(2 * _STACK_WORDS)
        self.max_score = max(0, int(self._lib.get_max_score()))
        self.opening = self._output(interpreter.opening)

    def send(self, line: str) -> Output:
        """Type a line that is known to be safe.

        Raises:
            RuntimeError: If the interpreter has stopped; restore a state first.
        """
        if self._lib.halted():
            raise RuntimeError("the story is over: restore a state first")
        return self._output(self._lib.step(line.encode("ascii") + b"\n"))

    def snapshot(self) -> Snapshot:
        """Return the whole state."""
        lib = self._lib
        lib.getRAM(self._ram)
        lib.getStack(self._stack)
        top = lib.getSP()
        return Snapshot(
            self._ram.raw,
            self._stack.raw[2 * top :],
            (lib.getPC(), top, lib.getFP(), lib.getFrameCount(), lib.get_opcode()),
            (int(lib.getRngA()), lib.getRngInterval(), lib.getRngCounter()),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a state of this story."""
        lib = self._lib
        pc, top, frame, frames, opcode = snapshot.registers
        lib.setRng(*snapshot.random)
        lib.setRAM(snapshot.ram)
        lib.setStack(snapshot.stack.rjust(2 * _STACK_WORDS, b"\0"))
        lib.setPC(pc)
        lib.setSP(top)
        lib.setFP(frame)
        lib.setFrameCount(frames)
        lib.set_opcode(opcode)
        self._halted.value = _RUNNING

    def close(self) -> None:
        """Let go of the interpreter."""
        self._interpreter.close()

    def _output(self, text: bytes) -> Output:
        lib = self._lib
        return Output(
            text.decode("cp1252", "replace"),
            lib.get_opcode() == _READ_CHAR,
            lib.halted() != _RUNNING,
            lib.halted() == _BROKEN,
            int(lib.get_score()),
            lib.victory() > 0,
            lib.game_over() > 0 and lib.victory() <= 0,
        )

    def _guard(self, lib: Any) -> None:
        """Replace the instructions that reach beyond the story's own memory."""
        lib.store.argtypes, lib.store.restype = [ctypes.c_uint16], None
        lib.branch.argtypes, lib.branch.restype = [ctypes.c_int], None
        self._halted = ctypes.c_int.in_dll(lib, "emulator_halted")
        self._arguments = (ctypes.c_int16 * 8).in_dll(lib, "zargs")
        refuse = self._refuse_file(lib)
        no_undo = _opcode(lambda: lib.store(_UNAVAILABLE))
        nothing = _opcode(lambda: None)
        replaced = {
            ("op0_opcodes", 0x05): refuse,
            ("op0_opcodes", 0x06): refuse,
            ("op0_opcodes", 0x07): nothing,
            ("op0_opcodes", 0x0A): _opcode(self._quit),
            ("op0_opcodes", 0x0D): _opcode(lambda: lib.branch(1)),
            ("var_opcodes", 0x33): self._guarded_output_stream(lib),
            ("var_opcodes", 0x34): nothing,
            ("ext_opcodes", 0x00): refuse,
            ("ext_opcodes", 0x01): refuse,
            ("ext_opcodes", 0x09): no_undo,
            ("ext_opcodes", 0x0A): _opcode(lambda: lib.store(_FAILED)),
        }
        for (table, index), function in replaced.items():
            entries = (ctypes.c_void_p * (index + 1)).in_dll(lib, table)
            entries[index] = ctypes.cast(function, ctypes.c_void_p).value
        # The tables hold bare addresses: the functions must live as long as they.
        self._guards = tuple(replaced.values())
        if self._before_start is not None:
            self._before_start()

    def _refuse_file(self, lib: Any) -> Any:
        if self._version <= 3:
            return _opcode(lambda: lib.branch(_FAILED))
        return _opcode(lambda: lib.store(_FAILED))

    def _guarded_output_stream(self, lib: Any) -> Any:
        def select() -> None:
            if abs(self._arguments[0]) not in (_TRANSCRIPT, _COMMANDS):
                lib.z_output_stream()

        return _opcode(select)

    def _quit(self) -> None:
        self._halted.value = _QUIT


_OPCODE = ctypes.CFUNCTYPE(None)


def _opcode(function: Callable[[], None]) -> Any:
    return _OPCODE(function)


def _interpreter(story: bytes, guard: Callable[[Any], None]) -> Any:
    """Start jericho's interpreter with a story from memory and guards in place."""

    class Interpreter(load_jericho().FrotzEnv):  # type: ignore[misc]
        def load(self, story_file: str, seed: int | None = None) -> None:
            guard(self.frotz_lib)
            self.open = True
            self.opening = self.frotz_lib.setup(
                story_file.encode(), seed, story, len(story)
            )

        def close(self) -> None:
            if self.open:
                self.open = False
                self.frotz_lib.shutdown()

        def __del__(self) -> None:
            # shutdown() on what is shut down crashes.
            if getattr(self, "open", False):
                super().__del__()

    # The interpreter looks at the file only to know it by its hash: an own copy
    # under an own name (it must have an extension) can neither change meanwhile nor
    # be taken for another kind.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "story.z5")
        path.write_bytes(story)
        return Interpreter(str(path), _SEED)
