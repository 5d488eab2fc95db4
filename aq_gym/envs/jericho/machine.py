"""What every player of a story offers, in this process or another."""

from __future__ import annotations

from typing import NamedTuple, Protocol

__all__ = ["Output", "Player", "Snapshot"]


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

    @property
    def depth(self) -> int:
        """How many routines are running."""
        return self.registers[3]


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
    player: int

    def send(self, line: str) -> Output:
        """Type a line that is known to be safe."""

    def snapshot(self) -> Snapshot:
        """Return the whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a state of this story."""

    def close(self) -> None:
        """Let go of the interpreter."""
