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
    match = _COMMAND.fullmatch(words)
    if match is None:
        return Plan([], _UNKNOWN, f"{quote(action)} is not an action: {_FORMS}")
    verb, before, color, after, kind, number = match.groups()
    state = before or after
    verb = _VERBS.get(verb, verb)
    if (state and kind != "door") or (before and after):
        return Plan([], _UNKNOWN, f"{quote(action)} names no object: {_FORMS}")
    bare = " ".join(filter(None, (color, state, kind)))
    found = _resolve(bare, number, scene)
    if found not in scene.names:
        return _refuse(verb, bare if number is None else f"{bare} {number}", found)
    primitives, why = COMMANDS[verb](scene, scene.names[found])
    return _refuse(verb, found, why) if why else Plan(primitives)


def understands(action: str) -> bool:
    """Return whether a text is in the grammar of actions, whatever is visible."""
    words = normalize(action)
    if words in _PRIMITIVES or words in _TURN_AROUND:
        return True
    match = _COMMAND.fullmatch(words)
    if match is None:
        return False
    _, before, _, after, kind, _ = match.groups()
    return not (before and after) and (kind == "door" or not (before or after))


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


def _resolve(bare: str, number: str | None, scene: Scene) -> str:
    """Return the numbered name that a text refers to, or why there is none."""
    if number is not None:
        found = f"{bare} {int(number)}"
        if found in scene.names:
            return found
    else:
        wanted = set(bare.split())
        same = [name for name in scene.names if wanted <= set(name.split())]
        exact = [name for name in same if name.rpartition(" ")[0] == bare]
        same = exact or same
        if len(same) == 1:
            return same[0]
        if same:
            return f"you do not say which: {listing(same, 'or')}."
    visible = ", ".join(scene.names) or "no objects"
    return f"you do not see it. You see: {visible}."
