"""minigrid's partial view: 7 by 7 cells in front of the agent.

A slot is a cell of the view, numbered row by row from far left; the agent itself is in
the middle of the nearest row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TypeAlias

from aq_gym.envs.babyai.logic.layout import EMPTY, WALL
from aq_gym.envs.babyai.logic.world import World

SIZE = 7
MIDDLE = SIZE // 2
OWN_SLOT = SIZE * SIZE - 1 - MIDDLE
FRONT_SLOT = OWN_SLOT - SIZE


def depth(slot: int) -> int:
    """Return the number of steps to a slot ahead."""
    return SIZE - 1 - slot // SIZE


def side(slot: int) -> int:
    """Return the number of steps to a slot on the right; negative on the left."""
    return slot % SIZE - MIDDLE


_ALL = range(SIZE * SIZE)
# By distance; at the same distance far rows first, and left to right.
_NEAR_TO_FAR = sorted(_ALL, key=lambda slot: depth(slot) + abs(side(slot)))
_RANK = tuple(map(_NEAR_TO_FAR.index, _ALL))


# The first slot of a row, the visible columns, and what the whole row holds.
Row: TypeAlias = tuple[int, tuple[int, ...], bytes]


class View:
    """The visible cells at one moment; each part is computed on first use.

    Args:
        world: The world, which must not change as long as the view is used.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    @cached_property
    def rows(self) -> list[Row]:
        """The rows that light reaches, nearest first."""
        return _look(self._world)

    @cached_property
    def things(self) -> list[tuple[int, int]]:
        """The visible things as (slot, thing), in AgentBoard's order.

        Nearest first; at the same distance far rows first, and left to right.
        """
        return _things(self.rows)

    @cached_property
    def known(self) -> set[int]:
        """The things that are visible or carried."""
        known = {code for _, code in self.things}
        if self._world.carrying:
            known.add(self._world.carrying)
        return known

    @cached_property
    def slots(self) -> dict[int, int]:
        """The content of each visible slot, without the agent's own."""
        slots = {
            first_slot + column: row[column]
            for first_slot, columns, row in self.rows
            for column in columns
        }
        del slots[OWN_SLOT]
        return slots

    @property
    def empty(self) -> bool:
        """Whether nothing is visible, not even a wall."""
        return not self.things and not any(self.slots.values())

    @property
    def front(self) -> int:
        """The content of the cell in front of the agent."""
        # The cell in front of the agent is always visible.
        return self.content(FRONT_SLOT)

    def content(self, slot: int) -> int:
        """Return the content of a visible slot."""
        return self.rows[depth(slot)][2][slot % SIZE]

    def ahead(self) -> Iterator[tuple[int, int]]:
        """Yield the visible slots straight ahead, as (steps, content)."""
        for steps, (_, columns, row) in enumerate(self.rows):
            if steps and MIDDLE in columns:
                yield steps, row[MIDDLE]


def _rank(item: tuple[int, int]) -> int:
    return _RANK[item[0]]


_NO_THINGS = bytes((EMPTY, WALL))


def _look(world: World) -> list[Row]:
    cells, opaque = world.cells, world.opaque
    ahead = world.steps[world.heading]
    right = world.steps[(world.heading + 1) % 4]
    left_end = world.agent - MIDDLE * right
    light = 1 << MIDDLE
    rows: list[Row] = []
    for first_slot in range(SIZE * (SIZE - 1), -1, -SIZE):
        row = cells[left_end : left_end + SIZE * right : right]
        columns, light = _spread(light, row.translate(opaque))
        rows.append((first_slot, columns, row))
        # Nothing beyond the outer wall is visible, so it is never read.
        if not light:
            break
        left_end += ahead
    return rows


def _things(rows: list[Row]) -> list[tuple[int, int]]:
    things: list[tuple[int, int]] = []
    for first_slot, columns, row in rows:
        # Few rows hold a thing; this test runs in C.
        if row.translate(None, _NO_THINGS):
            things += [
                (first_slot + column, row[column])
                for column in columns
                if row[column] > WALL and first_slot + column != OWN_SLOT
            ]
    things.sort(key=_rank)
    return things


@lru_cache(maxsize=1 << 14)
def _spread(light: int, opaque: bytes) -> tuple[tuple[int, ...], int]:
    """Propagate visibility along one row, to the right first, as minigrid does.

    Args:
        light: The columns that light reaches from the row before, as bits.
        opaque: For each column whether it stops light.

    Returns:
        The visible columns, and the columns of the next row that light reaches.
    """
    beyond = 0
    rightward = [(column, column + 1) for column in range(SIZE - 1)]
    leftward = [(column, column - 1) for column in range(SIZE - 1, 0, -1)]
    for column, neighbour in rightward + leftward:
        if light >> column & 1 and not opaque[column]:
            light |= 1 << neighbour
            beyond |= 1 << neighbour | 1 << column
    return tuple(i for i in range(SIZE) if light >> i & 1), beyond
