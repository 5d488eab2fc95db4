"""The possible effects of an Inform story's routines, found by following them.

A routine is followed over every way through it that depends on anything unknown, as
abstract interpretation does. The answers hold for every state of the story; where a
routine is too hard to follow, the answer is that it may do something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from aq_gym.envs.jericho.logic.instructions import Instruction, Operand
from aq_gym.envs.jericho.logic.nouns import Nouns, Places, holds
from aq_gym.envs.jericho.logic.paths import RETURNS, Condition, Paths
from aq_gym.envs.jericho.logic.present import OWNER, Decisions, Present

__all__ = ["Routines"]

_NO_RULE = 0xFFFF
_FIRST_GLOBAL = 16
# Inform's compiler keeps the action that a rule is asked about in this variable.
_RULE_ACTION = _FIRST_GLOBAL + 233
# The object whose rule is asked.
_SELF = _FIRST_GLOBAL + 235
# The last variables are its own: they hold nothing from one statement to the next.
_SCRATCH = range(_RULE_ACTION, 256)
_DEEPEST = 8
# The library declares them in a row: from the action, three before the first noun, to
# notes on how the action is to be reported.
_LIBRARY_VARIABLES = range(-3, 6)
# Of these, the nouns as typed and as acted upon: who assigns them begins an action.
_INPUTS = range(-2, 2)
# So many actions call a routine of the library, and no routine of a story's own.
_LIBRARY_CALLERS, _RUNNER_CALLERS = 10, 3

_JE, _TEST_ATTR, _JUMP = 0x01, 0x0A, 0x8C
_RFALSE = 0xB1
_PRINTS = frozenset({0x87, 0x8A, 0x8D, 0xB2, 0xB3, 0xBB, 0xE5, 0xE6, 0xF1, 0x10B})
_CALLS = frozenset({0x19, 0x1A, 0x88, 0x8F, 0xE0, 0xEC, 0xF9, 0xFA})
# Instructions whose first operand is the number of a variable that they change.
_ASSIGNS = frozenset({0x04, 0x05, 0x0D, 0x85, 0x86, 0xE9})
# Instructions that only compute, compare or look something up.
_PURE = frozenset((
    *range(0x01, 0x04), *range(0x06, 0x0B), *range(0x0F, 0x19), *range(0x80, 0x85),
    _JUMP, 0x8E, 0xB4, 0xE7, 0xE8, 0xF8, 0xFF, 0x102, 0x103,
))  # fmt: skip
_WORLD = frozenset({0x0B, 0x0C, 0x0E, 0x89, 0xE3})
_UNKNOWN = Nouns()


class Routines:
    """Follows the routines of a story that Inform compiled.

    A routine that many actions call is taken for one of the library's, which prints,
    asks the rules of the nouns, or performs another action on them; the rules and the
    other action are judged by themselves.

    Args:
        story: The story file's content.
        actions: The packed address of each action's routine, by its number.
        counted: The global variables whose change counts, as operands name them; all
            but the library's notes on the action if not given.
        people: The global variables that hold the player.
    """

    def __init__(
        self,
        story: bytes,
        actions: Mapping[int, int],
        counted: frozenset[int] | None = None,
        people: frozenset[int] = frozenset(),
    ) -> None:
        self._paths = Paths(story)
        self._actions = actions
        self._counted = counted
        self._people = people
        self.reacts = lru_cache(maxsize=50_000)(self._reacts)
        self.changes = lru_cache(maxsize=50_000)(self._changes)
        self._assigned = lru_cache(maxsize=None)(self._assigned_by)
        self._noun = 0
        self._library = self._runners = self._messages = frozenset[int]()
        self._notes = frozenset[int]()
        self._survey()

    def _reacts(
        self,
        rule: int,
        action: int | None,
        nouns: Nouns = _UNKNOWN,
        inner: bool = False,
        now: Decisions | None = None,
    ) -> bool:
        """Return whether a rule may change something for an action.

        A rule is a routine that the library calls for an action. It may print, and
        stop the action or leave it alone.

        Args:
            rule: The rule's packed address.
            action: The action's number, None where it is unknown.
            nouns: The known facts about the action's nouns.
            inner: Whether it is asked from within the action's routine, also about
                actions that no command has, such as receiving something.
            now: Decides further tests by the present memory, if given.
        """
        if rule in (0, _NO_RULE):
            return False
        own = {} if now is None else {_SELF: OWNER}
        places = self._places(rule, self._globals() | own)
        compared = _RULE_ACTION not in self._assigned(rule)

        def known(step: Instruction) -> bool | None:
            found = None
            if compared and action is not None:
                found = _compared(step, _RULE_ACTION, action)
                if inner and (found or self._names_others(step)):
                    found = None
            return self._holds(step, nouns, places, now) if found is None else found

        return self._does(rule, known, nouns, places, _DEEPEST, True, now)

    def reacts_at(
        self, present: Present, rule: int, owner: int, action: int, nouns: Nouns
    ) -> bool:
        """Return whether a rule may change something for an action at present.

        Args:
            present: The present memory.
            rule: The rule's packed address.
            owner: The object whose rule it is.
            action: The action's number.
            nouns: The known facts about the action's nouns.
        """

        def follow(now: Decisions) -> bool:
            return self._reacts(rule, action, nouns, now=now)

        return self.reacts(rule, action, nouns) and present.decide(
            (rule, owner, action, nouns), owner, follow
        )

    def _holds(
        self, step: Instruction, nouns: Nouns, places: Places, now: Decisions | None
    ) -> bool | None:
        found = holds(step, nouns, places, self._people)
        if found is None and now is not None:
            return now.holds(step, nouns, places)
        return found

    def _names_others(self, step: Instruction) -> bool:
        """Return whether a comparison is with an action that no command has."""
        return any(other.value not in self._actions for other in step.operands[1:])

    def is_active(self, value: int) -> bool:
        """Return whether a property's value is a routine that may change something.

        Args:
            value: A packed address, or any other number.
        """
        if not self._paths.is_code(value):
            return False
        return self.reacts(value, None)

    def is_rule(self, routine: int) -> bool:
        """Return whether a routine begins by comparing the action, as rules do.

        Args:
            routine: A packed address, or any other number.
        """
        if routine in (0, _NO_RULE):
            return False
        step = next(self._paths.follow(routine))
        if step is None or step.number != _JE:
            return False
        return step.operands[0] == Operand(_RULE_ACTION, True)

    def _changes(self, action: int, nouns: Nouns, now: Decisions | None = None) -> bool:
        """Return whether an action's routine may change more than it prints.

        Args:
            action: The action's number.
            nouns: The known facts about its nouns.
            now: Decides further tests by the present memory, if given.
        """
        routine = self._actions.get(action, 0)
        return not routine or self._may_change(
            routine, nouns, self._globals(), _DEEPEST, False, now
        )

    def changes_at(self, present: Present, action: int, nouns: Nouns) -> bool:
        """Return whether an action's routine may change something at present.

        Args:
            present: The present memory.
            action: The action's number.
            nouns: The known facts about its nouns.
        """

        def follow(now: Decisions) -> bool:
            return self._changes(action, nouns, now)

        return self.changes(action, nouns) and present.decide(
            (action, nouns), 0, follow
        )

    def _may_change(
        self,
        routine: int,
        nouns: Nouns,
        places: Places,
        depth: int,
        rule: bool,
        now: Decisions | None = None,
    ) -> bool:
        if not depth:
            return True
        places = self._places(routine, places)

        def known(step: Instruction) -> bool | None:
            return self._holds(step, nouns, places, now)

        return self._does(routine, known, nouns, places, depth, rule, now)

    def _does(
        self,
        routine: int,
        known: Condition,
        nouns: Nouns,
        places: Places,
        depth: int,
        rule: bool,
        now: Decisions | None = None,
    ) -> bool:
        """Return whether a routine may do more than print, compute and call such."""
        for step in self._paths.follow(routine, known):
            if step is None or self._assigns(step):
                return True
            if step.number in _CALLS:
                called = step.operands[0]
                if called.variable:
                    return True
                if not called.value or called.value in self._messages:
                    continue
                if not rule and called.value in self._library:
                    continue
                if not rule and self._asks_nothing(step, nouns, places):
                    continue
                inner = _passed(step, places)
                if self._may_change(called.value, nouns, inner, depth - 1, rule, now):
                    return True
            elif not (_harmless(step) or step.number in _PRINTS | RETURNS):
                return True
        return False

    def _asks_nothing(self, step: Instruction, nouns: Nouns, places: Places) -> bool:
        """Return whether a call asks rules of a noun that has none to be asked."""
        routine, *arguments = step.operands
        if routine.value not in self._runners:
            return False
        first = arguments[0] if arguments else routine
        which = places.get(first.value) if first.variable else None
        if which is None:
            return not (nouns.tells or nouns.ruled)
        return not (nouns.ruled if which else nouns.tells)

    def _globals(self) -> dict[int, int]:
        if self._noun < _FIRST_GLOBAL:
            return {}
        return {self._noun: 0, self._noun + 1: 1}

    def _places(self, routine: int, places: Places) -> Places:
        """Return where a routine has nouns, without variables that it assigns."""
        assigned = self._assigned(routine)
        return {v: which for v, which in places.items() if v not in assigned}

    def _assigned_by(self, routine: int) -> frozenset[int]:
        """Return the variables that a routine itself assigns."""
        found = set()
        for step in self._paths.follow(routine):
            if step is None:
                continue
            if step.store is not None:
                found.add(step.store)
            if step.number in _ASSIGNS and not step.operands[0].variable:
                found.add(step.operands[0].value)
        return frozenset(found)

    def _assigns(self, step: Instruction) -> bool:
        """Return whether an instruction changes a variable that counts."""
        if step.store is not None and self._counts(step.store):
            return True
        if step.number not in _ASSIGNS:
            return False
        target = step.operands[0]
        return target.variable or self._counts(target.value)

    def _counts(self, variable: int) -> bool:
        """Return whether a variable is more than a local one or the library's own."""
        if variable < _FIRST_GLOBAL or variable in _SCRATCH:
            return False
        if self._counted is not None:
            return variable in self._counted
        if variable in self._notes:
            return False
        return variable - self._noun not in _LIBRARY_VARIABLES

    def _survey(self) -> None:
        """Find out which variable holds the first noun, and the library's routines."""
        tested: Counter[int] = Counter()
        callers: Counter[int] = Counter()
        for routine in set(self._actions.values()):
            called = set()
            for step in self._paths.follow(routine):
                if step is None or not step.operands:
                    continue
                first = step.operands[0]
                if step.number == _TEST_ATTR and first.variable:
                    tested[first.value] += first.value >= _FIRST_GLOBAL
                elif step.number in _CALLS and not first.variable:
                    called.add(first.value)
            callers.update(called)
        self._noun = max(tested, key=lambda variable: tested[variable], default=0)
        self._library = self._harmless_of(callers, _LIBRARY_CALLERS)
        inner = Counter(
            step.operands[0].value
            for routine in self._library
            for step in self._paths.follow(routine)
            if step is not None and step.number in _CALLS
        )
        # The library asks rules through one routine, and some actions call it, too.
        asked = {routine: callers[routine] for routine in inner}
        self._runners = self._harmless_of(asked, _RUNNER_CALLERS) - self._library
        reached = {routine: self._reached(routine) for routine in self._library}
        self._messages = frozenset(
            routine
            for routine, assigned in reached.items()
            if assigned.isdisjoint(self._noun + place for place in _INPUTS)
        )
        self._notes = frozenset[int]().union(*(reached[r] for r in self._messages))

    def _reached(self, routine: int) -> frozenset[int]:
        """Return the variables assigned by a routine and by all that it calls."""
        open_, seen, found = [routine], {routine}, set[int]()
        while open_:
            here = open_.pop()
            found |= self._assigned(here)
            for step in self._paths.follow(here):
                if step is None or step.number not in _CALLS:
                    continue
                called = step.operands[0]
                if not called.variable and called.value and called.value not in seen:
                    seen.add(called.value)
                    open_.append(called.value)
        return frozenset(found)

    def _harmless_of(self, callers: Mapping[int, int], least: int) -> frozenset[int]:
        often = (routine for routine, count in callers.items() if count >= least)
        return frozenset(r for r in often if not self._touches_world(r))

    def _touches_world(self, routine: int) -> bool:
        steps = self._paths.follow(routine)
        return any(step is None or step.number in _WORLD for step in steps)


def _compared(step: Instruction, variable: int, value: int) -> bool | None:
    """Return whether a comparison of a variable holds, None if it is another one."""
    if step.number != _JE or not step.operands:
        return None
    first, *others = step.operands
    if first != Operand(variable, True) or any(other.variable for other in others):
        return None
    return value in [other.value for other in others]


def _passed(step: Instruction, places: Places) -> Places:
    """Return where nouns are in a routine that is called."""
    found = {v: which for v, which in places.items() if v >= _FIRST_GLOBAL}
    for local, operand in enumerate(step.operands[1:], start=1):
        if operand.variable and operand.value in places:
            found[local] = places[operand.value]
    return found


def _harmless(step: Instruction) -> bool:
    return step.number in _PURE or step.number in _ASSIGNS or step.number == _RFALSE
