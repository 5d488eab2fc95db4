"""AgentBoard's action space and scores.

The module lists the actions at each moment, says why other actions are not offered, and
computes AgentBoard's reward: minigrid's reward, or the share of the patterns that
observations have matched.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from aq_gym.core.help import HELP
from aq_gym.envs.babyai.logic.layout import (
    CLOSED,
    DROP,
    FORWARD,
    LEFT,
    LOCKED,
    OPEN,
    PICKUP,
    RIGHT,
    TOGGLE,
    WALL,
    margin,
)
from aq_gym.envs.babyai.logic.view import SIZE, View, depth, side
from aq_gym.envs.babyai.logic.world import World
from aq_gym.envs.babyai.text import name

# minigrid's reward is 1 minus this factor times the used share of its step limit.
_COST_OF_TIME = 0.9
Cell: TypeAlias = tuple[int, int]
# A list of annotated subgoals, or several alternative lists.
Patterns: TypeAlias = Sequence[str] | Sequence[Sequence[str]]
_Pose: TypeAlias = tuple[Cell, int]

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


def agent_cell(world: World) -> Cell:
    """Return the column and row of the agent."""
    layout = world.layout
    row, column = divmod(world.agent - margin(layout.width), layout.width)
    return column, row


class Paths:
    """AgentBoard's search, which may return another path than the first one found.

    Args:
        world: The world.
        blocked: The cells of visible things that block the way.

    Attributes:
        front: The cell in front of the agent.
    """

    def __init__(self, world: World, blocked: Iterable[Cell]) -> None:
        x, y = cell = agent_cell(world)
        self._start: _Pose = cell, world.heading
        self._blocked = frozenset(blocked)
        ahead = DIRECTIONS[world.heading]
        right = DIRECTIONS[(world.heading + 1) % 4]
        self.front = x + ahead[0], y + ahead[1]
        self._columns = _bounds(x, ahead[0], right[0])
        self._rows = _bounds(y, ahead[1], right[1])

    def find(self, goal: Cell, *, arrive: bool) -> list[int] | None:
        """Return the primitive actions to a cell, or to the cell before it."""
        came: dict[_Pose, tuple[_Pose, int]] = {}
        done: set[_Pose] = set()
        queue = deque([self._start])
        while queue:
            pose = queue.popleft()
            done.add(pose)
            (x, y), heading = pose
            dx, dy = (0, 0) if arrive else DIRECTIONS[heading]
            if goal == (x + dx, y + dy):
                return self._back(came, pose)
            for action in (FORWARD, LEFT, RIGHT):
                new = _after(pose, action)
                if self._is_free(new[0]) and new not in done:
                    queue.append(new)
                    # As in AgentBoard, a later path to a pose replaces an earlier one
                    # until the pose is expanded.
                    came[new] = pose, action
        return None

    def _is_free(self, cell: Cell) -> bool:
        inside = cell[0] in self._columns and cell[1] in self._rows
        return inside and cell not in self._blocked

    def _back(self, came: dict[_Pose, tuple[_Pose, int]], pose: _Pose) -> list[int]:
        path: list[int] = []
        while pose != self._start:
            pose, action = came[pose]
            path.append(action)
        return path[::-1]


def _bounds(own: int, ahead: int, right: int) -> range:
    """Return the columns or rows of the view, with AgentBoard's bounds."""
    first = own + ahead * (SIZE - 1) - right * (SIZE // 2)
    last = first + SIZE * (right - ahead)
    return range(last, first + 1) if last < first else range(first, last)


def _after(pose: _Pose, action: int) -> _Pose:
    (x, y), heading = pose
    if action == FORWARD:
        dx, dy = DIRECTIONS[heading]
        return (x + dx, y + dy), heading
    return (x, y), (heading + (1 if action == RIGHT else -1)) % 4


_GRAMMAR = re.compile(
    "turn left|turn right|move forward|drop|toggle|.*check.*"
    "|(?:pickup|go to) (?:red|green|blue|purple|yellow|grey) (?:key|ball|box) [0-9]+"
    "|(?:go to|go through|toggle and go through) "
    "(?:red|green|blue|purple|yellow|grey) (?:open|closed|locked) door [0-9]+"
)
_UNRECOGNIZED = "The action is not recognized. Please check valid actions."
NO_CHANGE = "No change in state."
CHECK = "check available actions"
_NO_PATH = "as there is no path leading to it."


class ActionSpace(NamedTuple):
    """The actions at one moment.

    Attributes:
        actions: The primitive actions of each action.
        errors: AgentBoard's answers to some actions that can't be carried out.
    """

    actions: dict[str, list[int]]
    errors: dict[str, str]

    def help(self) -> str:
        """Return AgentBoard's list of the actions."""
        return f"You can take the following actions: {', '.join(self.actions)}"

    def refusal(self, action: str) -> str:
        """Return AgentBoard's answer to an action that it does not offer."""
        return self.errors.get(action, _UNRECOGNIZED) if action else NO_CHANGE


class _Seen(NamedTuple):
    name: str
    kind: str
    code: int
    cell: Cell
    distance: int


def canonical(action: str) -> str | None:
    """Return an action as AgentBoard reads it, or None if it is not in the grammar."""
    action = action.lower().strip()
    if _GRAMMAR.fullmatch(action) is None:
        return None
    return HELP if "check" in action else action


def action_space(world: World, view: View) -> ActionSpace:
    """Return the actions that AgentBoard offers now, in its order."""
    seen = sorted(_seen(world, view), key=lambda thing: thing.distance)
    space = ActionSpace({"turn left": [LEFT], "turn right": [RIGHT]}, {})
    paths = Paths(world, (one.cell for one in seen if one.kind != "door"))
    _offer_forward(space, world, view)
    if not world.carrying:
        _offer_objects(space, paths, seen, "pickup", (PICKUP,))
    _offer_drop(space, world, paths, seen)
    _offer_doors(space, world, paths, seen)
    _offer_objects(space, paths, seen, "go to", ())
    space.actions[CHECK] = []
    return space


def _seen(world: World, view: View) -> Iterator[_Seen]:
    ahead = DIRECTIONS[world.heading]
    right = DIRECTIONS[(world.heading + 1) % 4]
    x, y = agent_cell(world)
    for slot in sorted(view.slots):
        code = view.slots[slot]
        steps, aside = depth(slot), side(slot)
        cell = (
            x + ahead[0] * steps + right[0] * aside,
            y + ahead[1] * steps + right[1] * aside,
        )
        if code and min(cell) >= 0:
            kind = world.things[code].kind
            called = "grey wall" if code == WALL else name(world, code)
            yield _Seen(called, kind, code, cell, steps + abs(aside))


def _offer_forward(space: ActionSpace, world: World, view: View) -> None:
    barriers = (n for n, code in view.ahead() if _is_barrier(world, code))
    if next(barriers, SIZE) > 1:
        space.actions["move forward"] = [FORWARD]
    else:
        space.errors["move forward"] = (
            "There is a barrier in front of you, you can't move forward."
        )


def _is_barrier(world: World, code: int) -> bool:
    return world.things[code].kind in ("wall", "box")


def _offer_objects(
    space: ActionSpace,
    paths: Paths,
    seen: Sequence[_Seen],
    verb: str,
    after: tuple[int, ...],
) -> None:
    """Offer an action on each object; the numbers count reachable objects only."""
    counts: dict[str, int] = {}
    for thing in seen:
        if thing.kind == "wall" or (verb == "pickup" and thing.kind == "door"):
            continue
        number = counts.get(thing.name, 0) + 1
        action = f"{verb} {thing.name} {number}"
        path = paths.find(thing.cell, arrive=False)
        if path is None:
            space.errors[action] = f"You cannot {action}, {_NO_PATH}"
        else:
            space.actions[action] = [*path, *after]
            counts[thing.name] = number


def _offer_drop(
    space: ActionSpace, world: World, paths: Paths, seen: Sequence[_Seen]
) -> None:
    if not world.carrying:
        why = "as you are not carrying anything."
    elif any(one.cell == paths.front and one.kind != "door" for one in seen):
        why = "as there is already an object in front of you."
    else:
        space.actions["drop"] = [DROP]
        return
    space.errors["drop"] = f"You cannot drop the object, {why}"


def _offer_doors(
    space: ActionSpace, world: World, paths: Paths, seen: Sequence[_Seen]
) -> None:
    counts: dict[str, int] = {}
    for door in seen:
        if door.kind != "door":
            continue
        counts[door.name] = counts.get(door.name, 0) + 1
        called = f"{door.name} {counts[door.name]}"
        state = world.doors[door.code]
        if state == OPEN:
            _offer_open_door(space, paths, door, called)
            continue
        through = f"toggle and go through {called}"
        if state == LOCKED and (why := _no_key(world, door.code)):
            space.errors[through] = f"You cannot {through}, as {why}"
            continue
        path = paths.find(door.cell, arrive=False)
        if path is None:
            # AgentBoard prints its whole table of counts in place of the number.
            space.errors[through] = (
                f"You cannot toggle and go through {door.name} {counts}, {_NO_PATH}"
            )
        else:
            space.actions[through] = [*path, TOGGLE, FORWARD]
        if path == []:
            space.actions["toggle"] = [TOGGLE]
        if state == CLOSED:
            space.errors[f"go through {called}"] = (
                f"You cannot go through {called}, as it is closed. "
                "You should toggle it first."
            )


def _offer_open_door(
    space: ActionSpace, paths: Paths, door: _Seen, called: str
) -> None:
    action = f"go through {called}"
    path = paths.find(door.cell, arrive=True)
    if path is None:
        space.errors[action] = f"You cannot {action}, {_NO_PATH}"
    else:
        space.actions[action] = path


def _no_key(world: World, door: int) -> str:
    if world.things[world.carrying].kind != "key":
        return "you are not carrying a key."
    if not world.unlocks(door):
        return "the color of the key you are carrying does not match the color of door."
    return ""


class Scores(NamedTuple):
    """AgentBoard's scores of an episode so far.

    Attributes:
        steps: minigrid's steps so far.
        reward: AgentBoard's reward, 0.0 to 1.0.
        points: The number of patterns that were matched.
        left: The patterns that were not matched, for each alternative.
        total: The number of patterns; 0 if minigrid's reward counts.
        done: Whether the episode has ended with success.
    """

    steps: int = 0
    reward: float = 0.0
    points: int = 0
    left: tuple[tuple[str, ...], ...] = ()
    total: int = 0
    done: bool = False


def begin(given: tuple[tuple[str, ...], ...]) -> Scores:
    """Return the scores at the start.

    Args:
        given: AgentBoard's annotated subgoals: a list of patterns that observations
            match, in order, or several alternative lists of equal length. Without any,
            the reward is minigrid's own.
    """
    return Scores(left=given, total=len(given[0]) if given else 0)


def update(scores: Scores, observation: str, reward: float, ended: bool) -> Scores:
    """Return the scores after an action.

    Args:
        scores: The scores before the action.
        observation: The observation after the action.
        reward: minigrid's reward for the action's last step.
        ended: Whether minigrid's episode ended with that step.
    """
    if scores.total:
        scores = _match(scores, observation)
    else:
        scores = scores._replace(reward=reward)
    done = scores.reward == 1 or (ended and scores.reward > 0.5)
    return scores._replace(done=done)


def _match(scores: Scores, observation: str) -> Scores:
    sentences = observation.split(".")
    for place in range(len(scores.left[0])):
        if any(_matches(sentences, one[place]) for one in scores.left):
            points = scores.points + 1
            left = tuple(one[:place] + one[place + 1 :] for one in scores.left)
            reward = max(scores.reward, points / scores.total)
            return scores._replace(points=points, reward=reward, left=left)
    return scores


def _matches(sentences: Sequence[str], pattern: str) -> bool:
    pattern = pattern.strip()
    parts = pattern.split("**" if "**" in pattern else "*")
    return any(all(p.strip(".") in one for p in parts) for one in sentences)


def alternatives(
    patterns: Patterns,
) -> tuple[tuple[str, ...], ...]:
    """Return AgentBoard's patterns as alternatives of equal length.

    Raises:
        ValueError: If the alternatives differ in length.
    """
    lists = [[one] if isinstance(one, str) else list(one) for one in patterns]
    if patterns and isinstance(patterns[0], str):
        lists = [[one for part in lists for one in part]]
    if len({len(one) for one in lists}) > 1:
        raise ValueError(
            f"patterns={patterns!r:.200}: the alternatives must have the same length"
        )
    return tuple(map(tuple, lists))


def reward_of(steps: int, limit: int) -> float:
    """Return minigrid's reward for an accomplished mission."""
    return 1 - _COST_OF_TIME * (steps / limit)
