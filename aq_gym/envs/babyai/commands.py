"""The commands as minigrid's primitive actions, or why they can't be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from aq_gym.envs.babyai import text
from aq_gym.envs.babyai.logic.layout import (
    DONE,
    DROP,
    EMPTY,
    FORWARD,
    LOCKED,
    OPEN,
    PICKUP,
    TOGGLE,
)
from aq_gym.envs.babyai.scene import Scene

# From a scene and the slot of a visible thing to primitives and a problem, one of
# which is empty.
Command: TypeAlias = Callable[[Scene, int], tuple[list[int], str]]


def primitive_problem(primitive: int, scene: Scene) -> str:
    """Explain why a primitive action would do nothing, "" if it has an effect."""
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
    # The agent faces it already: minigrid's "done" lets the verifier check that.
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
    """Explain why a door stays locked, "" if it opens or is not locked."""
    world = scene.world
    if world.doors[code] != LOCKED or world.unlocks(code):
        return ""
    if world.things[world.carrying].kind != "key":
        return "you are not carrying a key."
    return "the color of the key you are carrying does not match the color of door."


def _hands_full(scene: Scene) -> str:
    held = text.name(scene.world, scene.world.carrying)
    return f"you are already carrying a {held}. Drop it first."
