"""The state of an interpreter at one moment."""

from __future__ import annotations

from typing import NoReturn

from aq_gym.zmachine.sandbox import Registers, Status


class Snapshot:
    """Everything that a story can read later, including undo.

    Comparing and hashing take the whole state. It can't be pickled, because it is made
    for speed: ``Interpreter.pack`` makes a compact form that can.

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
        """How many routines are running."""
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
        """Everything, for comparing."""
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
