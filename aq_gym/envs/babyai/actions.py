"""The action grammar: from an agent's text to minigrid's primitive actions."""

from __future__ import annotations

import re
from typing import NamedTuple

from aq_gym.core.text import listing, normalize, quote
from aq_gym.envs.babyai import text
from aq_gym.envs.babyai.commands import COMMANDS, primitive_problem
from aq_gym.envs.babyai.logic.layout import (
    DROP,
    FORWARD,
    LEFT,
    PICKUP,
    RIGHT,
    TOGGLE,
)
from aq_gym.envs.babyai.scene import Scene

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


class _Command(NamedTuple):
    """A command on an object.

    Attributes:
        verb: The verb, one of ``COMMANDS``.
        name: The object's color, state, kind and number, as far as they are given.
        numbered: Whether the number is given.
    """

    verb: str
    name: str
    numbered: bool


class Plan(NamedTuple):
    """A parsed action.

    Attributes:
        primitives: The primitive actions to carry out, none if there is a problem.
        problem: Why nothing can be done, as the agent reads it.
        feedback: The same in more words, where there are more to say.
    """

    primitives: list[int]
    problem: str = ""
    feedback: str = ""


def read(action: str, scene: Scene) -> Plan:
    """Parse a text as an action.

    Args:
        action: The agent's text.
        scene: What the agent sees, which the numbers refer to.
    """
    words = normalize(action)
    if words in _TURN_AROUND:
        why = f"{quote(action)} is two actions here: turn left, then turn left again."
        return Plan([], _UNKNOWN, why)
    if words in _PRIMITIVES:
        primitive = _PRIMITIVES[words]
        problem = primitive_problem(primitive, scene)
        return Plan([], problem, problem) if problem else Plan([primitive])
    if _COMMAND.fullmatch(words) is None:
        return Plan([], _UNKNOWN, f"{quote(action)} is not an action: {_FORMS}")
    command = _command(words)
    if command is None:
        return Plan([], _UNKNOWN, f"{quote(action)} names no object: {_FORMS}")
    found = _resolve(command, scene)
    if found not in scene.names:
        return _refuse(command.verb, command.name, found)
    primitives, why = COMMANDS[command.verb](scene, scene.names[found])
    return _refuse(command.verb, found, why) if why else Plan(primitives)


def canonical(action: str) -> str | None:
    """Return the canonical form of an action, whatever is visible; None for others."""
    words = normalize(action)
    if words in _PRIMITIVES:
        return _NAMES[_PRIMITIVES[words]]
    if words in _TURN_AROUND:
        # The answer quotes it.
        return action
    command = _command(words)
    return f"{command.verb} {command.name}" if command else None


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


def _command(words: str) -> _Command | None:
    """Read a command on an object; None if the words do not name one."""
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
    return _Command(_VERBS.get(verb, verb), name, numbered)


def _resolve(command: _Command, scene: Scene) -> str:
    """Return the numbered name that a command refers to, or the problem."""
    name = command.name
    if command.numbered:
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
