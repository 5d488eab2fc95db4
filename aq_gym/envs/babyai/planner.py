"""Plan one clause of a mission, knowing the whole world."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Container, Iterator, Set

from aq_gym.envs.babyai.logic.layout import (
    CLOSED,
    DONE,
    DROP,
    EMPTY,
    FORWARD,
    LEFT,
    LOCKED,
    OPEN,
    PICKUP,
    TOGGLE,
    Clause,
    forbidden,
)
from aq_gym.envs.babyai.logic.routes import Route, find_route, reachable, replaced
from aq_gym.envs.babyai.logic.world import World

_NO_WAY = 10**12


class Planner:
    """Plans from the current state, without memory of earlier plans.

    It picks up a thing only if the route to its destination is free, and puts it down
    where it blocks no route, so that plans do not undo each other.

    Args:
        world: The world, which is not changed.
        clause: The clause to do.
        choice: Where to put things down, see :func:`put_down`.
    """

    def __init__(self, world: World, clause: Clause, choice: int = 0) -> None:
        self._world = world
        self._clause = clause
        self._choice = choice
        self._pose = world.agent * 4 + world.heading
        # Things that must not be moved or opened, or that the plan already handles.
        self._solid = forbidden(world.layout, clause)
        # Cells where nothing should be put down: targets, and the routes ahead.
        self._keep_free: set[int] = set()
        self._ways: set[int] = set()
        self._aim: Collection[int] = ()

    def plan(self) -> list[int] | None:
        """Return primitive actions that bring the clause closer to completion.

        Returns:
            The actions, or None in a dead end.
        """
        act = {
            "goto": self._go_to,
            "pickup": self._pick_up,
            "open": self._open,
            "putnext": self._put_next,
        }
        return act[self._clause.kind]()

    def _go_to(self) -> list[int] | None:
        goals = self._world.verifier.goals[self._clause.number]
        if not goals and self._world.carrying in self._clause.targets:
            return self._put_down()
        plan = self._walk(goals, [])
        return [DONE] if plan == [] else plan

    def _pick_up(self) -> list[int] | None:
        world = self._world
        if world.carrying in self._clause.targets:
            return self._put_down()
        return self._take(world.places(self._clause.targets))

    def _open(self) -> list[int] | None:
        world = self._world
        for state, then in ((CLOSED, [TOGGLE, FORWARD]), (OPEN, [TOGGLE])):
            doors = [c for c in self._clause.targets if world.doors[c] == state]
            plan = self._walk(world.places(tuple(doors)), then)
            if plan is not None:
                return plan
        for door in self._clause.targets:
            plan = self._unlock(door) if world.doors[door] == LOCKED else None
            if plan is not None:
                return plan
        return None

    def _put_next(self) -> list[int] | None:
        world, clause = self._world, self._clause
        self._keep_free = self._beside(world.places(clause.fixed))
        if world.carrying in clause.fixed and not self._keep_free:
            return self._put_down()
        if world.carrying in clause.targets:
            if world.verifier.held[clause.number] != world.carrying:
                # The verifier registers the carried thing at the next step.
                return [LEFT]
            free = [c for c in self._keep_free if world.cells[c] == EMPTY]
            plan = self._walk(free, [DROP])
        else:
            plan = self._fetch(clause.targets, self._keep_free)
        return plan or self._make_room()

    def _make_room(self) -> list[int] | None:
        """Remove a thing from a cell in which another thing must be put."""
        for cell in sorted(self._keep_free):
            code = self._world.cells[cell]
            if self._world.portable(code):
                plan = self._clear(code)
                if plan is not None:
                    return plan
        return None

    def _walk(self, targets: Collection[int], then: list[int]) -> list[int] | None:
        """Walk until one of the cells is in front, or handle the first obstacle."""
        self._aim = self._aim or targets
        while targets:
            route = self._route(targets)
            if route is None:
                return None
            if not route.obstacle:
                return route.actions + then
            self._ways |= route.cells
            plan = self._clear(route.obstacle)
            if plan is not None:
                return plan
            self._solid.add(route.obstacle)
        return None

    def _clear(self, obstacle: int) -> list[int] | None:
        world = self._world
        if obstacle in self._solid:
            return None
        if world.things[obstacle].kind == "door":
            return self._unlock(obstacle)
        self._solid.add(obstacle)
        cells = world.places((obstacle,))
        if self._clause.strict:
            # Picking the thing up would fail the mission; a box can be opened instead.
            return self._walk(cells, [TOGGLE])
        return self._take(cells)

    def _take(self, cells: Collection[int]) -> list[int] | None:
        """Pick up the thing in one of the cells; drop the carried one late.

        The carried thing may be the key of a door on the route.
        """
        route = self._route(cells)
        if self._world.carrying and route and not route.obstacle:
            self._ways |= route.cells
            self._aim = self._aim or cells
            return self._put_down()
        return self._walk(cells, [PICKUP])

    def _unlock(self, door: int) -> list[int] | None:
        world = self._world
        self._solid.add(door)
        before_door = world.places((door,))
        if world.unlocks(door):
            return self._walk(before_door, [TOGGLE, FORWARD])
        color = world.things[door].color
        keys = [c for c, t in enumerate(world.things) if t[:2] == ("key", color)]
        plan = self._fetch(tuple(keys), before_door)
        if plan is not None:
            return plan
        boxes = [c for c, t in enumerate(world.things) if t.contains in keys]
        if world.carrying in boxes:
            return self._put_down()
        return self._walk(world.places(tuple(boxes)), [TOGGLE])

    def _fetch(
        self, things: tuple[int, ...], onward: Collection[int]
    ) -> list[int] | None:
        """Pick up one of the things, once the route from its cell is free."""
        world = self._world
        ways: list[tuple[int, int, Route, Route]] = []
        for cell in world.places(things):
            way, on = self._route((cell,)), self._route_from(cell, onward)
            if way and on:
                ways.append((way.cost + on.cost, cell, way, on))
        for _, cell, way, on in sorted(ways, key=lambda way: way[:2]):
            self._ways |= way.cells | on.cells
            self._aim = self._aim or (cell,)
            plan = self._clear(on.obstacle) if on.obstacle else self._take((cell,))
            if plan is not None:
                return plan
        return None

    def _put_down(self) -> list[int] | None:
        """Put down the carried thing where it blocks least."""
        world = self._world
        solid = forbidden(world.layout, self._clause)
        return put_down(
            world, solid, self._keep_free, self._ways, self._aim, self._choice
        )

    def _route(self, targets: Container[int]) -> Route | None:
        world = self._world
        return find_route(world, world.cells, (self._pose,), targets, self._solid)

    def _route_from(self, cell: int, targets: Collection[int]) -> Route | None:
        """Find the route from a thing's cell, once the thing is picked up."""
        cells = replaced(self._world.cells, cell, EMPTY)
        free = [c for c in targets if not self._world.portable(cells[c])]
        starts = range(cell * 4, cell * 4 + 4)
        return find_route(self._world, cells, starts, free, self._solid)

    def _beside(self, cells: Collection[int]) -> set[int]:
        """Return the neighbouring cells in which a thing is or can be put."""
        world = self._world
        around = {cell + step for cell in cells for step in world.steps}
        return {
            cell
            for cell in around
            if world.cells[cell] == EMPTY or world.portable(world.cells[cell])
        }


def put_down(
    world: World,
    solid: Collection[int],
    keep_free: Set[int],
    ways: Set[int],
    aim: Collection[int],
    choice: int,
) -> list[int] | None:
    """Plan to put down the carried thing.

    The best cell is one where the thing blocks no route. If there is none, it is a cell
    off the planned routes, else the cell that leaves the shortest route to ``aim``.

    Args:
        world: The world.
        solid: The things that must not be moved or opened.
        keep_free: Cells in which another thing will be put.
        ways: Cells of the planned routes.
        aim: Cells; the agent must face one of them next.
        choice: 0 for the rule above; each other number picks a pseudo-random cell,
            which depends only on the world.

    Returns:
        The actions, or None if the thing can't be put down anywhere.
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
    # Not hash(), which differs between processes.
    number = zlib.crc32(world.cells, choice + 256 * world.carrying)
    return [*places[number % len(places)].actions, DROP]


def _places(
    world: World, solid: Collection[int], cells: Set[int]
) -> Iterator[tuple[int, Route]]:
    """Yield the cells that the agent can come to face, with the route to each."""
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
