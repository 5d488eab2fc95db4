"""minigrid's partial view: 7 by 7 cells in front of the agent.

A slot is a cell of the view. Slots are numbered row by row from the far left; the agent
is in the middle of the nearest row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import TypeAlias

from aq_gym.envs.babyai.logic.layout import EMPTY, FORWARD, LEFT, RIGHT, WALL
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
# Slots by distance; at the same distance, far rows first, each from left to right.
_NEAR_TO_FAR = sorted(_ALL, key=lambda slot: depth(slot) + abs(side(slot)))
_RANK = tuple(map(_NEAR_TO_FAR.index, _ALL))


# The first slot of a row, its visible columns, and the content of all its cells.
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

        Nearest first; at the same distance, far rows first, each from left to right.
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
        """The content of each visible slot except the agent's."""
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
        # The outer wall stops all light, so the loop ends before it leaves the world.
        if not light:
            break
        left_end += ahead
    return rows


def _things(rows: list[Row]) -> list[tuple[int, int]]:
    things: list[tuple[int, int]] = []
    for first_slot, columns, row in rows:
        # A fast test that runs in C, because few rows hold a thing.
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
    """Propagate visibility along one row, as minigrid does: to the right, then left.

    Args:
        light: The columns that light reaches from the row before, as bits.
        opaque: Whether the cell in each column stops light.

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


# A slot times four, plus a heading relative to the agent's: 0 ahead, 1 right, and so
# on.
Pose: TypeAlias = int

START: Pose = OWN_SLOT * 4


class Paths:
    """The shortest paths from the agent's pose, by one breadth-first search.

    Open doors can be walked through; closed doors and other things can only be
    faced. Paths never enter hidden cells. The search stops once a question is answered,
    and the next question continues it.
    """

    def __init__(self, world: World, view: View) -> None:
        # One extra cell at the end, which index -1 reads, is never free.
        self._free = bytearray(SIZE * SIZE + 1)
        for first_slot, columns, row in view.rows:
            for column in columns:
                self._free[first_slot + column] = row[column] == EMPTY
        for slot, code in view.things:
            self._free[slot] = world.passable(code)
        self._free[OWN_SLOT] = True
        # The pose before each pose; -1 for poses that were not reached.
        self._came = [-1] * len(_MOVES)
        self._came[START] = START
        self._queue = [START]
        self._done = 0

    def facing(self, slot: int) -> Pose | None:
        """Return the first pose that faces a slot, or None."""
        came, queue = self._came, self._queue
        found = [queue.index(pose) for pose in _FACING[slot] if came[pose] >= 0]
        if found and min(found) < self._done:
            return queue[min(found)]
        return self._search(slot)

    def inside(self, slot: int) -> Pose | None:
        """Return the first pose in a slot, None if it can't be entered."""
        pose = self.facing(slot)
        return None if pose is None or not self._free[slot] else _MOVES[pose][1]

    def to(self, pose: Pose) -> list[int]:
        """Return the primitive actions that lead to a pose reached by the search."""
        actions: list[int] = []
        while pose != START:
            before = self._came[pose]
            actions.append(_MOVES[before].index(pose, 1))
            pose = before
        return [_ACTIONS[move] for move in reversed(actions)]

    def _search(self, wanted: int) -> Pose | None:
        """Continue the search until a pose faces a slot, and return that pose."""
        free, came, queue = self._free, self._came, self._queue
        for pose in islice(queue, self._done, None):
            self._done += 1
            front, forward, left, right = _MOVES[pose]
            if free[front] and came[forward] < 0:
                came[forward] = pose
                queue.append(forward)
            if came[left] < 0:
                came[left] = pose
                queue.append(left)
            if came[right] < 0:
                came[right] = pose
                queue.append(right)
            if front == wanted:
                return pose
        return None


def after(pose: Pose, action: int) -> Pose | None:
    """Return the pose after a step, or None outside the view.

    Args:
        pose: The pose before the step.
        action: FORWARD, LEFT or RIGHT.
    """
    front, forward, left, right = _MOVES[pose]
    if action == FORWARD:
        return None if front < 0 else forward
    return left if action == LEFT else right


def front_of(pose: Pose) -> int:
    """Return the slot in front of a pose, -1 where the view ends."""
    return _MOVES[pose][0]


def _moves(slot: int, heading: int) -> tuple[int, Pose, Pose, Pose]:
    """Return the slot in front, and the poses after FORWARD, LEFT and RIGHT."""
    front = _ahead(slot, heading)
    turned = slot * 4
    left, right = turned + (heading - 1) % 4, turned + (heading + 1) % 4
    return front, front * 4 + heading, left, right


def _ahead(slot: int, heading: int) -> int:
    """Return the next slot in a direction, -1 where the view ends."""
    row, column = divmod(slot, SIZE)
    row += (-1, 0, 1, 0)[heading]
    column += (0, 1, 0, -1)[heading]
    inside = 0 <= row < SIZE and 0 <= column < SIZE
    return row * SIZE + column if inside else -1


_MOVES = tuple(
    _moves(slot, heading) for slot in range(SIZE * SIZE) for heading in range(4)
)
# The index of each action in the tuples above.
_ACTIONS = {1: FORWARD, 2: LEFT, 3: RIGHT}
_FACING = tuple(
    tuple(pose for pose, moves in enumerate(_MOVES) if moves[0] == slot)
    for slot in range(SIZE * SIZE)
)
