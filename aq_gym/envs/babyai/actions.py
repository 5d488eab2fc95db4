"""The action grammar: from an agent's text to minigrid's primitive actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from aq_gym.core.text import listing, normalize, quote
from aq_gym.envs.babyai import text
from aq_gym.envs.babyai.logic.layout import (
    DONE,
    DROP,
    EMPTY,
    FORWARD,
    LEFT,
    LOCKED,
    OPEN,
    PICKUP,
    RIGHT,
    TOGGLE,
)
from aq_gym.envs.babyai.mission import Scene

_PRIMITIVES = {
    **dict.fromkeys(("turn left", "left", "rotate left", "turn to the left"), LEFT),
    **dict.fromkeys(
        ("turn right", "right", "rotate right", "turn to the right"), RIGHT
    ),
    **dict.fromkeys(
        ("move forward", "forward", "go forward", "step forward", "walk forward"),
        FORWARD,
    ),
    **dict.fromkeys(("pick up", "pickup", "pick it up"), PICKUP),
    **dict.fromkeys(("drop", "drop it", "put down", "put it down"), DROP),
    **dict.fromkeys(("toggle", "toggle it"), TOGGLE),
}
_NAMES = {
    LEFT: "turn left",
    RIGHT: "turn right",
    FORWARD: "move forward",
    PICKUP: "pick up",
    DROP: "drop",
    TOGGLE: "toggle",
}
_TURN_AROUND = frozenset({"turn around", "turn back", "turn 180 degrees"})
_VERBS = {
    "pick up": "pickup",
    "take": "pickup",
    "grab": "pickup",
    "walk to": "go to",
    "move to": "go to",
    "unlock": "open",
}
_STATE = f"(?:({'|'.join(text.DOOR_STATES)}) )?"
_COMMAND = re.compile(
    "(go to|walk to|move to|pick ?up|take|grab|open|unlock|go through"
    "|toggle and go through) (?:(?:the|a|an) )?"
    f"{_STATE}(?:(red|green|blue|purple|yellow|grey) )?{_STATE}(door|key|ball|box)"
    "(?: ([0-9]{1,3}))?"
)
_CHECK = "check available actions"
_UNKNOWN = "The action is not recognized. Please check valid actions."
_FORMS = (
    "an action is turn left, turn right, move forward, pick up, drop, toggle, "
    "go to <object> <n>, pickup <object> <n>, go through <door> <n>, "
    f"toggle and go through <door> <n>, or {_CHECK}."
)


class Action(NamedTuple):
    """An action that was read.

    Attributes:
        verb: The name of a primitive action, or one of ``COMMANDS``. For turning
            around, which takes two primitive actions, it is the agent's own text.
        name: For a command, the given parts of the object's name: color, state, kind
            and number.
        numbered: Whether the name has a number.
    """

    verb: str
    name: str = ""
    numbered: bool = False


class Plan(NamedTuple):
    """The primitive actions of an action at one moment, or why there are none.

    Attributes:
        primitives: The primitive actions to carry out; empty if there is a problem.
        problem: The reason why nothing can be done, as the agent reads it.
        feedback: A more detailed reason, if there is one.
    """

    primitives: list[int]
    problem: str = ""
    feedback: str = ""


def read(text: str) -> Action | None:
    """Read an action, whatever is visible; return None for any other text."""
    words = normalize(text)
    if words in _PRIMITIVES:
        return Action(_NAMES[_PRIMITIVES[words]])
    if words in _TURN_AROUND:
        return Action(text)
    match = _COMMAND.fullmatch(words)
    if match is None:
        return None
    verb, before, color, after, kind, number = match.groups()
    state = before or after
    if (state and kind != "door") or (before and after):
        return None
    name = " ".join(filter(None, (color, state, kind)))
    numbered = number is not None
    name = f"{name} {int(number)}" if numbered else name
    return Action(_VERBS.get(verb, verb), name, numbered)


def written(action: Action) -> str:
    """Return the canonical form of an action."""
    return f"{action.verb} {action.name}" if action.name else action.verb


def unread(text: str) -> Plan:
    """Explain why a text is not an action."""
    known = _COMMAND.fullmatch(normalize(text))
    why = "names no object" if known else "is not an action"
    return Plan([], _UNKNOWN, f"{quote(text)} {why}: {_FORMS}")


def plan(action: Action, scene: Scene) -> Plan:
    """Return how an action is carried out in a scene, or why it cannot be.

    Args:
        action: The action.
        scene: The agent's view, to which the numbers in the action refer.
    """
    if not action.name:
        primitive = _PRIMITIVES.get(action.verb)
        if primitive is None:
            verb = quote(action.verb)
            why = f"{verb} is two actions here: turn left, then turn left again."
            return Plan([], _UNKNOWN, why)
        problem = primitive_problem(primitive, scene)
        return Plan([], problem, problem) if problem else Plan([primitive])
    found = _resolve(action, scene)
    if found not in scene.names:
        return _refuse(action.verb, action.name, found)
    primitives, why = COMMANDS[action.verb](scene, scene.names[found])
    return _refuse(action.verb, found, why) if why else Plan(primitives)


def admissible(scene: Scene) -> tuple[str, ...]:
    """List every action that can be carried out, in AgentBoard's order.

    A bare ``pick up`` is left out: it is a synonym of picking up the thing in front.
    """
    names = scene.names
    actions = ["turn left", "turn right"]
    if not primitive_problem(FORWARD, scene):
        actions.append("move forward")
    actions += _possible("pickup", scene)
    if not primitive_problem(DROP, scene):
        actions.append("drop")
    for found in names:
        for verb in ("go through", "toggle and go through"):
            if not COMMANDS[verb](scene, names[found])[1]:
                actions.append(f"{verb} {found}")
    if not primitive_problem(TOGGLE, scene):
        actions.append("toggle")
    actions += _possible("go to", scene)
    return tuple(actions)


def help_text(scene: Scene) -> str:
    """Answer ``check available actions`` as AgentBoard does."""
    every = ", ".join((*admissible(scene), _CHECK))
    return f"You can take the following actions: {every}"


def _possible(verb: str, scene: Scene) -> list[str]:
    command = COMMANDS[verb]
    return [
        f"{verb} {n}" for n, slot in scene.names.items() if not command(scene, slot)[1]
    ]


def _refuse(verb: str, name: str, why: str) -> Plan:
    problem = f"You cannot {verb} {name}, as {why}"
    return Plan([], problem, problem)


def _resolve(action: Action, scene: Scene) -> str:
    """Return the numbered name that a command means, or the problem."""
    name = action.name
    if action.numbered:
        if name in scene.names:
            return name
    else:
        wanted = set(name.split())
        same = [one for one in scene.names if wanted <= set(one.split())]
        exact = [one for one in same if one.rpartition(" ")[0] == name]
        same = exact or same
        if len(same) == 1:
            return same[0]
        if same:
            return f"you do not say which: {listing(same, 'or')}."
    visible = ", ".join(scene.names) or "no objects"
    return f"you do not see it. You see: {visible}."


# A function of a scene and the slot of a visible thing. It returns the primitive
# actions and the problem; one of the two is empty.
Command: TypeAlias = Callable[[Scene, int], tuple[list[int], str]]


def primitive_problem(primitive: int, scene: Scene) -> str:
    """Explain why a primitive action would have no effect; "" if it has one."""
    world, front = scene.world, scene.front
    if primitive == FORWARD and not world.passable(front):
        kind = world.things[front].kind
        barrier = kind in ("wall", "box")
        what = "barrier" if barrier else text.name(world, front)
        return f"There is a {what} in front of you, you can't move forward."
    if primitive == PICKUP:
        if world.carrying:
            return f"You cannot pick up anything, as {_hands_full(scene)}"
        if not world.portable(front):
            return "There is nothing to pick up right in front of you."
    if primitive == DROP:
        if not world.carrying:
            return "You cannot drop the object, as you are not carrying anything."
        if front != EMPTY:
            return (
                "You cannot drop the object, as there is already an object in front "
                "of you."
            )
    if primitive == TOGGLE:
        if world.things[front].kind not in ("door", "box"):
            return "There is no door or box right in front of you to toggle."
        why = _no_key(scene, front)
        return f"You cannot toggle {text.name(world, front)}, as {why}" if why else ""
    return ""


_NO_PATH = "there is no path leading to it."


def _go_to(scene: Scene, slot: int) -> tuple[list[int], str]:
    pose = scene.paths.facing(slot)
    if pose is None:
        return [], _NO_PATH
    # The agent already faces the thing, and "done" makes minigrid's verifier check it.
    return scene.paths.to(pose) or [DONE], ""


def _pick_up(scene: Scene, slot: int) -> tuple[list[int], str]:
    if not scene.world.portable(scene.view.content(slot)):
        return [], "doors stay where they are."
    if scene.world.carrying:
        return [], _hands_full(scene)
    pose = scene.paths.facing(slot)
    return ([], _NO_PATH) if pose is None else ([*scene.paths.to(pose), PICKUP], "")


def _go_through(scene: Scene, slot: int) -> tuple[list[int], str]:
    world, code = scene.world, scene.view.content(slot)
    if world.things[code].kind != "door":
        return [], "it is not a door."
    if world.doors[code] != OPEN:
        state = text.DOOR_STATES[world.doors[code]]
        return [], f"it is {state}. You should toggle it first."
    pose = scene.paths.inside(slot)
    return ([], _NO_PATH) if pose is None else (scene.paths.to(pose), "")


def _toggle_through(scene: Scene, slot: int) -> tuple[list[int], str]:
    world, code = scene.world, scene.view.content(slot)
    if world.things[code].kind != "door":
        return [], "it is not a door."
    if world.doors[code] == OPEN:
        return [], "it is already open. You can go through it."
    why = _no_key(scene, code)
    pose = scene.paths.facing(slot)
    if why or pose is None:
        return [], why or _NO_PATH
    return [*scene.paths.to(pose), TOGGLE, FORWARD], ""


def _open(scene: Scene, slot: int) -> tuple[list[int], str]:
    world, code = scene.world, scene.view.content(slot)
    if world.things[code].kind not in ("door", "box"):
        return [], "it is neither a door nor a box."
    if world.things[code].kind == "door" and world.doors[code] == OPEN:
        return [], "it is already open. You can go through it."
    why = _no_key(scene, code)
    pose = scene.paths.facing(slot)
    if why or pose is None:
        return [], why or _NO_PATH
    return [*scene.paths.to(pose), TOGGLE], ""


COMMANDS: dict[str, Command] = {
    "open": _open,
    "go to": _go_to,
    "pickup": _pick_up,
    "go through": _go_through,
    "toggle and go through": _toggle_through,
}


def _no_key(scene: Scene, code: int) -> str:
    """Explain why a door stays locked; "" if it opens or is not locked."""
    world = scene.world
    if world.doors[code] != LOCKED or world.unlocks(code):
        return ""
    if world.things[world.carrying].kind != "key":
        return "you are not carrying a key."
    return "the color of the key you are carrying does not match the color of door."


def _hands_full(scene: Scene) -> str:
    held = text.name(scene.world, scene.world.carrying)
    return f"you are already carrying a {held}. Drop it first."
