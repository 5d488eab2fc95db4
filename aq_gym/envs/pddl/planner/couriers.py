"""Plans with few moves for two transport domains, gripper and logistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from aq_gym.envs.pddl.logic.bits import positions
from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.envs.pddl.logic.table import Key
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.piecewise import carried_out
from aq_gym.envs.pddl.planner.transport import Cargo, Step, Stop, Vehicle, deliver

# The names of the vehicle, and of the network of airplanes; no object is named so.
_ROBOT, _AIR = "the robot", "the air"


class _World(NamedTuple):
    """A transport problem."""

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
    """Return the world of trucks, with a network for each city, and airplanes."""
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


# The names of predicates that a domain without types has instead of them.
_TYPES = frozenset({"room", "ball", "gripper"})
_READERS: dict[frozenset[str], Callable[[Task, list[Atom], dict[str, str]], _World]] = {
    frozenset({"at-robby", "at", "carry", "free"}): _gripper,
    frozenset({"at", "in", "in-city"}): _logistics,
}
