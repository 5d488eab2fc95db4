"""Shortest plans, with full knowledge of the household."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from aq_gym.envs.alfworld.logic.house import LOOK, NOTHING, TWO, House, State
from aq_gym.envs.alfworld.logic.rules import (
    Action,
    processable,
    reached,
    solved,
)


class _Route(NamedTuple):
    """The steps so far, and the part of the state that planning depends on."""

    location: int
    opened: frozenset[int]
    steps: tuple[Action, ...]


def plan(house: House, state: State) -> tuple[Action, ...] | None:
    """Find a shortest plan by enumerating the few candidate routes to the goal.

    Args:
        house: The household.
        state: Any state of the household.

    Returns:
        The actions, empty if the goal holds; None in a dead end.
    """
    if solved(house, state):
        return ()
    return _Planner(house, state).best()


def planned(house: House, state: State) -> State:
    """Return a state with the same plan, so that many locations share a cached plan.

    For a plan, only the receptacles at a location that a route can use matter.
    """
    held, needed = state.held, house.plan_objects
    for spot in house.nearby[state.location]:
        if (
            spot in house.plan_receptacles
            or not needed.isdisjoint(state.contents[spot])
            or (held != NOTHING and house.can_hold(spot, held))
        ):
            return state
    return state._replace(location=NOTHING)


class _Planner:
    """Candidate routes from a state, one for each target, source and destination."""

    def __init__(self, house: House, state: State) -> None:
        self.house = house
        self.state = state
        self.sources: dict[int, list[int]] = {}
        targets = house.targets & house.portable
        for receptacle, things in enumerate(state.contents):
            if not targets.isdisjoint(things):
                # Sorted, because equal sets may iterate in different orders, and equal
                # states must have the same plan.
                for thing in sorted(targets & things):
                    self.sources.setdefault(thing, []).append(receptacle)
        if state.held in house.targets:
            self.sources.setdefault(state.held, [])
        self.ends = house.ends
        # The length of the best plan so far; longer routes are abandoned.
        self.limit = sys.maxsize

    def best(self) -> tuple[Action, ...] | None:
        kind = self.house.goal.task_type
        if kind == LOOK:
            ways = self.ways_to_look()
        elif kind == TWO:
            ways = self.ways_to_place_two()
        else:
            ways = self.ways_to_place()
        best: tuple[Action, ...] | None = None
        for way in ways:
            if best is None or len(way.steps) < self.limit:
                best = way.steps
                self.limit = len(best)
        return best

    def ways_to_look(self) -> Iterator[_Route]:
        house, state = self.house, self.state
        lamps = [
            (lamp, receptacle)
            for receptacle, things in enumerate(state.contents)
            for lamp in sorted(house.lamps & things)
        ]
        for thing in self.sources:
            for route in self.in_hand(self.here(), thing, state.held):
                for lamp, receptacle in lamps:
                    lit = self.go(route, receptacle)
                    if lamp not in state.toggled:
                        lit = self.do(lit, Action("use", lamp, receptacle))
                    yield lit

    def ways_to_place(self) -> Iterator[_Route]:
        for thing in self.sources:
            for taken in self.in_hand(self.here(), thing, self.state.held):
                if len(taken.steps) + 1 >= self.limit:
                    continue
                for ready in self.processed(taken, thing):
                    end = self.cheapest_end(ready, thing)
                    if end != NOTHING:
                        yield self.put(ready, thing, end)

    def ways_to_place_two(self) -> Iterator[_Route]:
        state = self.state
        for end in self.distinct_ends(self.here(), NOTHING):
            already = [thing for thing in self.sources if thing in state.contents[end]]
            pool = [thing for thing in self.sources if thing not in already]
            firsts = [state.held] if state.held in pool else pool
            for first in firsts:
                if not self.house.can_hold(end, first):
                    continue
                for route in self.in_hand(self.here(), first, state.held):
                    placed = self.put(route, first, end)
                    if already:
                        yield placed
                        continue
                    for second in pool:
                        if second != first:
                            yield from self.place_second(placed, second, end)

    def place_second(self, route: _Route, thing: int, end: int) -> Iterator[_Route]:
        for taken in self.in_hand(route, thing, NOTHING):
            yield self.put(taken, thing, end)

    def in_hand(self, route: _Route, thing: int, held: int) -> Iterator[_Route]:
        """Yield routes that end with an object in hand; they put down any other."""
        if held == thing:
            yield route
            return
        for source in self.sources[thing]:
            if held == NOTHING:
                yield self.take(route, thing, source)
                continue
            # At least three steps remain: putting down, taking, and placing or using.
            if len(route.steps) + 3 > self.limit:
                continue
            for spot in self.drops(route, held, source):
                yield self.take(self.put(route, held, spot), thing, source)

    def drops(self, route: _Route, held: int, source: int) -> list[int]:
        """Return receptacles to put an object down in on the way to a source.

        The cheapest receptacle suffices, but also the cheapest of the goal's type is
        returned, because it will be open when the object is placed.
        """
        house, places, opened = self.house, self.house.places, route.opened
        cheapest: dict[bool, tuple[int, int]] = {}
        on_the_way = (route.location, places[source])
        for receptacle in house.holders(held):
            cost = 0 if places[receptacle] in on_the_way else 1
            if receptacle in house.openable and receptacle not in opened:
                cost += receptacle != source
            is_end = receptacle in self.ends
            if is_end not in cheapest or cost < cheapest[is_end][0]:
                cheapest[is_end] = (cost, receptacle)
        return [receptacle for _, receptacle in cheapest.values()]

    def processed(self, route: _Route, thing: int) -> Iterator[_Route]:
        """Yield routes that clean, heat or cool the held object as required."""
        house = self.house
        process = house.goal.process
        if not process or reached(house, self.state, thing):
            yield route
        elif thing in processable(house, process):
            for receptacle in house.processors:
                there = self.go(route, receptacle)
                yield self.do(there, Action(process, thing, receptacle))

    def cheapest_end(self, route: _Route, thing: int) -> int:
        """Return the first of the goal's receptacles that takes the fewest steps."""
        house, location = self.house, route.location
        fits = (house.goal.receptacle, house.object_types[thing]) in house.fits
        found, least = NOTHING, 3
        for end in self.ends if fits else ():
            cost = (house.places[end] != location) + self.closed(route, end)
            if cost < least:
                found, least = end, cost
        return found

    def distinct_ends(self, route: _Route, thing: int) -> list[int]:
        """Return one receptacle of the goal's type for each relevant difference.

        Receptacles differ in whether they are closed, in whether the route or a target
        is at their location, and in the targets that they contain.
        """
        house, state = self.house, self.state
        near = {route.location} | {
            house.places[source] for spots in self.sources.values() for source in spots
        }
        found: dict[object, int] = {}
        for end in self.ends:
            if thing != NOTHING and not house.can_hold(end, thing):
                continue
            place = house.places[end]
            inside = state.contents[end].intersection(self.sources)
            key = (self.closed(route, end), place if place in near else -1, inside)
            found.setdefault(key, end)
        return list(found.values())

    def here(self) -> _Route:
        return _Route(self.state.location, self.state.opened, ())

    def closed(self, route: _Route, receptacle: int) -> bool:
        return receptacle in self.house.openable and receptacle not in route.opened

    def go(self, route: _Route, receptacle: int) -> _Route:
        place = self.house.places[receptacle]
        if place == route.location:
            return route
        return _Route(place, route.opened, (*route.steps, Action("go", receptacle)))

    def reach(self, route: _Route, receptacle: int) -> _Route:
        """Go to a receptacle and open it if it is closed."""
        there = self.go(route, receptacle)
        if not self.closed(there, receptacle):
            return there
        opened = there.opened | {receptacle}
        return _Route(
            there.location, opened, (*there.steps, Action("open", receptacle))
        )

    def take(self, route: _Route, thing: int, source: int) -> _Route:
        return self.do(self.reach(route, source), Action("take", thing, source))

    def put(self, route: _Route, thing: int, end: int) -> _Route:
        return self.do(self.reach(route, end), Action("put", thing, end))

    def do(self, route: _Route, action: Action) -> _Route:
        return _Route(route.location, route.opened, (*route.steps, action))
