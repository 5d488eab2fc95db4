"""Commands to try: the grammar of a story filled with the things around the player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.logic import Memory, Pattern, inform_patterns, read_dictionary
from aq_gym.envs.jericho.logic.story_file import word_at

_NAME_PROPERTY = 1
_UNNAMED = frozenset((
    "and", "the", "of", "a", "an", "some", "pair", "on", "in",
))  # fmt: skip
_DEEPEST = 20
_MOST_IN_A_ROOM = 20
_MOST_AROUND = 300


class Thing(NamedTuple):
    """Something that commands can name."""

    number: int
    name: str


class Surroundings:
    """Finds and names the things around the player.

    Args:
        story: The story file's content.
        memory: The memory, which is read again at each call.
        player: The player's object, 0 if unknown.
        inform: Whether Inform compiled the story; Infocom's stories are read
            differently.
    """

    def __init__(self, story: bytes, memory: Memory, player: int, inform: bool) -> None:
        self._memory = memory
        self._player = player
        self._inform = inform
        self._dictionary = read_dictionary(story)

    def things(self) -> tuple[list[Thing], list[Thing]]:
        """Return all things around, and the carried ones among them."""
        if not self._player:
            return [], []
        room = self.room()
        held = self._named(self.inside(self._player))
        scenery = () if self._inform else self._shared_scenery(room)
        return self._named((*self.inside(room), *scenery)), held

    def room(self) -> int:
        """Return the object that contains everything around the player."""
        chain = [self._player]
        while self._memory.parent(chain[-1]) and len(chain) < _DEEPEST:
            chain.append(self._memory.parent(chain[-1]))
        # Infocom's stories keep all rooms in one object.
        top = sum(1 for _ in self._memory.children(chain[-1]))
        rooms = len(chain) > 2 and top > _MOST_IN_A_ROOM and not self._inform
        return chain[-2] if rooms else chain[-1]

    def inside(self, container: int) -> Iterator[int]:
        """Yield everything in an object, however deep, except the player."""
        # A damaged tree can have loops.
        return self._descend(container, {container})

    def _descend(self, container: int, seen: set[int]) -> Iterator[int]:
        if len(seen) > _MOST_AROUND:
            return
        for child in self._memory.children(container):
            if child in seen:
                return
            seen.add(child)
            if child != self._player:
                yield child
            yield from self._descend(child, seen)

    def _shared_scenery(self, room: int) -> Iterator[int]:
        """Yield scenery that several rooms of an Infocom story share.

        A property of the room lists these things, one byte each. All of them are in one
        object, which contains no rooms.
        """
        memory = self._memory
        for _, start, length in memory.properties(room):
            numbers = memory.ram[start : start + length]
            places = {memory.parent(number) for number in numbers}
            if len(places) == 1 and not places & {0, room, memory.parent(room)}:
                yield from numbers

    def _named(self, numbers: Iterable[int]) -> list[Thing]:
        things: dict[str, Thing] = {}
        for number in numbers:
            name = self.name(number)
            if name:
                things.setdefault(name, Thing(number, name))
        return list(things.values())

    def name(self, number: int) -> str:
        """Name a thing by those words of its name that the parser accepts."""
        known = self._words(number, _NAME_PROPERTY)
        if not self._inform and not known:
            return self._infocom_name(number)
        taken = known or self._dictionary.words
        words = [
            word
            for word in self._memory.name(number).lower().split()
            if self._dictionary.cut(word) in taken and (known or word not in _UNNAMED)
        ]
        return " ".join(words) or (min(known) if known else "")

    def _words(self, number: int, prop: int) -> set[str]:
        addresses = self._memory.words(number, prop)
        entries = filter(None, map(self._dictionary.by_address.get, addresses))
        return {word.text for word in entries}

    def _infocom_name(self, number: int) -> str:
        """Name a thing by the last noun of its name and the adjectives before it."""
        nouns = self._nouns(number)
        words = self._memory.name(number).lower().split()
        while words and self._dictionary.cut(words[-1]) not in nouns:
            words.pop()
        if not words:
            return nouns[0] if nouns else ""
        first = len(words) - 1
        while first and self._is_adjective(words[first - 1]):
            first -= 1
        return " ".join(words[first:])

    def _is_adjective(self, word: str) -> bool:
        return word.isalpha() and word not in _UNNAMED and word in self._dictionary

    def _nouns(self, number: int) -> list[str]:
        """Return the words of the property that lists a thing's nouns."""
        memory, known = self._memory, self._dictionary.by_address
        for _, start, length in memory.properties(number):
            if length % 2 == 0:
                places = range(start, min(start + length, len(memory.ram) - 1), 2)
                entries = [known.get(word_at(memory.ram, place)) for place in places]
                if entries and all(entries):
                    return [entry.text for entry in entries if entry]
        return []


