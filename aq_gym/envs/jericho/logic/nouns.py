"""The known facts about an action's nouns, and the tests that they decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from aq_gym.envs.jericho.logic.instructions import Instruction, Operand

__all__ = ["Nouns", "Places", "holds"]

_JE, _JIN, _TEST_ATTR, _JZ = 0x01, 0x06, 0x0A, 0x80

Places: TypeAlias = Mapping[int, int]
"""The variables that hold a noun: 0 for the first, 1 for the second."""


class Nouns(NamedTuple):
    """The known facts about an action's nouns.

    Attributes:
        first: The attributes of the first noun, as the object table has them; ""
            without one.
        second: Those of the second noun, "" without one.
        tells: Whether the first noun has routines, such as a description, that may
            change something.
        ruled: Whether the second noun has rules that may change something.
        numbers: The objects, 0 for a noun that is not there; none where they are
            unknown.
        held: Whether the player carries the first noun.
    """

    first: bytes = b""
    second: bytes = b""
    tells: bool = False
    ruled: bool = False
    numbers: tuple[int, ...] = ()
    held: bool = False


def holds(
    step: Instruction, nouns: Nouns, places: Places, people: frozenset[int]
) -> bool | None:
    """Return whether a test of a noun holds, None if that is unknown.

    Args:
        step: The instruction that tests something.
        nouns: The known facts.
        places: The variables that hold the nouns.
        people: The variables that hold the player.
    """
    if not step.operands or not step.operands[0].variable:
        return None
    which = places.get(step.operands[0].value)
    if which not in (0, 1):
        return None
    if step.number == _TEST_ATTR:
        return _has(step.operands[1], nouns.second if which else nouns.first)
    if step.number == _JE:
        return _is_one(step.operands[1:], which, nouns)
    if step.number == _JZ:
        return _is_nothing(which, nouns)
    other = step.operands[1] if step.number == _JIN else Operand(0, False)
    by_player = other.variable and other.value in people
    return True if by_player and nouns.held and which == 0 else None


def _has(attribute: Operand, attributes: bytes) -> bool | None:
    if attribute.variable or attribute.value >= 8 * len(attributes):
        return None
    return bool(attributes[attribute.value // 8] & 0x80 >> attribute.value % 8)


def _is_one(others: tuple[Operand, ...], which: int, nouns: Nouns) -> bool | None:
    if not nouns.numbers or any(other.variable for other in others):
        return None
    return nouns.numbers[which] in [other.value for other in others]


def _is_nothing(which: int, nouns: Nouns) -> bool | None:
    if nouns.numbers:
        return nouns.numbers[which] == 0
    return False if (nouns.second if which else nouns.first) else None
