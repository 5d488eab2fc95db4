"""A* for barman: equal shot glasses are interchangeable, and so are the hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from aq_gym.envs.pddl.logic.formulas import positions
from aq_gym.envs.pddl.logic.table import Key
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.piecewise import carried_out, search

_PREDICATES = frozenset(
    (
        *("ontable", "holding", "handempty", "empty", "contains", "clean", "used"),
        *("dispenses", "shaker-empty-level", "shaker-level", "next", "unshaked"),
        *("shaked", "cocktail-part1", "cocktail-part2"),
    )
)
# With n glasses, a search reaches at most _MOST_WORK / n**2 states, at least _FEWEST.
_MOST_WORK = 200_000
_FEWEST = 500


class _Shot(NamedTuple):
    """A shot glass; an absent beverage is ""."""

    goal: str
    content: str
    used: str
    held: bool


class _Shaker(NamedTuple):
    """The shaker."""

    content: tuple[str, ...]
    level: int
    shaked: bool
    clean: bool
    held: bool


class _Move(NamedTuple):
    """An action.

    Attributes:
        makes: The predicate that the action makes true for the shaker or a glass.
        shaker: Whether the predicate is about the shaker.
        beverage: The predicate's beverage; empty if it has none.
        before: The glass before the move; None if no glass changes.
        after: The glass after the move.
    """

    makes: str
    shaker: bool
    beverage: str = ""
    before: _Shot | None = None
    after: _Shot | None = None


_State: TypeAlias = tuple[_Shaker, tuple[_Shot, ...]]
# The first three attributes of a move, and the shaker and the glass after it.
_Use: TypeAlias = tuple[str, bool, str, _Shaker, _Shot]


def solve_bar(task: Task, start: int) -> list[int] | None:
    """Find a plan with few steps for barman with one shaker.

    Args:
        task: The task.
        start: The initial state.

    Returns:
        Positions of actions; None if it is another problem, or no plan was found.
    """
    goals = [task.atoms[one].key for one in positions(task.goal.required)]
    if frozenset(task.domain.predicates) - {"other"} != _PREDICATES or any(
        goal[0] != "contains" for goal in goals
    ):
        return None
    facts = [one.key for one in task.static]
    facts += [task.atoms[one].key for one in positions(start)]
    try:
        shaker, shots = _shaker(task, facts), _shots(task, facts, goals)
        bar = _Bar(facts)
    except LookupError:
        return None
    state = shaker, tuple(sorted(shots.values()))
    most = max(_FEWEST, _MOST_WORK // max(1, len(shots)) ** 2)
    moves = search(state, bar.successors, bar.bound, most)
    if moves is None:
        return None
    return carried_out(task, start, _steps(task, shots, moves))


def _shaker(task: Task, facts: list[Key]) -> _Shaker:
    name = task.table.objects.of(("shaker",))[0]
    above = {fact[1]: fact[2] for fact in facts if fact[0] == "next"}
    about = {fact[0]: fact[-1] for fact in facts if fact[1:2] == (name,)}
    levels = {about["shaker-empty-level"]: 0}
    for _ in above:
        last = next(reversed(levels))
        levels.setdefault(above.get(last, last), len(levels))
    return _Shaker(
        tuple(sorted(fact[2] for fact in facts if fact[:2] == ("contains", name))),
        levels[about["shaker-level"]],
        "shaked" in about,
        "clean" in about,
        any(fact[0] == "holding" and fact[2] == name for fact in facts),
    )


def _shots(task: Task, facts: list[Key], goals: list[Key]) -> dict[str, _Shot]:
    goal = {one[1]: one[2] for one in goals}
    content = {fact[1]: fact[2] for fact in facts if fact[0] == "contains"}
    used = {fact[1]: fact[2] for fact in facts if fact[0] == "used"}
    held = {fact[2] for fact in facts if fact[0] == "holding"}
    shots = {}
    for name in task.table.objects.of(("shot",)):
        beverages = goal.get(name, ""), content.get(name, ""), used.get(name, "")
        shots[name] = _Shot(*beverages, name in held)
    return shots


def _steps(
    task: Task, shots: dict[str, _Shot], moves: list[_Move]
) -> Iterator[list[Key]]:
    """Yield the atoms of each move, for a glass equivalent to the planned one."""
    shaker = task.table.objects.of(("shaker",))[0]
    hands = task.table.objects.of(("hand",))
    now = dict(shots)
    for makes, of_shaker, beverage, before, after in moves:
        name = shaker
        if before is not None and after is not None:
            glass = next(one for one, shot in now.items() if shot == before)
            now[glass] = after
            name = shaker if of_shaker else glass
        if makes == "holding":
            yield [(makes, hand, name) for hand in hands]
        else:
            yield [(makes, name, beverage) if beverage else (makes, name)]


class _Bar:
    """The possible moves in a bar."""

    def __init__(self, facts: list[Key]) -> None:
        self._recipes: dict[str, set[str]] = defaultdict(set)
        for fact in facts:
            if fact[0] in ("cocktail-part1", "cocktail-part2"):
                self._recipes[fact[1]].add(fact[2])

    def successors(self, state: _State) -> Iterator[tuple[_Move, _State]]:
        """Yield the moves that can be useful, and the states to which they lead."""
        shaker, shots = state
        needed = self._needed(state)
        hands = 2 - shaker.held - sum(shot.held for shot in shots)
        for shot in sorted(set(shots)):
            rest = list(shots)
            rest.remove(shot)
            for use in (
                *self._handling(shaker, shot, hands, needed),
                *self._pouring(shaker, shot, needed),
            ):
                mixed, after = use[3:]
                move = _Move(*use[:3], shot, after)
                yield move, (mixed, tuple(sorted([*rest, after])))
        for makes, beverage, mixed in self._shaking(state, hands):
            yield _Move(makes, True, beverage), (mixed, shots)

    def _handling(
        self, shaker: _Shaker, shot: _Shot, hands: int, needed: set[str]
    ) -> Iterator[_Use]:
        """Yield the uses of a glass without the shaker."""
        opened = shot.goal != shot.content
        if not shot.held:
            if hands and (opened or (needed and not shot.content)):
                yield "holding", False, "", shaker, shot._replace(held=True)
            return
        yield "ontable", False, "", shaker, shot._replace(held=False)
        if shot.content and opened:
            yield "empty", False, "", shaker, shot._replace(content="")
        if shot.content or not hands:
            return
        if shot.used:
            yield "clean", False, "", shaker, shot._replace(used="")
        own = {shot.goal} - {""} - self._recipes.keys()
        for one in sorted(needed | own):
            if shot.used in ("", one):
                after = shot._replace(content=one, used=one)
                yield "contains", False, one, shaker, after

    def _pouring(
        self, shaker: _Shaker, shot: _Shot, needed: set[str]
    ) -> Iterator[_Use]:
        """Yield the uses of a glass with the shaker."""
        ready = not shaker.shaked and (shaker.clean or shaker.content)
        if ready and shot.held and shot.content in needed:
            content = tuple(sorted({*shaker.content, shot.content}))
            mixed = _Shaker(content, shaker.level + 1, False, False, shaker.held)
            yield "contains", True, shot.content, mixed, shot._replace(content="")
        served = shaker.shaked and (shot.goal,) == shaker.content and shaker.level
        if served and shaker.held and not shot.content and not shot.used:
            mixed = shaker._replace(level=shaker.level - 1)
            yield "contains", False, shot.goal, mixed, shot._replace(content=shot.goal)

    def _shaking(self, state: _State, hands: int) -> Iterator[tuple[str, str, _Shaker]]:
        """Yield the uses of the shaker alone."""
        shaker, _ = state
        wanted = self._wanted(state)
        if not shaker.held:
            if hands and wanted:
                yield "holding", "", shaker._replace(held=True)
            return
        yield "ontable", "", shaker._replace(held=False)
        if shaker.shaked:
            yield "empty", "", _Shaker((), 0, False, False, True)
        elif not shaker.content and not shaker.clean and hands:
            yield "clean", "", shaker._replace(clean=True)
        for one in sorted(wanted):
            if self._recipes[one] == {*shaker.content} and hands:
                yield "contains", one, shaker._replace(content=(one,), shaked=True)

    def _wanted(self, state: _State) -> set[str]:
        """Return the cocktails that are still to be served."""
        return {
            shot.goal
            for shot in state[1]
            if shot.goal != shot.content and shot.goal in self._recipes
        }

    def _needed(self, state: _State) -> set[str]:
        """Return the ingredients that can be poured into the shaker next."""
        content, wanted = {*state[0].content}, self._wanted(state)
        if state[0].shaked:
            content, wanted = set(), wanted - content
        parts = (self._recipes[one] for one in wanted)
        return {part for one in parts if one >= content for part in one - content}

    def bound(self, state: _State) -> tuple[int, int]:
        """Return twice an estimate of the number of remaining steps.

        The estimate is a lower bound except in rare states. It is returned as a pair,
        because ``search`` also expects a measure of the remaining work.
        """
        shaker, shots = state
        opened = [shot for shot in shots if shot.goal not in ("", shot.content)]
        if not opened:
            return 0, 0
        needed, wanted = self._needed(state), self._wanted(state)
        plain = [shot for shot in opened if shot.goal not in wanted]
        dirty = [shot for shot in opened if shot.goal in wanted and shot.used]
        mixing = bool(wanted - ({*shaker.content} if shaker.shaked else set()))
        # Each glass is filled, after being emptied or cleaned if necessary.
        steps = len(opened) + len(dirty)
        steps += sum(bool(one.content) and one.content not in needed for one in opened)
        steps += sum(one.used not in ("", one.goal) for one in plain)
        if mixing:
            steps += 1 + len(needed) + shaker.shaked
            steps += shaker.shaked or not (shaker.clean or shaker.content)
        # Ingredients that no glass contains are filled into a glass, which is then
        # cleaned, unless it is filled with the same again.
        fills = needed - {one.content for one in shots if one.content != one.goal}
        again = {one.used for one in shots} | {one.goal for one in plain}
        fresh = any(one.held and not one.content and not one.used for one in shots)
        borrowed = bool(fills) and not plain and not any(one.held for one in shots)
        steps += len(fills) + max(0, len(fills - again) - (borrowed or fresh))
        # Containers that need the other hand empty are grasped one by one, and all but
        # the last are put down again.
        alone = [*(one.held for one in (*plain, *dirty)), *([shaker.held] * mixing)]
        alone += [False] * borrowed
        held = shaker.held + sum(one.held for one in shots)
        steps += alone.count(False)
        if alone:
            steps += held + alone.count(False) - 1
            return steps, steps
        idle = bool(wanted) and not shaker.held
        steps += idle + max(0, held + idle - 2)
        return steps, steps
