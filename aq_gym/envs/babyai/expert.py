"""The reference policy, which knows the whole world and acts by commands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from math import inf, isfinite

from aq_gym.envs.babyai import actions
from aq_gym.envs.babyai.logic.layout import (
    DONE,
    DROP,
    FORWARD,
    LEFT,
    PICKUP,
    RIGHT,
    TOGGLE,
    Clause,
    Layout,
    Node,
)
from aq_gym.envs.babyai.logic.routes import Route, find_route
from aq_gym.envs.babyai.logic.view import START, Pose, after, front_of
from aq_gym.envs.babyai.logic.world import Outcome, World, WorldState
from aq_gym.envs.babyai.mission import Scene
from aq_gym.envs.babyai.planner import Planner

_WORDS = {
    LEFT: "turn left",
    RIGHT: "turn right",
    FORWARD: "move forward",
    DROP: "drop",
    TOGGLE: "toggle",
}
_WALKING = (LEFT, RIGHT, FORWARD)
_CHOICES = 40
# So near the end every action is tried; further away that would take long.
_NEAR = 24
# The lengths of rehearsals, cached because each rehearsal simulates the rest of an
# episode.
_REHEARSED: dict[tuple[str, int, int, WorldState], float] = {}
_MOST_REHEARSED = 5_000


def plan(scene: Scene) -> list[int]:
    """Return primitive actions towards the end of the mission; empty in a dead end."""
    return _plan(scene.world, _choice(scene.world)[1]) or []


def next_action(scene: Scene) -> str | None:
    """Return the next action towards the end of the mission.

    The expert is privileged: it knows what is behind doors and in boxes. It follows
    plans of the fewest single steps, which it rehearses to the end. If the end is near,
    it also rehearses them after each action that can be carried out now, because an
    action that walks far may save actions, and after some pairs of actions: a turn,
    which shows other things to walk to, and any action that lets it drop a thing.

    Args:
        scene: The current state; the result depends on nothing else.

    Returns:
        The action; None in a dead end, or if all plans end in cycles.
    """
    length, choice = _choice(scene.world)
    best = _action(scene, choice) if isfinite(length) else None
    if not 1 < length <= _NEAR:
        return best
    for action in actions.admissible(scene):
        after, needed = _tried(scene, action)
        # There it tries the same second actions, so that it never goes in circles.
        if 1 < needed <= 1 + _NEAR:
            pairs = [1 + _tried(after, then)[1] for then in _seconds(after, action)]
            needed = min([needed, *pairs])
        if needed < length:
            best, length = action, needed
    return best


def _tried(scene: Scene, action: str) -> tuple[Scene, float]:
    """Return the scene after an action, and the number of actions including it."""
    world = World(scene.world.layout, scene.world.state())
    outcome = _carry_out(world, action)
    if outcome is Outcome.CONTINUE:
        return Scene(world), 1 + _rehearse(world, 0)
    return Scene(world), 1 if outcome is Outcome.SUCCESS else inf


def _seconds(scene: Scene, first: str) -> list[str]:
    """Return the actions that are tried after another one."""
    if first in (_WORDS[LEFT], _WORDS[RIGHT]):
        return [one for one in actions.admissible(scene) if not one.startswith("turn")]
    return [] if actions.primitive_problem(DROP, scene) else [_WORDS[DROP]]


def _choice(world: World) -> tuple[float, int]:
    """Return the first choice whose plans reach the end, and the number of actions."""
    lengths = ((_rehearse(world, choice), choice) for choice in range(_CHOICES))
    return next((one for one in lengths if isfinite(one[0])), (inf, 0))


def _action(scene: Scene, choice: int) -> str | None:
    plan = _plan(scene.world, choice)
    return None if plan is None else _say(scene, plan)


def _plan(world: World, choice: int) -> list[int] | None:
    for clause in _pending(world, choice):
        plan = Planner(world, clause, choice).plan()
        if plan is not None:
            return plan
    return None


def _rehearse(world: World, choice: int) -> float:
    """Return the number of actions to the end; infinite in a dead end or a cycle.

    Plans can cycle if there is little room to put things down.
    """
    layout = world.layout
    world = World(layout, world.state())
    path: dict[tuple[str, int, int, WorldState], None] = {}
    length = inf
    while True:
        key = (layout.level, layout.seed, choice, world.state())
        if key in path:
            break
        if key in _REHEARSED:
            length = _REHEARSED[key]
            break
        path[key] = None
        action = _action(Scene(world), choice)
        outcome = Outcome.FAILURE if action is None else _carry_out(world, action)
        if outcome is not Outcome.CONTINUE:
            length = 0 if outcome is Outcome.SUCCESS else inf
            break
    if len(_REHEARSED) > _MOST_REHEARSED:
        _REHEARSED.clear()
    for key in reversed(path):
        length += 1
        _REHEARSED[key] = length
    return length


def _carry_out(world: World, action: str) -> Outcome:
    """Carry out an action, and return the outcome."""
    read = actions.read(action)
    assert read is not None
    for primitive in actions.plan(read, Scene(world)).primitives:
        outcome = world.act(primitive)
        if outcome is not Outcome.CONTINUE:
            return outcome
    return Outcome.CONTINUE


def _pending(world: World, choice: int) -> list[Clause]:
    """Return the clauses that can be done next.

    With choice 0 the clause on the shortest route comes first. Other choices keep the
    order of the mission, in case that route leads into a cycle.
    """
    orders = list(_orders(world.layout.root, world.verifier.done))
    walking = all(clause.kind == "goto" for clause in orders[0])
    if walking and not choice and len(orders) > 1:
        orders.sort(key=lambda order: _way(world, order))
    return list(dict.fromkeys(order[0] for order in orders if order))


def _orders(node: Node, done: tuple[bool, ...]) -> Iterator[list[Clause]]:
    """Yield the orders in which the rest of a mission can be done."""
    if done[node.number]:
        yield []
    elif isinstance(node, Clause):
        yield [node]
    else:
        for first in _orders(node.first, done):
            for second in _orders(node.second, done):
                yield first + second
                if first and second and not node.ordered:
                    yield second + first


def _way(world: World, order: list[Clause]) -> int:
    """Return the length of the route past the nearest target of each clause."""
    pose, length = world.agent * 4 + world.heading, 0
    for clause in order:
        places = world.places(clause.targets)
        leg = _leg(world.layout, world.cells, world.doors, pose, places)
        if leg:
            length += leg.cost
            pose = leg.end
    return length


@lru_cache(maxsize=1 << 10)
def _leg(
    layout: Layout, cells: bytes, doors: bytes, pose: int, places: tuple[int, ...]
) -> Route | None:
    """Return a route; routes between targets stay the same while the agent walks."""
    world = World(layout)
    world.doors = doors
    return find_route(world, cells, (pose,), places)


def _say(scene: Scene, plan: list[int]) -> str:
    """Return the single action that carries out as much of a plan as possible."""
    walk = list(takewhile(_WALKING.__contains__, plan))
    then = plan[len(walk) :]
    poses = _poses(walk)
    if len(poses) > len(walk):
        whole = _say_whole(scene, walk, then, front_of(poses[-1]))
        if whole:
            return whole
    if not walk:
        # "done" has no command of its own, but every step makes the verifier check.
        return _WORDS.get(then[0], "turn left")
    return _say_hop(scene, poses) or _WORDS[walk[0]]


def _poses(walk: list[int]) -> list[Pose]:
    """Return the part of a walk that stays in view."""
    poses = [START]
    for action in walk:
        pose = after(poses[-1], action)
        if pose is None:
            break
        poses.append(pose)
    return poses


def _say_whole(scene: Scene, walk: list[int], then: list[int], slot: int) -> str:
    """Return the command that walks to a visible thing and acts, or ""."""
    name = next((name for name, at in scene.names.items() if at == slot), None)
    if name is None or scene.paths.facing(slot) is None or then[:1] == [DROP]:
        return ""
    if then[:1] == [PICKUP]:
        return f"pickup {name}"
    if then[:2] == [TOGGLE, FORWARD]:
        return f"toggle and go through {name}"
    return f"go to {name}" if walk or then[:1] == [DONE] else ""


def _say_hop(scene: Scene, poses: list[Pose]) -> str:
    """Return the command that leads furthest along a path, or "" for a single step."""
    paths = scene.paths
    best, words = 1, ""
    for name, slot in scene.names.items():
        for verb, pose in (
            ("go to", paths.facing(slot)),
            ("go through", paths.inside(slot)),
        ):
            if pose in poses and poses.index(pose) > best:
                best, words = poses.index(pose), f"{verb} {name}"
    return words
