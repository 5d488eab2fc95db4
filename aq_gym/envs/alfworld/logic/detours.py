"""The length of a shortest plan if another object may have to be put down first.

It enumerates the same candidate routes as ``plan``, but adds up numbers only.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import processable, reached

__all__ = ["Detours"]

# A way to hold an object: its length, the location at its end, and the one or two
# receptacles that are open then.
_Grip: TypeAlias = tuple[int, int, int, int]
_Sources: TypeAlias = Mapping[int, list[int]]

_NONE = sys.maxsize
# The fewest steps to put down one object, take another and use it.
_EXCHANGE = 3
# The number of receptacles that it takes less time to measure than to compare.
_FEW = 4


class Detours:
    """Measures the distance of states from the goal, whatever the agent holds.

    Args:
        house: The household.
    """

    def __init__(self, house: House) -> None:
        goal = house.goal
        self._house = house
        self._targets = house.targets & house.portable
        self._ends = frozenset(house.ends)
        self._ends_at: dict[int, list[int]] = {}
        for end in house.ends:
            self._ends_at.setdefault(house.places[end], []).append(end)
        self._fits = (goal.receptacle, goal.target) in house.fits
        self._always_open = not self._ends <= house.openable
        self._able = processable(house, goal.process) if goal.process else frozenset()
        self._found: tuple[object, _Sources] = (None, {})
        self._lit: tuple[object, _Sources] = (None, {})
        self._lamps_move = not house.lamps.isdisjoint(house.portable)
        self._differ: tuple[object, object, Sequence[int]] = (None, None, ())

    def __reduce__(self) -> tuple[type[Detours], tuple[House]]:
        """Copy and pickle without the caches."""
        return Detours, (self._house,)

    def remaining(self, state: State) -> int | None:
        """Return the length of a shortest plan, None in a dead end.

        Args:
            state: A state in which the goal does not hold.
        """
        kind = self._house.goal.task_type
        if kind == LOOK:
            least = self._to_look(state)
        elif not self._fits:
            return None
        elif kind == TWO:
            least = self._to_place_two(state)
        else:
            least = self._to_place(state)
        return least if least < _NONE else None

    def _sources(self, state: State) -> _Sources:
        """Return the receptacles that each target is in; a held one is in none."""
        contents, sources = self._found
        if contents is not state.contents:
            sources = _places_of(self._targets, state)
            self._found = state.contents, sources
        if state.held in self._house.targets:
            # First, because holding it is cheapest, and limits the others.
            return {state.held: [], **sources}
        return sources

    def _lamps(self, state: State) -> _Sources:
        contents, lamps = self._lit
        is_old = self._lamps_move and contents is not state.contents
        if contents is None or is_old:
            lamps = _places_of(self._house.lamps, state)
            self._lit = state.contents, lamps
        return lamps

    def _to_look(self, state: State) -> int:
        house, least = self._house, _NONE
        lamps = [
            (house.places[spot], lamp not in state.toggled)
            for lamp, spots in self._lamps(state).items()
            for spot in spots
        ]
        for thing, spots in self._sources(state).items():
            if thing != state.held != NOTHING and least <= _EXCHANGE:
                break
            for steps, place, _, _ in self._grips(state, thing, spots, least):
                for there, is_off in lamps:
                    total = steps + (there != place) + is_off
                    least = total if total < least else least
        return least

    def _to_place(self, state: State) -> int:
        house, least = self._house, _NONE
        for thing, spots in self._sources(state).items():
            if thing != state.held != NOTHING and least <= _EXCHANGE:
                break
            processors = house.processors
            if reached(house, state, thing):
                processors = ()
            elif thing not in self._able or not processors:
                continue
            # Processing and placing it takes two steps or more.
            most = least - (2 if processors else 1)
            for grip in self._grips(state, thing, spots, most):
                steps, place, first, second = grip
                if not processors:
                    least = min(least, steps + self._to_end(state, grip))
                for processor in processors:
                    there = house.places[processor]
                    steps = grip[0] + (there != place) + 1
                    ready = (steps, there, first, second)
                    least = min(least, steps + self._to_end(state, ready))
        return least

    def _to_end(self, state: State, grip: _Grip) -> int:
        """Return the steps to place what is held in the goal's receptacle."""
        openable, opened = self._house.openable, state.opened
        _, place, first, second = grip
        here = self._ends_at.get(place, ())
        for end in here:
            if end not in openable or end in opened or end in (first, second):
                return 1
        if here or self._always_open or not self._ends.isdisjoint(opened):
            return 2
        return 2 if first in self._ends or second in self._ends else 3

    def _to_place_two(self, state: State) -> int:
        least, sources = _NONE, self._sources(state)
        held = state.held if state.held in sources else NOTHING
        grips = [
            (thing, grip)
            for thing, spots in sources.items()
            if held in (NOTHING, thing)
            for grip in self._grips(state, thing, spots, _NONE)
        ]
        for end in self._relevant_ends(state):
            there = state.contents[end]
            is_empty = there.isdisjoint(sources)
            # To fetch another takes two steps or more.
            more = 2 if is_empty else 0
            for thing, grip in grips:
                if thing in there or grip[0] + 1 + more >= least:
                    continue
                steps = grip[0] + self._reach(state, grip, end) + 1
                if is_empty and steps + more < least:
                    steps += self._second(state, sources, thing, grip, end)
                elif is_empty:
                    continue
                least = min(least, steps)
        return least

    def _second(
        self, state: State, sources: _Sources, first: int, grip: _Grip, end: int
    ) -> int:
        """Return the steps to fetch another object and place it with the first."""
        least, places = _NONE, self._house.places
        for thing, spots in sources.items():
            for spot in spots if thing != first else ():
                steps = 2 + 2 * (places[spot] != places[end])
                if spot not in (end, grip[2], grip[3]):
                    steps += self._closed(state, spot)
                least = min(least, steps)
        return least

    def _relevant_ends(self, state: State) -> Sequence[int]:
        """Return those of the goal's receptacles that can differ in a shortest plan."""
        if len(self._house.ends) <= _FEW:
            return self._house.ends
        contents, opened, ends = self._differ
        if contents is not state.contents or opened is not state.opened:
            ends = self._different_ends(state)
            self._differ = state.contents, state.opened, ends
        here = self._ends_at.get(state.location)
        return ends if here is None else [*here, *ends]

    def _different_ends(self, state: State) -> list[int]:
        """Return one of the goal's receptacles for each relevant difference.

        Those at the agent's location differ from all others, but are not considered.
        """
        places, targets, contents = self._house.places, self._targets, state.contents
        sources = self._sources(state)
        near = {places[spot] for spots in sources.values() for spot in spots}
        found: dict[object, int] = {}
        openable, opened = self._house.openable, state.opened
        for end in self._house.ends:
            place = places[end] if places[end] in near else NOTHING
            inside = contents[end] & targets
            is_closed = end in openable and end not in opened
            found.setdefault((is_closed, place, inside), end)
        return list(found.values())

    def _grips(
        self, state: State, thing: int, spots: list[int], limit: int
    ) -> list[_Grip]:
        """Return ways to hold an object, with any other one put down first.

        Ways with that many steps may be left out.
        """
        held, here, places = state.held, state.location, self._house.places
        if held == thing:
            return [(0, here, NOTHING, NOTHING)]
        grips = []
        for spot in spots:
            place, closed = places[spot], self._closed(state, spot)
            if held == NOTHING:
                grips.append(((place != here) + closed + 1, place, spot, NOTHING))
                continue
            if closed + 2 >= limit:
                continue
            for drop in self._drops(state, spot):
                steps = (places[drop] != here) + self._closed(state, drop) + 1
                steps += (place != places[drop]) + (closed and drop != spot) + 1
                grips.append((steps, place, spot, drop))
        return grips

    def _drops(self, state: State, source: int) -> list[int]:
        """Return where to put down what is held, on the way to a source.

        The first of the cheapest receptacles, among those of the goal's type, which
        are then open, and among the others.
        """
        house, ends = self._house, self._ends
        on_the_way = (state.location, house.places[source])
        cheapest: dict[bool, tuple[int, int]] = {}
        for spot in house.holders(state.held):
            cost = (house.places[spot] not in on_the_way) + (
                spot != source and self._closed(state, spot)
            )
            is_end = spot in ends
            if is_end not in cheapest or cost < cheapest[is_end][0]:
                cheapest[is_end] = cost, spot
        return [spot for _, spot in cheapest.values()]

    def _reach(self, state: State, grip: _Grip, receptacle: int) -> int:
        _, place, first, second = grip
        far = self._house.places[receptacle] != place
        if receptacle in (first, second):
            return far
        return far + self._closed(state, receptacle)

    def _closed(self, state: State, receptacle: int) -> bool:
        return receptacle in self._house.openable and receptacle not in state.opened


def _places_of(wanted: frozenset[int], state: State) -> dict[int, list[int]]:
    """Return the receptacles that each of some objects is in."""
    contents = state.contents
    found: dict[int, list[int]] = {}
    for receptacle, lacks in enumerate(map(wanted.isdisjoint, contents)):
        if not lacks:
            for thing in wanted & contents[receptacle]:
                found.setdefault(thing, []).append(receptacle)
    return found
