"""AgentBoard's search for paths, which leads through hidden cells and closed doors."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from aq_gym.envs.babyai.logic.layout import FORWARD, LEFT, RIGHT, margin
from aq_gym.envs.babyai.logic.view import SIZE
from aq_gym.envs.babyai.logic.world import World

Cell: TypeAlias = tuple[int, int]
_Pose: TypeAlias = tuple[Cell, int]

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


def agent_cell(world: World) -> Cell:
    """Return the column and row of the agent."""
    layout = world.layout
    row, column = divmod(world.agent - margin(layout.width), layout.width)
    return column, row


class Paths:
    """AgentBoard's search, which may leave a cell by a route other than the first.

    Args:
        world: The world.
        blocked: The cells of the visible things that are in the way.

    Attributes:
        front: The cell in front of the agent.
    """

    def __init__(self, world: World, blocked: Iterable[Cell]) -> None:
        x, y = cell = agent_cell(world)
        self._start: _Pose = cell, world.heading
        self._blocked = frozenset(blocked)
        ahead = DIRECTIONS[world.heading]
        right = DIRECTIONS[(world.heading + 1) % 4]
        self.front = x + ahead[0], y + ahead[1]
        self._columns = _bounds(x, ahead[0], right[0])
        self._rows = _bounds(y, ahead[1], right[1])

    def find(self, goal: Cell, *, arrive: bool) -> list[int] | None:
        """Return the primitive actions to a cell, or to the cell before it."""
        came: dict[_Pose, tuple[_Pose, int]] = {}
        done: set[_Pose] = set()
        queue = deque([self._start])
        while queue:
            pose = queue.popleft()
            done.add(pose)
            (x, y), heading = pose
            dx, dy = (0, 0) if arrive else DIRECTIONS[heading]
            if goal == (x + dx, y + dy):
                return self._back(came, pose)
            for action in (FORWARD, LEFT, RIGHT):
                new = _after(pose, action)
                if self._is_free(new[0]) and new not in done:
                    queue.append(new)
                    # Later finds replace earlier ones until the pose is taken up.
                    came[new] = pose, action
        return None

    def _is_free(self, cell: Cell) -> bool:
        inside = cell[0] in self._columns and cell[1] in self._rows
        return inside and cell not in self._blocked

    def _back(self, came: dict[_Pose, tuple[_Pose, int]], pose: _Pose) -> list[int]:
        path: list[int] = []
        while pose != self._start:
            pose, action = came[pose]
            path.append(action)
        return path[::-1]


def _bounds(own: int, ahead: int, right: int) -> range:
    """Return the columns or rows that the view covers, as AgentBoard bounds them."""
    first = own + ahead * (SIZE - 1) - right * (SIZE // 2)
    last = first + SIZE * (right - ahead)
    return range(last, first + 1) if last < first else range(first, last)


def _after(pose: _Pose, action: int) -> _Pose:
    (x, y), heading = pose
    if action == FORWARD:
        dx, dy = DIRECTIONS[heading]
        return (x + dx, y + dy), heading
    return (x, y), (heading + (1 if action == RIGHT else -1)) % 4
