"""Commands that can change something, by the code of a story's actions and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import (
    Memory,
    Nouns,
    Present,
    Routines,
    inform_actions,
    inform_patterns,
)
from aq_gym.envs.jericho.logic.header import word_at

__all__ = ["Relevance"]

# Properties that Inform's library declares first, in the same order in each release.
_NAME, _BEFORE, _AFTER, _LIFE, _PARSE_NAME = 1, 4, 5, 6, 48
_REACT_BEFORE, _REACT_AFTER, _ORDERS = 26, 27, 29
_NEIGHBOURS = (2, 3, _AFTER, _LIFE, 7)
_OF_FIRST = frozenset({_BEFORE, _AFTER, _LIFE})
# The library asks the second noun only what it does as a living thing.
_OF_SECOND = frozenset({_LIFE})
_OF_ROOM = frozenset({_BEFORE, _AFTER, _REACT_BEFORE, _REACT_AFTER})
_OF_PLAYER = frozenset({_ORDERS, _REACT_BEFORE, _REACT_AFTER})
_OF_OTHERS = frozenset({_REACT_BEFORE, _REACT_AFTER})
_ALL_RULES = _OF_FIRST | _OF_ROOM | _OF_PLAYER
# The parser reads these, and no action runs them. The address of a word can look like
# that of a routine.
_OF_PARSER = frozenset({_NAME, _PARSE_NAME})
# More of the parser's properties, in our stories.
_WORDS = ("called", "heads")
_ATTRIBUTE_BYTES = 6
# The library's variables whose change is one of the world.
_OF_WORLD = (
    "deadflag", "score", "player", "real_location", "the_time", "time_rate",
    "time_step", "turns", "active_timers", "things_score", "places_score",
    "sys__glob0", "sys__glob1", "sys__glob2",
)  # fmt: skip
_FIRST_GLOBAL = 16
_UNKNOWN = Nouns()
_NONE = Nouns(numbers=(0, 0))


class Relevance:
    """Rules out commands that could only print something.

    A command can matter if the routine of its action may change something for nouns
    with these attributes, or a rule of its nouns or of anything around reacts to it.

    Args:
        game: The story.
        memory: Its memory, which is read anew each time.

    Attributes:
        enabled: Whether anything is ruled out.
        settled: Whether the tests of rules are decided by the present memory, too. They
            are not where waiting changes something: a command that only passes time
            may then be wanted.
    """

    def __init__(self, game: Game, memory: Memory) -> None:
        self._memory = memory
        self.enabled = True
        self.settled = False
        self._player = game.player
        self._routines = _routines(game.story, *_variables(game))
        self._present = Present(memory, _tested(game)) if game.symbols else None
        self._untold = _ALL_RULES | _OF_PARSER | _word_properties(game)
        self._common: tuple[tuple[int, int], ...] = ()
        self.forget()

    def forget(self) -> None:
        """Forget what was read of the memory, because it has changed."""
        self._reacting: dict[int, tuple[tuple[int, int], ...]] = {}
        self._telling: dict[int, bool] = {}
        self._ruled: dict[tuple[int, int], bool] = {}
        self._facts: dict[int, bytes] = {}
        self._first: dict[int, Nouns] = {}
        self._wanted: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {}
        if self._present is not None:
            self._present.forget()

    def look_around(self, player: int, room: int, around: Iterable[int]) -> None:
        """Note whose rules can react to anything from here.

        Args:
            player: The player's object.
            room: The object that everything is in.
            around: The objects in it.
        """
        asked = [(room, _OF_ROOM), (player, _OF_PLAYER)]
        asked += [(number, _OF_OTHERS) for number in around]
        rules = ((o, rule) for o, wanted in asked for rule in self._rules(o, wanted))
        self._common = tuple(dict.fromkeys(rules))

    def can_matter(
        self, action: int, nouns: Sequence[int], describes: bool = False
    ) -> bool:
        """Return whether an action could do more than print.

        Args:
            action: Its number.
            nouns: Its nouns, up to two, in the order in which the action takes them.
            describes: Whether its own routine only prints the first noun's description.
        """
        routines = self._routines
        if routines is None or not self.enabled:
            return True
        facts = self._nouns(action, nouns)
        for owner, rule in self._common_to(action):
            if self._reacts(owner, rule, action, facts):
                return True
        if facts.tells if describes else self._changes(action, facts):
            return True
        for noun, wanted in zip(nouns, (_OF_FIRST, _OF_SECOND), strict=False):
            for rule in self._rules(noun, wanted):
                if routines.reacts(rule, action) and self._reacts(
                    noun, rule, action, facts
                ):
                    return True
        return False

    def _reacts(self, owner: int, rule: int, action: int, facts: Nouns) -> bool:
        """Return whether a rule of an object may change something for an action."""
        routines, present = self._routines, self._present
        assert routines is not None
        if present is None or not self.settled:
            return routines.reacts(rule, action, facts)
        return routines.reacts_at(present, rule, owner, action, facts)

    def _changes(self, action: int, facts: Nouns) -> bool:
        """Return whether the routine of an action may change something."""
        routines, present = self._routines, self._present
        assert routines is not None
        if present is None or not self.settled:
            return routines.changes(action, facts)
        return routines.changes_at(present, action, facts)

    def may_lead(self, room: int, way: int, go: int) -> bool:
        """Return whether going a way could do more than print.

        Args:
            room: The room, which the player is directly in.
            way: The property that has where the way leads.
            go: The number of the action of going.
        """
        return (
            self._routines is None
            or way in self._memory.values(room)
            or bool(self._common_to(go))
            or self._tells(room)
        )

    def _common_to(self, action: int) -> tuple[tuple[int, int], ...]:
        """Return the rules of what is around that may do something for an action."""
        reacts = self._routines.reacts if self._routines else None
        if action not in self._reacting and reacts is not None:
            found = (pair for pair in self._common if reacts(pair[1], action))
            self._reacting[action] = tuple(found)
        return self._reacting[action]

    def _nouns(self, action: int, nouns: Sequence[int]) -> Nouns:
        if not nouns:
            return _NONE
        first = self._first.get(nouns[0])
        if first is None:
            first = self._first[nouns[0]] = Nouns(
                self._attributes(nouns[0]),
                tells=self._tells(nouns[0]),
                numbers=(nouns[0], 0),
                held=self._memory.parent(nouns[0]) == self._player != 0,
            )
        if len(nouns) < 2:
            return first
        return first._replace(
            second=self._attributes(nouns[1]),
            ruled=self._is_ruled(nouns[1], action),
            numbers=(nouns[0], nouns[1]),
        )

    def _tells(self, noun: int) -> bool:
        """Return whether a routine of a noun that is no rule may change something.

        An action's own routine may run any of them, such as a description.
        """
        assert self._routines is not None
        if noun not in self._telling:
            others = self._memory.values(noun).keys() - self._untold
            values = self._rules(noun, frozenset(others))
            self._telling[noun] = any(map(self._routines.is_active, values))
        return self._telling[noun]

    def _is_ruled(self, noun: int, action: int) -> bool:
        """Return whether an action's own routine may make a noun's rules do something.

        It asks those of the second noun about receiving things.
        """
        routines, key = self._routines, (noun, action)
        assert routines is not None
        if key not in self._ruled:
            rules = self._rules(noun, _OF_FIRST)
            found = any(routines.reacts(r, action, _UNKNOWN, True) for r in rules)
            self._ruled[key] = found
        return self._ruled[key]

    def _attributes(self, number: int) -> bytes:
        if number not in self._facts:
            start = self._memory.entry_address(number)
            found = self._memory.ram[start : start + _ATTRIBUTE_BYTES]
            self._facts[number] = bytes(found)
        return self._facts[number]

    def _rules(self, number: int, wanted: frozenset[int]) -> tuple[int, ...]:
        found = self._wanted.get((number, wanted))
        if found is None:
            values = self._memory.values(number)
            found = tuple(
                w for p, words in values.items() if p in wanted for w in words
            )
            self._wanted[number, wanted] = found
        return found


def _word_properties(game: Game) -> frozenset[int]:
    """Return the properties of an adventure's own that only hold words."""
    known = game.symbols["properties"] if game.symbols else {}
    return frozenset(known[name] for name in _WORDS if name in known)


