"""A* for blocksworld: a block moves to where it belongs, or to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from aq_gym.envs.pddl.logic.bits import positions
from aq_gym.envs.pddl.logic.table import Key
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.piecewise import carried_out, search

_PREDICATES = frozenset({"on", "on-table", "clear", "holding", "arm-empty"})
# What a block is on if it isn't on a block.
_TABLE, _HAND = -1, -2
# With n blocks, a search reaches at most _MOST_WORK / n**2 states, at least _FEWEST.
_MOST_WORK = 100_000
_FEWEST = 50

# What each block is on: a block's number, _TABLE or _HAND.
_State: TypeAlias = tuple[int, ...]
# A block's number, and what it goes on.
_Move: TypeAlias = tuple[int, int]


def solve_blocks(task: Task, start: int) -> list[int] | None:
    """Find a plan with few moves for blocksworld, in small problems a shortest one.

    A block that can go where it belongs does, and others go to the table: neither makes
    a plan longer (Gupta & Nau 1992). What is searched for is which go to the table.

    Args:
        task: The task.
        start: The initial state.

    Returns:
        Positions of actions; None if it isn't blocksworld with a goal of towers, or no
        plan was found.
    """
    goals = [task.atoms[one] for one in positions(task.goal.required)]
    if frozenset(task.domain.predicates) != _PREDICATES or any(
        goal.predicate != "on" for goal in goals
    ):
        return None
    on: dict[str, str] = {}
    try:
        for atom in (task.atoms[one] for one in positions(start)):
            if atom.predicate in ("on", "on-table", "holding"):
                under = atom.terms[1] if atom.predicate == "on" else atom.predicate
                on[atom.terms[0]] = under
        names = sorted(on)
        number = {name: i for i, name in enumerate(names)}
        number |= {"on-table": _TABLE, "holding": _HAND}
        towers = _Towers({number[a.terms[0]]: number[a.terms[1]] for a in goals})
        state = tuple([number[on[name]] for name in names])
    except LookupError:
        return None
    most = max(_FEWEST, _MOST_WORK // max(1, len(names)) ** 2)
    moves = search(state, towers.successors, towers.bound, most)
    if moves is None:
        return None
    return carried_out(task, start, _steps(names, moves, _HAND in state))


class _Towers:
    """A goal of towers.

    Args:
        goal: What each block belongs on, None if anywhere.
    """

    def __init__(self, goal: dict[int, int]) -> None:
        self._goal = goal
        self._wanted = {lower: upper for upper, lower in goal.items()}

    def successors(self, state: _State) -> Iterator[tuple[_Move, _State]]:
        """Yield the move of a block to where it belongs, or those to the table."""
        wrong = self._wrong(state)
        free = set(range(len(state))) - set(state)
        movable = sorted(wrong & free)
        if _HAND in state:
            movable = [state.index(_HAND)]
        moves = [(one, _TABLE) for one in movable if state[one] != _TABLE]
        for one in movable:
            place = self._goal.get(one, one)
            if place in free and place not in wrong:
                moves = [(one, place)]
                break
        for one, place in moves:
            yield (one, place), (*state[:one], place, *state[one + 1 :])

    def bound(self, state: _State) -> tuple[int, int]:
        """Return the blocks that have to be moved; those on the table count less."""
        wrong = self._wrong(state)
        return len(wrong), sum(1 + (state[one] != _TABLE) for one in wrong)

    def _wrong(self, state: _State) -> set[int]:
        """Return the blocks that have to be moved, and all that is on them."""
        above = {lower: upper for upper, lower in enumerate(state) if lower >= 0}
        wrong = set()
        for one, lower in enumerate(state):
            if lower >= 0:
                continue
            block: int | None = one
            misplaced = lower == _HAND
            while block is not None:
                below = state[block]
                misplaced |= self._goal.get(block, below) != below
                misplaced |= self._wanted.get(below, block) != block
                if misplaced:
                    wrong.add(block)
                block = above.get(block)
        return wrong


def _steps(names: list[str], moves: list[_Move], holding: bool) -> Iterator[list[Key]]:
    for block, place in moves:
        if not holding:
            yield [("holding", names[block])]
        holding = False
        name = names[block]
        yield [("on-table", name) if place == _TABLE else ("on", name, names[place])]
