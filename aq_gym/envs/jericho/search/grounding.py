"""The commands that can be tried here: the story's grammar filled with things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import Memory, Pattern, inform_patterns, read_dictionary
from aq_gym.envs.jericho.search.affordances import (
    DESCRIBING,
    IDLE,
    NEEDS,
    REACTIVE,
    RULES,
    SENSES,
    WAYS,
    Needs,
)
from aq_gym.envs.jericho.search.relevance import Relevance
from aq_gym.envs.jericho.search.surroundings import Surroundings, Thing

__all__ = ["DIRECTIONS", "Grounding"]

DIRECTIONS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
# Stories from elsewhere may ask for a yes or no at any time.
_ANSWERS = ("yes", "no")
# For stories whose grammar tables are not Inform's.
_COMMON = (
    "take <noun>", "drop <held>", "open <noun>", "close <noun>", "push <noun>",
    "pull <noun>", "turn <noun>", "move <noun>", "enter <noun>", "climb <noun>",
    "eat <noun>", "drink <noun>", "wear <held>", "light <noun>", "search <noun>",
    "turn on <noun>", "turn off <noun>", "put <held> in <noun>", "wait", "wake <noun>",
    "unlock <noun> with <held>", "give <held> to <noun>", "attack <noun> with <held>",
    "tie <held> to <noun>", "dig", "jump", "stand", "pray", "ring <noun>", "look",
)  # fmt: skip
_SKIPPED = frozenset({"<number>", "<special>", "<topic>"})
_HELD = frozenset({"<held>", "<multiheld>", "<multiexcept>"})
_ANYWHERE = _HELD | {"<multiinside>"}
_PLAIN = (
    "take", "drop", "open", "close", "push", "pull", "turn", "put", "give", "show",
    "unlock", "lock", "wear", "climb", "enter", "search", "light", "fill", "pour",
    "cut", "tie", "dig", "wait", "switch", "attack", "eat", "jump", "swim", "wake",
)  # fmt: skip
_NO_NEEDS = Needs()
_TABLES = ("actions", "attributes", "properties")


class _Form(NamedTuple):
    action: str
    words: tuple[str, ...]
    number: int = -1
    reverse: bool = False


class Grounding:
    """Fills a story's sentence forms with what is around the player.

    Args:
        game: The story.
        memory: Its memory, which is looked at anew each time.

    Attributes:
        surroundings: Finds and names the things around the player.
    """

    def __init__(self, game: Game, memory: Memory) -> None:
        self._memory = memory
        self._player = game.player
        self._dictionary = read_dictionary(game.story)
        symbols = game.symbols or {table: {} for table in _TABLES}
        self._attributes = symbols["attributes"]
        properties = symbols["properties"]
        self._rules = frozenset(properties[name] for name in RULES if properties)
        self._ways = {w: properties[p] for w, p in WAYS.items() if p in properties}
        self._go = symbols["actions"].get("Go", -1)
        actions = {number: name for name, number in symbols["actions"].items()}
        patterns = inform_patterns(game.story)
        self._inform = bool(patterns)
        self.surroundings = Surroundings(game.story, memory, game.player, self._inform)
        self._relevance = Relevance(game, memory)
        self._forms = _distinct(patterns, actions) or [
            _Form("", tuple(form.split()))
            for form in _COMMON
            if form.split()[0] in self._dictionary
        ]

    def commands(self, relevant: bool = True, settled: bool = False) -> tuple[str, ...]:
        """Return every command that may be worth a try, in a stable order.

        Args:
            relevant: Whether to leave out commands that, by the story's code, could
                only print something.
            settled: Whether waiting does nothing that counts, so that commands which
                only print at this moment may be left out, too.
        """
        always = DIRECTIONS if self._attributes else (*DIRECTIONS, *_ANSWERS)
        words = [word for word in always if word in self._dictionary]
        around, held = self.surroundings.things()
        self._relevance.enabled = relevant and self._inform
        self._relevance.settled = settled
        self._relevance.forget()
        if self._relevance.enabled and self._player:
            room = self.surroundings.room()
            inside = self.surroundings.inside(room)
            self._relevance.look_around(self._player, room, inside)
            words = [word for word in words if self._may_lead(word, room)]
        found = words
        for form in self._forms:
            found.extend(self._fill(form, around, held))
        return tuple(dict.fromkeys(found))

    def _may_lead(self, word: str, room: int) -> bool:
        """Return whether going a way could do more than print that there is none."""
        way = self._ways.get(word)
        if way is None or self._memory.parent(self._player) != room:
            return True
        return self._relevance.may_lead(room, way, self._go)

    def _fill(
        self, form: _Form, around: Sequence[Thing], held: Sequence[Thing]
    ) -> Iterator[str]:
        needs = NEEDS.get(form.action, _NO_NEEDS)
        kinds = [word for word in form.words if word[0] == "<"]
        slots = [held if kind in _HELD else around for kind in kinds]
        if len(slots) == 2 and not _ANYWHERE.intersection(kinds):
            slots[0] = held
        if slots and needs.held:
            slots[0] = held
        wanted = (needs.first, needs.second)
        choices = [
            [thing for thing in slot if self._suits(thing, kind, any_of)]
            for slot, kind, any_of in zip(slots, kinds, wanted, strict=False)
        ]
        for choice in product(*choices):
            if len({thing.number for thing in choice}) < len(choice):
                continue
            if self._can_matter(form, choice):
                names = iter(choice)
                words = (next(names).name if w[0] == "<" else w for w in form.words)
                yield " ".join(words)

    def _suits(self, thing: Thing, kind: str, any_of: tuple[str, ...]) -> bool:
        if not self._attributes:
            return True
        if kind == "<creature>":
            any_of = ("animate",)
        elif kind in ("<multi>", "<multiinside>") and not any_of:
            return not self._has(thing, ("scenery",))
        return not any_of or self._has(thing, any_of)

    def _can_matter(self, form: _Form, things: Sequence[Thing]) -> bool:
        if not self._inform:
            return True
        if self._relevance.enabled and form.action in IDLE:
            return False
        numbers = [thing.number for thing in things]
        if "<multiinside>" in form.words and len(numbers) == 2:
            inside, container = numbers
            if not self._memory.is_in(inside, container):
                return False
        if (
            numbers
            and self._rules
            and form.action in REACTIVE
            and not self._have_rules(numbers)
        ):
            return False
        return self._relevance.can_matter(
            form.number,
            numbers[::-1] if form.reverse else numbers,
            describes=form.action in DESCRIBING,
        )

    def _have_rules(self, numbers: Sequence[int]) -> bool:
        return any(
            not self._rules.isdisjoint(self._relevance.values(number))
            for number in numbers
        )

    def _has(self, thing: Thing, any_of: tuple[str, ...]) -> bool:
        numbers = map(self._attributes.__getitem__, any_of)
        return any(self._memory.attribute(thing.number, n) for n in numbers)


def _distinct(patterns: tuple[Pattern, ...], actions: Mapping[int, str]) -> list[_Form]:
    """Keep one sentence for each action and number of nouns, with a plain verb."""
    best: dict[tuple[int, int], _Form] = {}
    for verb, number, tokens, reverse in patterns:
        count = sum(token[0] == "<" for token in tokens)
        action = actions.get(number, "")
        if count > 2 or _SKIPPED.intersection(tokens) or (count and action in SENSES):
            continue
        form = _Form(action, (verb, *tokens), number, reverse)
        known = best.get((number, count))
        if known is None or _rank(form) < _rank(known):
            best[number, count] = form
    return list(best.values())


def _rank(form: _Form) -> tuple[bool, int, int]:
    verb = form.words[0]
    return verb not in _PLAIN, len(form.words), len(verb)
