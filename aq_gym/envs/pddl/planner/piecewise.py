"""A* over moves, in several pieces if a problem is large."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from aq_gym.envs.pddl.logic.table import Key
from aq_gym.envs.pddl.logic.task import Task

# States are tuples, because comparing them breaks ties deterministically.
State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move")

# After the first piece, states nearer to the goal get this much priority.
_HASTE = 0.5


def search(
    start: State,
    successors: Callable[[State], Iterable[tuple[Move, State]]],
    bound: Callable[[State], tuple[int, int]],
    most: int,
) -> list[Move] | None:
    """Search for the goal; in a large problem, continue from the best state found.

    Args:
        start: The initial state.
        successors: Returns the moves in a state, and the states they lead to.
        bound: Returns a lower bound of the number of moves to the goal, and a measure
            of the remaining work that is 0 at the goal.
        most: The maximum number of states that a search reaches.

    Returns:
        The moves, as few as possible if the first search reaches the goal; None if a
        search finds no state with less remaining work.
    """
    plan: list[Move] = []
    haste = 0.0
    while bound(start)[1]:
        piece, start = _piece(start, successors, bound, most, haste)
        if not piece:
            return None
        plan += piece
        haste = _HASTE
    return plan


def _piece(
    start: State,
    successors: Callable[[State], Iterable[tuple[Move, State]]],
    bound: Callable[[State], tuple[int, int]],
    most: int,
    haste: float,
) -> tuple[list[Move], State]:
    """Search with A*; return the moves to the best state found, and that state."""
    came_from: dict[State, tuple[State, Move]] = {}
    depth = {start: 0}
    best = bound(start)[1], 0, start
    queue = [(0.0, best)]
    closed: set[State] = set()
    while queue and len(depth) <= most:
        now = heapq.heappop(queue)[1]
        state = now[2]
        if state in closed:
            continue
        closed.add(state)
        if not now[0]:
            best = now
            break
        steps = depth[state] + 1
        for move, after in successors(state):
            if steps < depth.get(after, steps + 1):
                depth[after] = steps
                came_from[after] = state, move
                moves, left = bound(after)
                one = left, -steps, after
                best = one if left < best[0] else best
                heapq.heappush(queue, (steps + moves + haste * left, one))
    moves_to, end = list[Move](), best[2]
    while end in came_from:
        end, move = came_from[end]
        moves_to.append(move)
    return moves_to[::-1], best[2]


def carried_out(task: Task, state: int, steps: Iterable[list[Key]]) -> list[int] | None:
    """Carry out steps; in each, an action makes one of its atoms true.

    Args:
        task: The task.
        state: The initial state.
        steps: The atoms of each step.

    Returns:
        Positions of actions; None if a step has no such action, or the goal isn't
        reached.
    """
    plan = []
    for keys in steps:
        wanted = reduce(or_, map(task.table.bit, keys))
        for action in task.valid(state):
            if task.actions[action].effects[0] & wanted:
                break
        else:
            return None
        plan.append(action)
        state = task.step(state, action)
    return plan if task.solved(state) else None