def _tested(game: Game) -> frozenset[int]:
    """Return an adventure's own variables and the player's, as operands name them."""
    assert game.symbols is not None
    numbers = (*game.own_globals.values(), game.symbols["globals"]["player"])
    return frozenset(_FIRST_GLOBAL + number for number in numbers)


def _variables(game: Game) -> tuple[frozenset[int] | None, frozenset[int]]:
    """Return the variables that count, None where unknown, and the player's."""
    if game.symbols is None:
        return None, frozenset()
    known = game.symbols["globals"]
    counted = {known[name] for name in _OF_WORLD if name in known}
    counted.update(game.own_globals.values())
    people = (known["player"], known["actor"])
    return (
        frozenset(_FIRST_GLOBAL + number for number in counted),
        frozenset(_FIRST_GLOBAL + number for number in people),
    )


@lru_cache(maxsize=16)
def _routines(
    story: bytes,
    counted: frozenset[int] | None = None,
    people: frozenset[int] = frozenset(),
) -> Routines | None:
    """Return the routines of a story, None where they can't be relied on.

    Stories of Inform 7 and of other libraries go about actions in other ways.
    """
    actions = inform_actions(story)
    if not actions:
        return None
    routines = Routines(story, actions, counted, people)
    usual = _takes_and_drops(story, routines) and _has_usual_rules(story, routines)
    return routines if usual else None


def _takes_and_drops(story: bytes, routines: Routines) -> bool:
    """Return whether taking and dropping are seen to change the world."""
    plain = Nouns(bytes(_ATTRIBUTE_BYTES))
    changing = {
        pattern.tokens[0]
        for pattern in inform_patterns(story)
        if len(pattern.tokens) == 1 and routines.changes(pattern.action, plain)
    }
    return {"<multi>", "<multiheld>"} <= changing


def _has_usual_rules(story: bytes, routines: Routines) -> bool:
    """Return whether rules about actions are where the library has them.

    If the properties were numbered otherwise, a neighbour would have them.
    """
    memory = Memory(story)
    counts: Counter[int] = Counter()
    for number in range(1, memory.count + 1):
        for prop, start, length in memory.properties(number):
            end = min(start + length, len(memory.ram)) - 1
            rules = (word_at(memory.ram, place) for place in range(start, end, 2))
            counts[prop] += sum(map(routines.is_rule, rules))
    return counts[_BEFORE] >= max(counts[prop] for prop in _NEIGHBOURS)
