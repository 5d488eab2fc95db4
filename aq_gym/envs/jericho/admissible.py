"""What would change something here, found by trying it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from aq_gym.envs.jericho.session import Moment, Session
from aq_gym.envs.jericho.zmachine import Dictionary, Pattern, inform_patterns

__all__ = ["Explorer"]

_DIRECTIONS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
# For stories whose grammar tables are not Inform's.
_COMMON = (
    "take <noun>", "drop <noun>", "open <noun>", "close <noun>", "push <noun>",
    "pull <noun>", "turn <noun>", "move <noun>", "enter <noun>", "climb <noun>",
    "eat <noun>", "drink <noun>", "wear <noun>", "light <noun>", "search <noun>",
    "turn on <noun>", "turn off <noun>", "put <noun> in <noun>", "wait", "wake <noun>",
    "unlock <noun> with <noun>", "give <noun> to <noun>", "attack <noun> with <noun>",
    "tie <noun> to <noun>", "dig", "jump", "stand", "pray", "ring <noun>",
)  # fmt: skip
_SKIPPED = frozenset({"<number>", "<special>", "<topic>"})
_PREFERRED = (
    "take", "drop", "open", "close", "push", "pull", "turn", "put", "give", "show",
    "unlock", "lock", "wear", "climb", "enter", "search", "light", "fill", "pour",
    "cut", "tie", "dig", "wait", "switch", "read", "ask", "throw", "wind", "oil",
)  # fmt: skip
_HELD = frozenset({"<held>", "<multiheld>", "<multiexcept>"})
_NAME_PROPERTY = 1
_CONCEALING = "and the of a an some pair on in".split()


class Explorer:
    """Finds the commands that change a story's world.

    Nouns come from the objects around the player, verbs from the story's grammar;
    each command is tried from a saved moment, and one stands for all that lead to the
    same world.

    Args:
        session: The story being played.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        game = session.game
        self._dictionary = Dictionary(game.story)
        patterns = inform_patterns(game.story)
        self._patterns = _distinct(patterns) or tuple(
            tuple(p.split()) for p in _COMMON if p.split()[0] in self._dictionary
        )
        attributes = game.symbols["attributes"] if game.symbols else {}
        self._workflag = attributes.get("workflag", -1)
        self._own = tuple(game.own_globals.values())

    def commands(self) -> tuple[str, ...]:
        """Return the commands that change something, one for each new world."""
        session = self._session
        here = session.now
        if here.over or here.wants_key:
            return ()
        worlds = {self._world(here): ""}
        try:
            for command in self._candidates():
                session.jump(here)
                if not session.do(command).understood:
                    continue
                world = self._world(session.now)
                if world not in worlds:
                    worlds[world] = command
        finally:
            session.jump(here)
        return tuple(sorted(filter(None, worlds.values())))

    def sample(self, rng: np.random.Generator) -> str:
        """Draw one command of all that could be tried, ``look`` among them."""
        commands = ["look", *self._candidates()]
        return commands[int(rng.integers(len(commands)))]

    def _candidates(self) -> Iterator[str]:
        yield from (d for d in _DIRECTIONS if d in self._dictionary)
        nouns, held = self._nouns()
        for pattern in self._patterns:
            slots = [held if t in _HELD else nouns for t in pattern if t[0] == "<"]
            if len(slots) == 2 and "<held>" not in pattern and slots[0] is nouns:
                slots[0] = held
            for choice in product(*slots):
                if len(set(choice)) == len(choice):
                    words = iter(choice)
                    yield " ".join(next(words) if t[0] == "<" else t for t in pattern)

    def _nouns(self) -> tuple[list[str], list[str]]:
        """Name what is around and what is carried, by the words the parser takes."""
        memory, player = self._session.memory, self._session.game.player
        if not player:
            return [], []
        room = player
        while memory.parent(room) and memory.parent(memory.parent(room)):
            room = memory.parent(room)
        room = memory.parent(room) or room
        around = [n for n in self._inside(room) if n != player]
        held = [n for n in self._inside(player)]
        return self._names(around + held), self._names(held)

    def _inside(self, container: int) -> Iterator[int]:
        for child in self._session.memory.children(container):
            yield child
            yield from self._inside(child)

    def _names(self, things: list[int]) -> list[str]:
        names: dict[str, None] = {}
        for thing in dict.fromkeys(things):
            words = [
                word
                for word in self._session.memory.name(thing).lower().split()
                if word in self._dictionary and word not in _CONCEALING
            ]
            if not words:
                addresses = self._session.memory.words(thing, _NAME_PROPERTY)
                known = map(self._dictionary.by_address.get, addresses)
                words = [word.text for word in known if word][:1]
            if words:
                names[" ".join(words)] = None
        return list(names)

    def _world(self, moment: Moment) -> tuple[object, ...]:
        """Return what tells worlds apart: the objects and the story's own variables."""
        session = self._session
        header = session.memory.header
        objects = bytearray(moment.snapshot.ram[header.objects : header.globals])
        if self._workflag >= 0:
            memory = session.memory
            mask = ~(0x80 >> self._workflag % 8) & 0xFF
            start = memory.entry_address(1) - header.objects + self._workflag // 8
            for address in range(start, start + 14 * memory.count, 14):
                objects[address] &= mask
        memory = session.memory
        memory.ram = moment.snapshot.ram
        own = tuple(memory.variable(number) for number in self._own)
        return bytes(objects), own, moment.over, moment.won, moment.score


def _distinct(patterns: tuple[Pattern, ...]) -> tuple[tuple[str, ...], ...]:
    """Keep one sentence for each action and form, with the plainest verb."""
    best: dict[object, tuple[str, ...]] = {}
    for verb, action, tokens in patterns:
        if _SKIPPED.intersection(tokens):
            continue
        slots = sum(token[0] == "<" for token in tokens)
        if slots > 2:
            continue
        key = action, slots
        known = best.get(key)
        if known is None or _rank(verb) < _rank(known[0]):
            best[key] = (verb, *tokens)
    return tuple(best.values())


def _rank(verb: str) -> tuple[bool, int]:
    return verb not in _PREFERRED, len(verb)
