"""The Z-machine interpreter of the ``jericho`` package, with its claws clipped."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym.envs.jericho.guards import BROKEN, RUNNING, Guards
from aq_gym.envs.jericho.logic import Header
from aq_gym.envs.jericho.machine import Output, Snapshot

__all__ = ["CODING", "Engine", "jericho_knows", "load_jericho"]

CODING = "cp1252"
_READ_CHAR = 246
_STACK_WORDS = 1024
_SEED = 1


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


def jericho_knows(digest: str) -> bool:
    """Tell whether a story, by its md5 hash, is one of those that jericho supports."""
    return digest in load_jericho().defines.BINDINGS_DICT


class Engine:
    """One interpreter of its own with one story in it.

    :class:`.guards.Guards` are in place before the first instruction runs.

    Args:
        story: The content of a checked story file.
        before_start: Called when all is ready and the story has not run yet.

    Attributes:
        opening: What the story printed before it first waited.
        max_score: The highest score, where jericho knows the story; else 0.
        player: The player's object, where jericho knows the story; else any number.
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
        self.player = max(0, int(self._lib.get_self_object_num()))
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
        self._guards.revive()

    def close(self) -> None:
        """Let go of the interpreter."""
        self._interpreter.close()

    def _output(self, text: bytes) -> Output:
        lib = self._lib
        return Output(
            text.decode(CODING, "replace"),
            lib.get_opcode() == _READ_CHAR,
            lib.halted() != RUNNING,
            lib.halted() == BROKEN,
            int(lib.get_score()),
            lib.victory() > 0,
            lib.game_over() > 0 and lib.victory() <= 0,
        )

    def _guard(self, lib: Any) -> None:
        self._guards = Guards(lib, self._version)
        if self._before_start is not None:
            self._before_start()


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
                super().__del__()

        def __del__(self) -> None:
            # To shut down what is shut down crashes.
            if getattr(self, "open", False):
                self.close()

    # The interpreter looks at the file only to know it by its hash: an own copy
    # under an own name (it must have an extension) can neither change meanwhile nor
    # be taken for another kind.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "story.z5")
        path.write_bytes(story)
        return Interpreter(str(path), _SEED)