# Actions to which Inform's library only replies with a message, whatever the noun.
SENSES = frozenset((
    "Ask", "AskFor", "AskTo", "Answer", "Buy", "Consult", "Inv", "InvTall",
    "InvWide", "Kiss", "Listen", "Look", "Mild", "No", "Smell", "Sorry", "Strong",
    "Taste", "Tell", "Think", "VagueGo", "Wake", "WakeOther", "WaveHands", "Yes",
    "Go", "PushDir", "GoIn", "Exit", "GetOff", "Remove", "Disrobe", "EmptyT",
    "Transfer", "JumpOver", "JumpIn", "JumpOn", "SetTo", "Call", "Knock",
    # Actions of our stories that are synonyms of others with sentences of their own.
    "Approach", "GiveBack", "Lift", "LockBare", "Pack", "PutBack", "Shake",
    "UnlockBare", "Use", "UseOn",
))  # fmt: skip
# Actions that do nothing unless a noun has rules of its own.
REACTIVE = frozenset((
    "Attack", "Blow", "Burn", "Climb", "Cut", "Dig", "Drink", "Empty", "Examine",
    "Fill", "Fix", "LookUnder", "Pray", "Pull", "Push", "Rub", "Search", "Set",
    "Sing", "Sleep", "Squeeze", "Swing", "ThrowAt", "Tie", "Touch", "Turn", "Wave",
))  # fmt: skip
# The properties that contain a noun's own rules.
RULES = ("before", "life", "react_before", "orders")


class Needs(NamedTuple):
    """The requirements on the nouns of an action.

    Attributes:
        first: Attributes; the first noun needs one of them.
        second: Attributes; the second noun needs one of them.
        held: Whether the first noun must be carried.
    """

    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    held: bool = False


NEEDS: dict[str, Needs] = {
    "Open": Needs(("openable", "door", "container")),
    "Close": Needs(("openable",)),
    "Unlock": Needs(("lockable",)),
    "Lock": Needs(("lockable",)),
    "SwitchOn": Needs(("switchable",)),
    "SwitchOff": Needs(("switchable",)),
    "Wear": Needs(("clothing",), held=True),
    "Eat": Needs(("edible",)),
    "Enter": Needs(("enterable", "door")),
    "Insert": Needs(second=("container",), held=True),
    "PutOn": Needs(second=("supporter",), held=True),
    "Drop": Needs(held=True),
    "Blow": Needs(held=True),
    "Wave": Needs(held=True),
}


DIRECTIONS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
# Stories by other authors may ask for a yes or no at any time.
_ANSWERS = ("yes", "no")
# Sentences for stories without Inform's grammar tables.
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


class _Slot(NamedTuple):
    """The things that can fill a noun of a sentence.

    Attributes:
        held: Whether they must be carried.
        any_of: Attributes; a thing must have at least one of them. Empty for no
            condition.
        loose: Whether scenery is left out.
    """

    held: bool
    any_of: tuple[int, ...]
    loose: bool


class _Sentence(NamedTuple):
    """A sentence form, with its properties that do not depend on the surroundings."""

    form: _Form
    slots: tuple[_Slot, ...]
    inside: bool
    reactive: bool

    def filled(self, things: Sequence[Thing]) -> str:
        """Return the command with these things as nouns."""
        names = iter(things)
        words = self.form.words
        return " ".join([next(names).name if w[0] == "<" else w for w in words])


