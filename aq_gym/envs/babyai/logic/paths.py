"""Shortest paths through the cells that are visible now."""

from __future__ import annotations

from itertools import islice
from typing import TypeAlias

from aq_gym.envs.babyai.logic.layout import EMPTY, FORWARD, LEFT, RIGHT
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE, View
from aq_gym.envs.babyai.logic.world import World

# A slot times four, plus a heading: 0 as the agent looks now, 1 to its right, and so
# on.
Pose: TypeAlias = int

START: Pose = OWN_SLOT * 4


class Paths:
    """The shortest paths from the agent's pose, by one breadth-first search.

    Open doors can be walked through; closed doors and other things can only be
    faced. Hidden cells are never walked on. The search goes only as far as the
    question needs, and the next one continues it.
    """

    def __init__(self, world: World, view: View) -> None:
        # One extra cell, which is never free, for index -1.
        self._free = bytearray(SIZE * SIZE + 1)
        for first_slot, columns, row in view.rows:
            for column in columns:
                self._free[first_slot + column] = row[column] == EMPTY
        for slot, code in view.things:
            self._free[slot] = world.passable(code)
        self._free[OWN_SLOT] = True
        # The pose before each pose, -1 for those that were not reached.
        self._came = [-1] * len(_MOVES)
        self._came[START] = START
        self._queue = [START]
        self._done = 0

    def facing(self, slot: int) -> Pose | None:
        """Return the first pose that faces a slot, None if there is none."""
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
        """Return the primitive actions that lead to a pose that was reached."""
        actions: list[int] = []
        while pose != START:
            before = self._came[pose]
            actions.append(_MOVES[before].index(pose, 1))
            pose = before
        return [_ACTIONS[move] for move in reversed(actions)]

    def _search(self, wanted: int) -> Pose | None:
        """Continue until a pose faces a slot, and return it."""
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
        pose: The pose before it.
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
# The place of each action in the tuples above.
_ACTIONS = {1: FORWARD, 2: LEFT, 3: RIGHT}
_FACING = tuple(
    tuple(pose for pose, moves in enumerate(_MOVES) if moves[0] == slot)
    for slot in range(SIZE * SIZE)
)
