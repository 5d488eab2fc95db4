"""Cheapest routes through the whole world, including its hidden parts."""

from __future__ import annotations

from collections.abc import Collection, Container
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from aq_gym.envs.babyai.logic.layout import (
    CLOSED,
    EMPTY,
    FORWARD,
    LEFT,
    LOCKED,
    OPEN,
    RIGHT,
    TOGGLE,
    WALL,
)
from aq_gym.envs.babyai.logic.world import World

# A detour is cheaper than moving a thing, which is cheaper than finding a key.
_THING_TOLL, _LOCK_TOLL = 10**4, 10**8
_CLOSED_TOLL = 10**3


class Route(NamedTuple):
    """A route to a pose that faces a cell.

    Attributes:
        actions: The primitive actions up to the first obstacle.
        obstacle: The first thing or locked door on the route, which the agent faces
            after ``actions``; EMPTY for none.
        cells: All the cells that it enters, also beyond the obstacle.
        end: The pose at its end.
        cost: The number of steps, plus a toll for each obstacle.
    """

    actions: list[int]
    obstacle: int
    cells: set[int]
    end: int
    cost: int


def find_route(
    world: World,
    cells: bytes,
    starts: Collection[int],
    targets: Container[int],
    solid: Collection[int] = (),
) -> Route | None:
    """Find the cheapest route to a pose that faces one of some cells.

    Args:
        world: The world.
        cells: The content of each cell, which may differ from the world's.
        starts: Poses to start from: the cell times four, plus the heading.
        targets: The cells to face.
        solid: The things that can't be moved or opened.

    Returns:
        The route, or None.
    """
    best = dict.fromkeys(starts, 0)
    came: dict[int, int] = {}
    queue = [(0, pose) for pose in starts]
    while queue:
        cost, pose = heappop(queue)
        if cost > best[pose]:
            continue
        cell, heading = divmod(pose, 4)
        ahead = cell + world.steps[heading]
        if ahead in targets:
            poses = _poses(came, pose)
            actions, obstacle = _actions(world, cells, poses)
            return Route(
                actions, obstacle, {p // 4 for p in poses} - {poses[0] // 4}, pose, cost
            )
        turned = cell * 4
        moves = [(cost + 1, turned + (heading + turn) % 4) for turn in (-1, 1)]
        code = cells[ahead]
        if code != WALL and code not in solid:
            moves.append((cost + 1 + _toll(world, code), ahead * 4 + heading))
        for move in moves:
            if move[0] < best.get(move[1], move[0] + 1):
                best[move[1]] = move[0]
                came[move[1]] = pose
                heappush(queue, move)
    return None


def reachable(world: World, cells: bytes, start: int) -> tuple[set[int], set[int]]:
    """Return the cells that can be reached, and the things that can be faced.

    Closed doors can be opened; locked doors and other things block the way.
    """
    reached = {start}
    faced: set[int] = set()
    stack = [start]
    while stack:
        cell = stack.pop()
        for step in world.steps:
            beyond = cell + step
            code = cells[beyond]
            if beyond in reached or code == WALL:
                continue
            if code == EMPTY or _toll(world, code) < _THING_TOLL:
                reached.add(beyond)
                stack.append(beyond)
            else:
                faced.add(code)
    return reached, faced


def _toll(world: World, code: int) -> int:
    if code == EMPTY:
        return 0
    if world.things[code].kind != "door":
        return _THING_TOLL
    return _LOCK_TOLL if world.doors[code] == LOCKED else world.doors[code] != OPEN


def _poses(came: dict[int, int], pose: int) -> list[int]:
    poses = [pose]
    while poses[-1] in came:
        poses.append(came[poses[-1]])
    return poses[::-1]


def _actions(world: World, cells: bytes, poses: list[int]) -> tuple[list[int], int]:
    """Return the actions up to the first obstacle, and that obstacle."""
    actions: list[int] = []
    for here, there in pairwise(poses):
        if here // 4 == there // 4:
            actions.append(RIGHT if (there - here) % 4 == 1 else LEFT)
            continue
        code = cells[there // 4]
        toll = _toll(world, code)
        if toll >= _THING_TOLL:
            return actions, code
        actions += [TOGGLE, FORWARD] if toll else [FORWARD]
    return actions, EMPTY


def replaced(cells: bytes, cell: int, code: int) -> bytes:
    """Return the cells with one cell changed."""
    return cells[:cell] + bytes((code,)) + cells[cell + 1 :]


def doors_on_route(
    world: World, targets: tuple[int, ...], opened: Collection[int]
) -> list[int]:
    """Return the shut doors on the path with the fewest locked, then closed doors.

    Other things can be moved, so they are no obstacles.
    """
    best = {world.agent: 0}
    came: dict[int, int] = {}
    queue = [(0, world.agent)]
    while queue:
        cost, cell = heappop(queue)
        if world.cells[cell] in targets:
            return _shut_doors(world, came, cell, opened)
        for step in world.steps:
            beyond = cell + step
            code = world.cells[beyond]
            if code == WALL:
                continue
            state = OPEN if code in opened or code in targets else world.doors[code]
            new = cost + 1
            new += _LOCK_TOLL * (state == LOCKED) + _CLOSED_TOLL * (state == CLOSED)
            if new < best.get(beyond, new + 1):
                best[beyond] = new
                came[beyond] = cell
                heappush(queue, (new, beyond))
    return []


def _shut_doors(
    world: World, came: dict[int, int], cell: int, opened: Collection[int]
) -> list[int]:
    doors: list[int] = []
    while cell in came:
        cell = came[cell]
        code = world.cells[cell]
        if world.doors[code] != OPEN and code not in opened:
            doors.append(code)
    return doors[::-1]
