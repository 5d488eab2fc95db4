"""Plans with few moves for two transport domains, gripper and logistics.

An A* search over the moves of vehicles; the stops of each parcel are known in advance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from aq_gym.envs.pddl.logic.formulas import positions
from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.envs.pddl.logic.table import Key
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.piecewise import carried_out, search

# A place to which a parcel is brought, after the network of the vehicles for it.
Stop: TypeAlias = tuple[str, str]
# The place or vehicle where a parcel is, and its remaining stops.
Cargo: TypeAlias = tuple[str, tuple[Stop, ...]]
# A parcel or vehicle, and the vehicle or place to which it goes.
Step: TypeAlias = tuple[str, str]
# The places of the vehicles, and all cargo in order: equal parcels are interchangeable.
_State: TypeAlias = tuple[tuple[str, ...], tuple[Cargo, ...]]

# With n parcels, a search reaches at most _MOST_WORK / n**2 states, at least _FEWEST.
_MOST_WORK = 300_000
_FEWEST = 100


class Vehicle(NamedTuple):
    """A vehicle, which can move between any two places of its network.

    Attributes:
        name: Its name.
        network: The name of its network.
        capacity: The number of parcels that it can carry, equal for a whole network.
    """

    name: str
    network: str
    capacity: int


class _Move(NamedTuple):
    vehicle: int
    loads: tuple[Cargo, ...]
    place: str


def deliver(
    vehicles: dict[Vehicle, str], parcels: dict[str, Cargo]
) -> list[Step] | None:
    """Find a plan with few moves by A*; in small problems it has the fewest moves.

    There are few states, because equal parcels are interchangeable, cargo is always
    unloaded at its stops, and a vehicle with room for everything loads everything.

    The number of other steps is the same in every plan: each parcel is loaded and
    unloaded once for each of its stops.

    Args:
        vehicles: The place of each vehicle.
        parcels: The cargo of each parcel.

    Returns:
        The steps; None if no plan was found within the limit of states.
    """
    fleet = _Fleet(list(vehicles))
    start = tuple(vehicles.values()), tuple(sorted(parcels.values()))
    most = max(_FEWEST, _MOST_WORK // max(1, len(parcels)) ** 2)
    moves = search(fleet.unload(start), fleet.successors, fleet.bound, most)
    return None if moves is None else list(_steps(vehicles, parcels, moves))


class _Fleet:
    def __init__(self, vehicles: list[Vehicle]) -> None:
        self._vehicles = vehicles
        self._names = {one.name for one in vehicles}
        self._capacity = {one.network: max(1, one.capacity) for one in vehicles}

    def unload(self, state: _State) -> _State:
        """Unload all cargo that has reached its stop; leave out what has arrived."""
        places, cargo = state
        where = {v.name: place for v, place in zip(self._vehicles, places, strict=True)}
        now = [
            (stops[0][1], stops[1:]) if where.get(at) == stops[0][1] else (at, stops)
            for at, stops in cargo
        ]
        return places, tuple(sorted(one for one in now if one[1]))

    def successors(self, state: _State) -> Iterator[tuple[_Move, _State]]:
        places, cargo = state
        for number, (vehicle, here) in enumerate(
            zip(self._vehicles, places, strict=True)
        ):
            calls = {
                at for at, ((network, _), *_) in cargo if network == vehicle.network
            }
            for loads in self._loads(vehicle, here, cargo):
                loaded = list(cargo)
                for one in loads:
                    loaded.remove(one)
                    loaded.append((vehicle.name, one[1]))
                stops = {s[0][1] for at, s in loaded if at == vehicle.name}
                for place in sorted((calls | stops) - {here} - self._names):
                    moved = (*places[:number], place, *places[number + 1 :])
                    after = self.unload((moved, tuple(loaded)))
                    yield _Move(number, loads, place), after

    def _loads(
        self, vehicle: Vehicle, here: str, cargo: tuple[Cargo, ...]
    ) -> list[tuple[Cargo, ...]]:
        """Return possible loads; only the full load if everything always fits."""
        waiting = [
            one for one in cargo if one[0] == here and one[1][0][0] == vehicle.network
        ]
        if vehicle.capacity >= len(cargo):
            return [tuple(waiting)]
        free = vehicle.capacity - sum(at == vehicle.name for at, _ in cargo)
        counts = range(min(free, len(waiting)) + 1)
        return sorted({one for count in counts for one in combinations(waiting, count)})

    def bound(self, state: _State) -> tuple[int, int]:
        """Return a lower bound of the moves, and the number of remaining steps."""
        places, cargo = state
        carried = Counter(at for at, _ in cargo)
        coming: Counter[Stop] = Counter()
        going: Counter[Stop] = Counter()
        for vehicle, place in zip(self._vehicles, places, strict=True):
            here = vehicle.network, place
            going[here] -= vehicle.capacity - carried[vehicle.name]
        for at, stops in cargo:
            for stop in stops:
                coming[stop] += 1
                if at not in self._names:
                    going[stop[0], at] += 1
                at = stop[1]
        moves = sum(
            max(0, -(-max(coming[one], going[one]) // self._capacity.get(one[0], 1)))
            for one in coming.keys() | going.keys()
        )
        loading = sum(2 * len(stops) - (at in self._names) for at, stops in cargo)
        return moves, moves + loading


def _steps(
    vehicles: dict[Vehicle, str], parcels: dict[str, Cargo], moves: list[_Move]
) -> Iterator[Step]:
    """Yield the steps of all moves, each for a parcel equivalent to the planned one."""
    fleet, now = list(vehicles), dict(parcels)
    for vehicle, place in vehicles.items():
        yield from _unloaded(now, vehicle.name, place)
    for number, loads, place in moves:
        name = fleet[number].name
        for one in loads:
            parcel = next(each for each, cargo in now.items() if cargo == one)
            now[parcel] = name, one[1]
            yield parcel, name
        yield name, place
        yield from _unloaded(now, name, place)


def _unloaded(now: dict[str, Cargo], vehicle: str, place: str) -> Iterator[Step]:
    for parcel, (at, stops) in now.items():
        if at == vehicle and stops[0][1] == place:
            now[parcel] = place, stops[1:]
            yield parcel, place


# The names of gripper's vehicle and of the airplanes' network; no object has these
# names.
_ROBOT, _AIR = "the robot", "the air"


class _World(NamedTuple):
    """A transport problem, and how its steps are written as atoms."""

    vehicles: dict[Vehicle, str]
    parcels: dict[str, Cargo]
    atoms: Callable[[Step], list[Key]]


def solve_transport(task: Task, start: int) -> list[int] | None:
    """Find a plan for a problem of gripper or logistics.

    A domain is recognized by its predicates. The rules of a user's domain with the same
    predicates may differ, so the plan is carried out before it is returned.

    Args:
        task: The task.
        start: The initial state.

    Returns:
        Positions of actions; None if the domain is another one, or no plan was found.
    """
    read = _READERS.get(frozenset(task.domain.predicates) - _TYPES)
    goals = [task.atoms[one] for one in positions(task.goal.required & ~start)]
    if read is None or any(goal.predicate != "at" for goal in goals):
        return None
    facts = [task.atoms[one] for one in positions(start)]
    try:
        world = read(task, facts, {one.terms[0]: one.terms[1] for one in goals})
    except LookupError:
        return None
    steps = deliver(world.vehicles, world.parcels)
    return None if steps is None else carried_out(task, start, map(world.atoms, steps))


def _gripper(task: Task, facts: list[Atom], targets: dict[str, str]) -> _World:
    """Return the world of a robot, whose capacity is the number of its grippers."""
    where = {one.terms[0]: one.terms[1] for one in facts if one.predicate == "at"}
    where |= {one.terms[0]: _ROBOT for one in facts if one.predicate == "carry"}
    hands = [one.terms[-1] for one in facts if one.predicate in ("carry", "free")]
    rooms = [one.terms[0] for one in facts if one.predicate == "at-robby"]

    def atoms(step: Step) -> list[Key]:
        thing, place = step
        if thing == _ROBOT:
            return [("at-robby", place)]
        if place == _ROBOT:
            return [("carry", thing, hand) for hand in hands]
        return [("at", thing, place)]

    parcels: dict[str, Cargo] = {
        ball: (where[ball], ((_ROBOT, target),)) for ball, target in targets.items()
    }
    return _World({Vehicle(_ROBOT, _ROBOT, len(hands)): rooms[0]}, parcels, atoms)


def _logistics(task: Task, facts: list[Atom], targets: dict[str, str]) -> _World:
    """Return the world of airplanes and trucks, with a network for each city."""
    objects = task.table.objects
    city = {a.terms[0]: a.terms[1] for a in task.static if a.predicate == "in-city"}
    hub = {city[airport]: airport for airport in objects.of(("airport",))}
    where = {a.terms[0]: a.terms[1] for a in facts if a.predicate in ("at", "in")}
    network = {truck: city[where[truck]] for truck in objects.of(("truck",))}
    network |= dict.fromkeys(objects.of(("airplane",)), _AIR)

    def stops(at: str, target: str) -> tuple[Stop, ...]:
        origin, home = network.get(at) or city[at], city[target]
        if origin == home:
            return ((home, target),)
        path = [(_AIR, hub[home])]
        if origin != _AIR and at != hub[origin]:
            path.insert(0, (origin, hub[origin]))
        if target != hub[home]:
            path.append((home, target))
        return tuple(path)

    def atoms(step: Step) -> list[Key]:
        return [("in" if step[1] in network else "at", *step)]

    parcels: dict[str, Cargo] = {
        package: (where[package], stops(where[package], target))
        for package, target in targets.items()
    }
    fleet = {Vehicle(one, network[one], len(where)): where[one] for one in network}
    return _World(fleet, parcels, atoms)


# The predicates that a domain without types has in place of types.
_TYPES = frozenset({"room", "ball", "gripper"})
_READERS: dict[frozenset[str], Callable[[Task, list[Atom], dict[str, str]], _World]] = {
    frozenset({"at-robby", "at", "carry", "free"}): _gripper,
    frozenset({"at", "in", "in-city"}): _logistics,
}
