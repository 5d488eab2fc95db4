"""Choose the cell where the carried thing blocks least."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Set

from aq_gym.envs.babyai.logic.layout import DROP, EMPTY
from aq_gym.envs.babyai.logic.routes import Route, find_route, reachable, replaced
from aq_gym.envs.babyai.logic.world import World

_NO_WAY = 10**12


def put_down(
    world: World,
    solid: Collection[int],
    keep_free: Set[int],
    ways: Set[int],
    aim: Collection[int],
    choice: int,
) -> list[int] | None:
    """Plan to put down the carried thing.

    It is put where it cuts nothing off, if there is such a cell; otherwise off the
    ways; otherwise where the remaining way is shortest.

    Args:
        world: The world.
        solid: What must not be dealt with.
        keep_free: Cells in which something is to be put.
        ways: Cells of the ways that are to be gone.
        aim: The cells to be faced next.
        choice: 0 as said; any other number picks some other place, the same as long
            as things are where they are.

    Returns:
        None if it can't be put down anywhere.
    """
    pose = world.agent * 4 + world.heading
    empty = {cell for cell, code in enumerate(world.cells) if code == EMPTY}
    if choice:
        return _any_place(world, solid, empty, choice)
    for targets in (_SafeCells(world, keep_free), empty - keep_free - ways):
        route = find_route(world, world.cells, (pose,), targets, solid)
        if route and not route.obstacle:
            return [*route.actions, DROP]
    best: tuple[int, list[int]] | None = None
    for cell, route in _places(world, solid, empty):
        cost = route.cost + _way_on(world, cell, route, aim, solid)
        if best is None or cost < best[0]:
            best = cost, [*route.actions, DROP]
    return best[1] if best else None


def _any_place(
    world: World, solid: Collection[int], empty: Set[int], choice: int
) -> list[int] | None:
    places = [route for _, route in _places(world, solid, empty)]
    if not places:
        return None
    # hash() differs between processes.
    number = zlib.crc32(world.cells, choice + 256 * world.carrying)
    return [*places[number % len(places)].actions, DROP]


def _places(
    world: World, solid: Collection[int], cells: Set[int]
) -> Iterator[tuple[int, Route]]:
    """Yield the cells that can be faced, with the route to each."""
    pose = world.agent * 4 + world.heading
    for cell in sorted(cells):
        route = find_route(world, world.cells, (pose,), (cell,), solid)
        if route and not route.obstacle:
            yield cell, route


def _way_on(
    world: World,
    cell: int,
    route: Route,
    aim: Collection[int],
    solid: Collection[int],
) -> int:
    """Return the cost of the remaining route with the carried thing in a cell."""
    cells = replaced(world.cells, cell, world.carrying)
    on = find_route(world, cells, (route.end,), aim, solid)
    return on.cost if on else _NO_WAY


class _SafeCells:
    """The cells where the carried thing blocks no route; computed on demand."""

    def __init__(self, world: World, keep_free: Set[int]) -> None:
        self._world = world
        self._keep_free = keep_free
        self._reached, self._faced = reachable(world, world.cells, world.agent)
        self._answers: dict[int, bool] = {}

    def __contains__(self, cell: object) -> bool:
        assert isinstance(cell, int)
        if cell not in self._answers:
            self._answers[cell] = self._is_safe(cell)
        return self._answers[cell]

    def _is_safe(self, cell: int) -> bool:
        world = self._world
        rest = self._reached - {cell}
        if world.cells[cell] != EMPTY or cell in self._keep_free or not rest:
            return False
        cells = replaced(world.cells, cell, world.carrying)
        reached, faced = reachable(world, cells, min(rest))
        return reached >= rest and faced >= self._faced
