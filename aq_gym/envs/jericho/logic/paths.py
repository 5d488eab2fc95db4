"""Following a routine over every way through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeAlias

from aq_gym.envs.jericho.logic.header import Header
from aq_gym.envs.jericho.logic.instructions import Instruction, decode_instruction

__all__ = ["RETURNS", "Condition", "Paths"]

_UNIT = {3: 2, 4: 4, 5: 4, 8: 8}
_MOST_STEPS = 2_000
_MOST_LOCALS = 15
_JUMP = 0x8C
_WITHOUT_OPERANDS = range(0xB0, 0xC0)
RETURNS = frozenset({0xB0, 0xB1, 0xB3, 0xB8, 0x8B})

# Whether an instruction's condition holds, None where that is unknown.
Condition: TypeAlias = Callable[[Instruction], bool | None]


class Paths:
    """Follows the routines of one story.

    Args:
        story: The story file's content.
    """

    def __init__(self, story: bytes) -> None:
        self._story = story
        self._header = Header.read(story)
        self._decode = lru_cache(maxsize=None)(self._decoded)

    def follow(
        self, routine: int, condition: Condition = lambda step: None
    ) -> Iterator[Instruction | None]:
        """Yield each instruction that can be reached; None where that is unknown.

        Args:
            routine: A packed address.
            condition: Decides branches; by default both ways are taken.
        """
        try:
            start = self._first_instruction(routine)
            open_, seen = [start], {start}
            for _ in range(_MOST_STEPS):
                if not open_:
                    return
                step = self._decode(open_.pop())
                if not step.operands and step.number not in _WITHOUT_OPERANDS:
                    break
                yield step
                for following in _after(step, condition(step)):
                    if following not in seen:
                        seen.add(following)
                        open_.append(following)
        except IndexError:
            pass
        yield None

    def is_code(self, value: int) -> bool:
        """Return whether a number can be the packed address of a routine."""
        address = value * _UNIT[self._header.version]
        if not self._header.start <= address < len(self._story):
            return False
        return self._story[address] <= _MOST_LOCALS

    def _decoded(self, address: int) -> Instruction:
        return decode_instruction(self._story, self._header, address)

    def _first_instruction(self, routine: int) -> int:
        address = routine * _UNIT[self._header.version]
        count = self._story[address]
        return address + 1 + (2 * count if self._header.version < 5 else 0)


def _after(step: Instruction, holds: bool | None) -> Iterator[int]:
    """Yield the addresses that may follow an instruction within its routine."""
    if step.number in RETURNS:
        return
    if step.number == _JUMP:
        offset = step.operands[0].value
        yield step.end + offset - 2 - (0x10000 if offset & 0x8000 else 0)
        return
    branch = step.branch
    if (
        branch is not None
        and holds is not (not branch.on)
        and branch.offset not in (0, 1)
    ):
        yield branch.target
    if branch is None or holds is not branch.on:
        yield step.end
