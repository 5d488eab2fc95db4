"""The length of a shortest plan, computed without the plan.

``plan_progress`` needs it after every step, so it is measured for all locations of the
agent at once: because every location is one step from any other, the lengths differ by
one at most.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from aq_gym.envs.alfworld.logic.detours import Detours
from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import processable

__all__ = ["Distance"]

_NONE = sys.maxsize
# The field of a state that contains the processed objects.
_DONE = {"clean": "clean", "heat": "hot", "cool": "cool"}
# An object and the receptacle it is in.
_Spots: TypeAlias = Sequence[tuple[int, int]]
# An object, the receptacle it is in, the location, and whether that is closed.
_Target: TypeAlias = tuple[int, int, int, bool]
# The number of receptacles that it takes less time to measure than to compare.
_FEW = 4


class _Nearest(NamedTuple):
    """The number of steps to do something, from every location.

    Attributes:
        least: The fewest steps.
        places: The locations from which these suffice; from others it is one more.
    """

    least: int
    places: Collection[int]


_UNREACHABLE = _Nearest(_NONE, ())


def _nearest(ways: Sequence[tuple[int, int]]) -> _Nearest:
    """Return the fewest steps, given the locations to start at and the steps there."""
    if len(ways) == 1:
        return _Nearest(ways[0][1], ways[0][:1])
    least = min([steps for _, steps in ways], default=_NONE)
    return _Nearest(least, [place for place, steps in ways if steps == least])


class Distance:
    """Measures the distance of a household's states from its goal.

    Args:
        house: The household.
    """

    def __init__(self, house: House) -> None:
        goal = house.goal
        self._house = house
        self._places = house.places
        self._openable = house.openable
        self._ends = house.ends
        self._kind = goal.task_type
        self._all_targets = house.targets
        self._targets = house.targets & house.portable
        self._fits = (goal.receptacle, goal.target) in house.fits
        self._able = processable(house, goal.process) if goal.process else frozenset()
        self._stays = [house.places[spot] for spot in house.processors]
        self._lamps_move = not house.lamps.isdisjoint(house.portable)
        self._rest: tuple[object, ...] = ()
        # None if what is held has to be put down.
        self._ways: _Nearest | None = None
        # By location, what ``Detours`` measured.
        self._measured: dict[int, int | None] = {}
        self._found: tuple[object, _Spots] = (None, ())
        self._lit: tuple[object, object, _Nearest] = (None, None, _UNREACHABLE)

    def __reduce__(self) -> tuple[type[Distance], tuple[House]]:
        """Copy and pickle without the caches."""
        return Distance, (self._house,)

    @cached_property
    def _detours(self) -> Detours:
        return Detours(self._house)

    def remaining(self, state: State) -> int | None:
        """Return the length of a shortest plan, None in a dead end.

        Args:
            state: A state in which the goal does not hold.
        """
        rest = state[1:]
        if rest != self._rest:
            self._ways = self._measure(state)
            self._rest = rest
            self._measured = {}
        if self._ways is None:
            location, measured = state.location, self._measured
            if location not in measured:
                measured[location] = self._detours.remaining(state)
            return measured[location]
        least, places = self._ways
        return None if least >= _NONE else least + (state.location not in places)

    def _measure(self, state: State) -> _Nearest | None:
        if state.held != NOTHING and state.held not in self._all_targets:
            return None
        if self._kind == LOOK:
            return self._to_look(state)
        if not self._fits:
            return None
        if self._kind == TWO:
            return self._to_place_two(state)
        return self._to_place(state)

    def _spots(self, state: State) -> _Spots:
        """Return the targets and the receptacles that they are in."""
        contents, found = self._found
        if contents is not state.contents:
            found, targets = [], self._targets
            for spot, lacks in enumerate(map(targets.isdisjoint, state.contents)):
                if not lacks:
                    found += [(thing, spot) for thing in targets & state.contents[spot]]
            self._found = state.contents, found
        return found

    def _taken(self, state: State, spot: int) -> int:
        """Return the steps to take an object from a receptacle that is here."""
        return 1 + (spot in self._openable and spot not in state.opened)

    def _to_look(self, state: State) -> _Nearest:
        lamps = least, lit = self._lamps(state)
        if state.held != NOTHING or least == _NONE:
            return lamps
        places, openable, opened = self._places, self._openable, state.opened
        ways = []
        for _, spot in self._spots(state):
            place, steps = places[spot], 1 + least
            if spot in openable and spot not in opened:
                steps += 1
            ways.append((place, steps + (place not in lit)))
        return _nearest(ways)

    def _lamps(self, state: State) -> _Nearest:
        """Return the steps to stand under a lamp that is on."""
        contents, toggled, found = self._lit
        is_old = self._lamps_move and contents is not state.contents
        if is_old or toggled is not state.toggled:
            lamps = self._house.lamps
            found = _nearest(
                [
                    (place, lamp not in state.toggled)
                    for place, things in zip(self._places, state.contents, strict=True)
                    if not lamps.isdisjoint(things)
                    for lamp in lamps & things
                ]
            )
            self._lit = state.contents, state.toggled, found
        return found

    def _to_place(self, state: State) -> _Nearest | None:
        process = self._house.goal.process
        done = self._able & getattr(state, _DONE[process]) if process else self._targets
        if state.held != NOTHING:
            return self._with_one_held(state, done)
        ways = []
        for thing, spot in self._spots(state):
            place, steps = self._places[spot], self._taken(state, spot)
            opened = state.opened
            if steps > 1 and spot in self._ends:
                # Taking it opens one of the goal's receptacles.
                opened |= {spot}
            least, places = self._to_end(opened)
            if thing not in done:
                least, places = self._processed(thing, least, places)
            if least < _NONE:
                ways.append((place, steps + least + (place not in places)))
        return _nearest(ways)

    def _with_one_held(self, state: State, done: frozenset[int]) -> _Nearest | None:
        held = state.held
        least, places = self._to_end(state.opened)
        if held in done or not self._house.goal.process:
            return _Nearest(least, places)
        if held not in self._able or not done.isdisjoint(self._targets):
            return None
        return self._processed(held, least, places)

    def _processed(self, thing: int, least: int, places: Collection[int]) -> _Nearest:
        """Return the steps to process a held object and then do something."""
        if thing not in self._able:
            return _UNREACHABLE
        ways = [(place, 1 + least + (place not in places)) for place in self._stays]
        return _nearest(ways)

    def _to_end(self, opened: frozenset[int]) -> _Nearest:
        """Return the steps to place what is held in the goal's receptacle."""
        places, openable = self._places, self._openable
        ways = [
            (places[end], 2 if end in openable and end not in opened else 1)
            for end in self._ends
        ]
        return _nearest(ways)

    def _to_place_two(self, state: State) -> _Nearest:
        places, openable, opened = self._places, self._openable, state.opened
        targets = [
            (thing, spot, places[spot], spot in openable and spot not in opened)
            for thing, spot in self._spots(state)
        ]
        held, ends = state.held, self._ends_for_two(state, targets)
        if held != NOTHING:
            return _nearest(
                [
                    (
                        place,
                        steps if inside else steps + _fetching(targets, held, place),
                    )
                    for place, steps, inside in ends
                    if held not in inside
                ]
            )
        ways = []
        for thing, spot, start, is_closed in targets:
            totals = [
                steps
                + (place != start)
                + (0 if inside else _fetching(targets, thing, place, spot))
                for place, steps, inside in ends
                if thing not in inside
            ]
            if totals:
                ways.append((start, 1 + is_closed + min(totals)))
        return _nearest(ways)

    def _ends_for_two(
        self, state: State, targets: Sequence[_Target]
    ) -> list[tuple[int, int, frozenset[int]]]:
        """Return the location of each end, the steps to place there, and its targets.

        With empty hands, of many ends that are far from all targets only the first one
        that is open and the first one that is closed.
        """
        openable, opened, found = self._openable, state.opened, []
        near = {place for _, _, place, _ in targets}
        is_long = state.held == NOTHING and len(self._ends) > _FEW
        far: set[int] = set()
        for end in self._ends:
            place = self._places[end]
            steps = 2 if end in openable and end not in opened else 1
            if is_long and place not in near:
                if steps in far:
                    continue
                far.add(steps)
            found.append((place, steps, state.contents[end] & self._targets))
        return found


def _fetching(
    targets: Sequence[_Target], first: int, end: int, source: int = NOTHING
) -> int:
    """Return the steps to fetch another target and to place it with the first one.

    Args:
        targets: The targets.
        first: The one that has been placed.
        end: The location where it has been placed.
        source: The receptacle that it was taken from, which is open.
    """
    least = _NONE
    for thing, spot, place, is_closed in targets:
        if thing != first:
            steps = 2 + 2 * (place != end) + (is_closed and spot != source)
            least = steps if steps < least else least
    return least
