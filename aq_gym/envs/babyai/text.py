"""BabyAI's texts: the view in the words of AgentBoard."""

from __future__ import annotations

from aq_gym.envs.babyai.logic.view import SIZE, View, depth, side
from aq_gym.envs.babyai.logic.world import World

DOOR_STATES = ("open", "closed", "locked")

INSTRUCTIONS = """\
You are in a world of rooms on a grid and have a mission. You see what lies up to 6 \
steps ahead of you and up to 3 steps to either side, but not through walls and shut \
doors. Each observation numbers the objects of one kind anew, so use the numbers of \
the last one. You can carry one object at a time.
You can take these actions:
- turn left, turn right, move forward
- go to <object> <n>: walk up to an object you see, until it is right in front of you
- pickup <object> <n>: walk up to a key, ball or box you see and pick it up
- drop: put what you carry down right in front of you
- toggle: open or close the door right in front of you, or open the box there; an \
opened box is gone and leaves what was in it. A locked door opens if you carry the \
key of its color.
- go through <door> <n>: walk into the doorway of an open door
- toggle and go through <door> <n>: walk up to a closed or locked door, open it, and \
step into the doorway
- check available actions: list what you can do now"""


def opening(mission: str) -> str:
    """Explain the task to an agent that has never seen it."""
    return f"{INSTRUCTIONS}\nYour mission: {mission}\n"


def name(world: World, code: int) -> str:
    """Return AgentBoard's name of a thing; a door's includes its state."""
    kind, color, _ = world.things[code]
    if kind == "door":
        return f"{color} {DOOR_STATES[world.doors[code]]} door"
    return f"{color} {kind}"


def numbered(world: World, view: View) -> dict[str, int]:
    """Return the slot of each visible thing by its numbered name, nearest first."""
    counts: dict[str, int] = {}
    names: dict[str, int] = {}
    for slot, code in view.things:
        bare = name(world, code)
        count = counts[bare] = counts.get(bare, 0) + 1
        names[f"{bare} {count}"] = slot
    return names


def describe(world: World, view: View, names: dict[str, int]) -> str:
    """Describe the view in AgentBoard's sentences, with their double spaces."""
    if not view.empty:
        seen = "In front of you in this room, you can see several objects: "
        seen += "".join([f"There is a {n} {_PLACES[s]} " for n, s in names.items()])
    else:
        seen = "You cannot see any objects within sight."
    return f"{seen}The room has walls around you. {_facing(world, view)}{_load(world)}"


def _place(slot: int) -> str:
    right = side(slot)
    if right == 0:
        return f"right in front of you {depth(slot)} steps away. "
    hand = "right" if right > 0 else "left"
    return (
        f"{depth(slot)} steps in front of you and {abs(right)} steps to your {hand}. "
    )


_PLACES = tuple(map(_place, range(SIZE * SIZE)))


def _facing(world: World, view: View) -> str:
    """Describe the nearest wall or box straight ahead; other things do not count."""
    for count, code in view.ahead():
        kind = world.things[code].kind
        if kind in ("wall", "box"):
            return f"You are facing a {kind} {count} steps away. "
    return ""


def _load(world: World) -> str:
    if not world.carrying:
        return "You are not carrying anything."
    return f"You are carrying a {name(world, world.carrying)}."


# AgentBoard's final texts, by whether the mission was accomplished.
ENDINGS = {True: "\n The task is completed.", False: "\n The task has failed."}
