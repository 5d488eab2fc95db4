"""States as compact bytes that can be kept, pickled and sent.

A packed state is a header (format, story, checksum and length of the content) and the
compressed content. The content is the difference from the story's initial memory; for
the undo slot, the difference from the state itself.
"""

from __future__ import annotations

import struct
import zlib
from typing import NoReturn

import numpy as np

from aq_gym.zmachine.errors import StateError
from aq_gym.zmachine.sandbox import COLUMNS, REGISTERS, ROWS, Registers, Status

_FORMAT = b"aqz1"
_HEADER = struct.Struct("<4sIII")
_LENGTHS = struct.Struct("<IIII")
_LEVEL = 1
_STACK_BYTES = 2 * 8192
_MOST_BYTES = 2 * (REGISTERS + _STACK_BYTES + 0x10000) + 2 * ROWS * COLUMNS + 64


def pack(snapshot: Snapshot, initial: bytes) -> bytes:
    """Return a state as compact bytes.

    Args:
        snapshot: The state.
        initial: The story's dynamic memory before it runs.
    """
    undo_state, undo_memory = snapshot.undo or (b"", b"")
    changed_undo = _difference(undo_memory, snapshot.memory) if undo_memory else b""
    content = b"".join(
        (
            _LENGTHS.pack(
                len(snapshot.state),
                len(snapshot.screen),
                len(undo_state),
                len(undo_memory),
            ),
            snapshot.state,
            snapshot.screen,
            undo_state,
            _difference(snapshot.memory, initial),
            changed_undo,
        )
    )
    header = _FORMAT, snapshot.registers.story, zlib.crc32(content), len(content)
    return _HEADER.pack(*header) + zlib.compress(content, _LEVEL)


def unpack(data: bytes, initial: bytes, story: int) -> Snapshot:
    """Return the state that was packed.

    Args:
        data: The bytes that ``pack`` returned.
        initial: The story's dynamic memory before it runs.
        story: The story's hash.

    Raises:
        StateError: If the bytes are damaged, or belong to another story or format.
    """
    content = _content(data, story)
    lengths = _LENGTHS.unpack_from(content)
    sizes = (*lengths[:3], len(initial), lengths[3])
    if sum(sizes) + _LENGTHS.size != len(content) or lengths[3] not in (
        0,
        len(initial),
    ):
        raise StateError("the state is damaged: its parts have impossible lengths")
    parts, start = [], _LENGTHS.size
    for size in sizes:
        parts.append(content[start : start + size])
        start += size
    state, screen, undo_state, changed, changed_undo = parts
    memory = _difference(changed, initial)
    undo: tuple[bytes, ...] = ()
    if changed_undo:
        undo = undo_state, _difference(changed_undo, memory)
    snapshot = Snapshot(state, memory, screen, undo)
    _check_lengths(snapshot)
    return snapshot


def _content(data: bytes, story: int) -> bytes:
    if len(data) < _HEADER.size or not data.startswith(_FORMAT):
        raise StateError("not a state of this interpreter's format")
    _, of_story, checksum, length = _HEADER.unpack_from(data)
    if of_story != story:
        raise StateError("a state of another story")
    decompressor = zlib.decompressobj()
    try:
        content = decompressor.decompress(data[_HEADER.size :], _MOST_BYTES)
    except zlib.error as error:
        raise StateError(f"the state is damaged: {error}") from None
    if len(content) != length or zlib.crc32(content) != checksum:
        raise StateError("the state is damaged: its checksum is wrong")
    return content


def _check_lengths(snapshot: Snapshot) -> None:
    states = snapshot.state, *snapshot.undo[:1]
    for state in states:
        if len(state) < REGISTERS:
            raise StateError("the state is damaged: its registers are cut off")
        if len(state) != REGISTERS + 2 * Registers.from_buffer_copy(state).stack:
            raise StateError("the state is damaged: its stack has another length")
    if len(snapshot.screen) != 2 * COLUMNS * snapshot.registers.kept_rows:
        raise StateError("the state is damaged: its screen has another length")
    if bool(snapshot.registers.undo_kept) != bool(snapshot.undo):
        raise StateError("the state is damaged: its undo slot is missing")


def _difference(data: bytes, base: bytes) -> bytes:
    """Return the XOR of two byte strings; the operation is its own inverse."""
    first, second = (np.frombuffer(part, np.uint8) for part in (data, base))
    return bytes(np.bitwise_xor(first, second).data)


class Snapshot:
    """Everything that a story can read later, including its undo slot.

    Comparing and hashing use the whole state. A snapshot is made for speed and can't be
    pickled; ``Interpreter.pack`` returns compact bytes that can.

    Attributes:
        state: Registers and stack.
        memory: Dynamic memory.
        screen: The upper window's text.
        undo: State and memory of the undo slot; empty where there is none.
    """

    __slots__ = ("memory", "screen", "state", "undo")

    def __init__(
        self, state: bytes, memory: bytes, screen: bytes, undo: tuple[bytes, ...]
    ) -> None:
        self.state = state
        self.memory = memory
        self.screen = screen
        self.undo = undo

    @property
    def status(self) -> Status:
        """Whether the story waits for a line or a key, or has stopped."""
        return Status(self.registers.status)

    @property
    def depth(self) -> int:
        """The number of routines on the call stack."""
        return int(self.registers.depth)

    @property
    def story(self) -> int:
        """A hash of the story."""
        return int(self.registers.story)

    @property
    def registers(self) -> Registers:
        """The registers that a host needs."""
        return Registers.from_buffer_copy(self.state)

    @property
    def parts(self) -> tuple[bytes, ...]:
        """All fields, for comparing."""
        return (self.state, self.memory, self.screen, *self.undo)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Snapshot can't be pickled: use Interpreter.pack(snapshot), "
            "whose bytes can, and Interpreter.unpack"
        )

    def __copy__(self) -> Snapshot:
        return self

    def __deepcopy__(self, memo: object) -> Snapshot:
        return self