class Grounding:
    """Fills a story's sentence forms with the things around the player.

    Args:
        game: The story.
        memory: The memory, which is read again at each call.

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
        actions = {number: name for name, number in symbols["actions"].items()}
        patterns = inform_patterns(game.story)
        self.surroundings = Surroundings(
            game.story, memory, game.player, inform=bool(patterns)
        )
        forms = _distinct(patterns, actions) or [
            _Form("", tuple(form.split()))
            for form in _COMMON
            if form.split()[0] in self._dictionary
        ]
        self._sentences = [self._sentence(form) for form in forms]
        self._choices: dict[_Slot, list[Thing]] = {}
        self._have_rules: dict[int, bool] = {}

    def commands(self) -> tuple[str, ...]:
        """Return every command that may be worth trying, in a stable order."""
        always = DIRECTIONS if self._attributes else (*DIRECTIONS, *_ANSWERS)
        found = [word for word in always if word in self._dictionary]
        around, held = self.surroundings.things()
        self._choices.clear()
        self._have_rules.clear()
        for sentence in self._sentences:
            found.extend(self._fill(sentence, around, held))
        return tuple(dict.fromkeys(found))

    def _sentence(self, form: _Form) -> _Sentence:
        needs = NEEDS.get(form.action, _NO_NEEDS)
        kinds = [word for word in form.words if word[0] == "<"]
        held = [kind in _HELD for kind in kinds]
        if len(held) == 2 and not _ANYWHERE.intersection(kinds):
            held[0] = True
        if held and needs.held:
            held[0] = True
        wanted = (needs.first, needs.second)
        return _Sentence(
            form,
            tuple(map(self._slot, kinds, held, wanted)),
            inside="<multiinside>" in form.words and len(kinds) == 2,
            reactive=form.action in REACTIVE and bool(kinds and self._rules),
        )

    def _slot(self, kind: str, held: bool, any_of: tuple[str, ...]) -> _Slot:
        if not self._attributes:
            return _Slot(held, (), False)
        if kind == "<creature>":
            any_of = ("animate",)
        loose = kind in ("<multi>", "<multiinside>") and not any_of
        return _Slot(held, tuple(map(self._attributes.__getitem__, any_of)), loose)

    def _fill(
        self, sentence: _Sentence, around: Sequence[Thing], held: Sequence[Thing]
    ) -> Iterator[str]:
        choices = []
        for slot in sentence.slots:
            if slot not in self._choices:
                things = held if slot.held else around
                self._choices[slot] = [t for t in things if self._suits(t, slot)]
            choices.append(self._choices[slot])
        for choice in product(*choices):
            numbers = [thing.number for thing in choice]
            if len(numbers) == 2 and numbers[0] == numbers[1]:
                continue
            if self._can_matter(sentence, numbers):
                yield sentence.filled(choice)

    def _suits(self, thing: Thing, slot: _Slot) -> bool:
        has = self._memory.attribute
        if slot.loose:
            return not has(thing.number, self._attributes["scenery"])
        return not slot.any_of or any(has(thing.number, one) for one in slot.any_of)

    def _can_matter(self, sentence: _Sentence, numbers: list[int]) -> bool:
        if sentence.inside and not self._memory.is_in(*numbers):
            return False
        return not sentence.reactive or any(map(self._has_rules, numbers))

    def _has_rules(self, number: int) -> bool:
        found = self._have_rules.get(number)
        if found is None:
            own = (prop for prop, _, _ in self._memory.properties(number))
            found = not self._rules.isdisjoint(own)
            self._have_rules[number] = found
        return found


def _distinct(patterns: tuple[Pattern, ...], actions: Mapping[int, str]) -> list[_Form]:
    """Keep one sentence for each action and number of nouns, with a common verb."""
    best: dict[tuple[int, int], _Form] = {}
    for verb, number, tokens in patterns:
        count = sum(token[0] == "<" for token in tokens)
        action = actions.get(number, "")
        if count > 2 or _SKIPPED.intersection(tokens) or (count and action in SENSES):
            continue
        form = _Form(action, (verb, *tokens))
        known = best.get((number, count))
        if known is None or _rank(form) < _rank(known):
            best[number, count] = form
    return list(best.values())


def _rank(form: _Form) -> tuple[bool, int, int]:
    verb = form.words[0]
    return verb not in _PLAIN, len(form.words), len(verb)
