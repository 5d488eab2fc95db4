"""The interpreter's instructions that reach beyond a story's own memory, replaced."""

from __future__ import annotations

import ctypes
import mmap
import platform
from collections.abc import Callable
from typing import Any

__all__ = ["BROKEN", "RUNNING", "Guards"]

RUNNING, BROKEN, _QUIT = 0, 1, 2
_TRANSCRIPT, _COMMANDS = 2, 4
_FAILED, _UNAVAILABLE = 0, 0xFFFF
# What a function that does nothing is made of, for each processor.
_RETURN = {
    "x86_64": b"\xc3",
    "AMD64": b"\xc3",
    "aarch64": b"\xc0\x03\x5f\xd6",
    "arm64": b"\xc0\x03\x5f\xd6",
}
_OPCODE = ctypes.CFUNCTYPE(None)


class Guards:
    """Makes saving, restoring, restarting, undo, quitting and files harmless.

    They are replaced in the interpreter's own tables before the first instruction
    runs, so that no menu of a story reaches the disk, and the end of a story stops
    the interpreter instead of running on. Instruction numbers are those of section 14
    of the standard.

    Args:
        lib: The interpreter's library.
        version: The story's version of the Z-machine.
    """

    def __init__(self, lib: Any, version: int) -> None:
        lib.store.argtypes, lib.store.restype = [ctypes.c_uint16], None
        lib.branch.argtypes, lib.branch.restype = [ctypes.c_int], None
        self._lib = lib
        self._halted = ctypes.c_int.in_dll(lib, "emulator_halted")
        self._operands = (ctypes.c_int16 * 8).in_dll(lib, "zargs")
        answer = lib.branch if version <= 3 else lib.store
        refuse = _opcode(lambda: answer(_FAILED))
        nothing = _opcode(lambda: None)
        replaced = {
            ("op0_opcodes", 0x05): refuse,
            ("op0_opcodes", 0x06): refuse,
            ("op0_opcodes", 0x07): nothing,
            ("op0_opcodes", 0x0A): _opcode(self._quit),
            ("op0_opcodes", 0x0D): _opcode(lambda: lib.branch(1)),
            ("var_opcodes", 0x33): _opcode(self._output_stream),
            ("var_opcodes", 0x34): nothing,
            ("ext_opcodes", 0x00): refuse,
            ("ext_opcodes", 0x01): refuse,
            ("ext_opcodes", 0x09): _opcode(lambda: lib.store(_UNAVAILABLE)),
            ("ext_opcodes", 0x0A): _opcode(lambda: lib.store(_FAILED)),
        }
        for (table, index), function in replaced.items():
            entries = (ctypes.c_void_p * (index + 1)).in_dll(lib, table)
            entries[index] = ctypes.cast(function, ctypes.c_void_p).value
        # The tables hold bare addresses: the functions must live as long as they.
        self._functions = tuple(replaced.values())
        # A bit of the header begins a transcript too, and a story sets it by an
        # instruction that runs too often to be watched.
        _disarm(lib.script_open)

    def revive(self) -> None:
        """Let the interpreter run again after its end."""
        self._halted.value = RUNNING

    def _quit(self) -> None:
        self._halted.value = _QUIT

    def _output_stream(self) -> None:
        if abs(self._operands[0]) not in (_TRANSCRIPT, _COMMANDS):
            self._lib.z_output_stream()


def _disarm(function: Any) -> None:
    """Make a function of the library's own copy return at once."""
    code = _RETURN.get(platform.machine())
    if code is None:
        return
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    page = address & -mmap.PAGESIZE
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if protect(page, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE) == 0:
        ctypes.memmove(address, code, len(code))
    protect(page, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC)


def _opcode(function: Callable[[], Any]) -> Any:
    # What an instruction's function returns is nothing to the interpreter.
    def run() -> None:
        function()

    return _OPCODE(run)
