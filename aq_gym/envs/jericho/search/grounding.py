"""The commands that can be tried here: the story's grammar filled with things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import Memory, Pattern, inform_patterns, read_dictionary
from aq_gym.envs.jericho.search.surroundings import Surroundings, Thing

# Actions that Inform's library only answers with words, whatever the noun.
SENSES = frozenset((
    "Ask", "AskFor", "AskTo", "Answer", "Buy", "Consult", "Inv", "InvTall",
    "InvWide", "Kiss", "Listen", "Look", "Mild", "No", "Smell", "Sorry", "Strong",
    "Taste", "Tell", "Think", "VagueGo", "Wake", "WakeOther", "WaveHands", "Yes",
    "Go", "PushDir", "GoIn", "Exit", "GetOff", "Remove", "Disrobe", "EmptyT",
    "Transfer", "JumpOver", "JumpIn", "JumpOn", "SetTo", "Call", "Knock",
    # Our stories' synonyms of actions that have a sentence of their own.
    "Approach", "GiveBack", "Lift", "LockBare", "Pack", "PutBack", "Shake",
    "UnlockBare", "Use", "UseOn",
))  # fmt: skip
# Actions that do nothing unless a noun has rules of its own.
REACTIVE = frozenset((
    "Attack", "Blow", "Burn", "Climb", "Cut", "Dig", "Drink", "Empty", "Examine",
    "Fill", "Fix", "LookUnder", "Pray", "Pull", "Push", "Rub", "Search", "Set",
    "Sing", "Sleep", "Squeeze", "Swing", "ThrowAt", "Tie", "Touch", "Turn", "Wave",
))  # fmt: skip
# The properties that contain such rules.
RULES = ("before", "life", "react_before", "orders")


class Needs(NamedTuple):
    """The requirements on the nouns of an action.

    Attributes:
        first: Any of these attributes, for the first noun.
        second: Any of these attributes, for the second noun.
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
# Other authors' stories may ask for a yes or no at any time.
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


class _Slot(NamedTuple):
    """The things that can fill a noun of a sentence.

    Attributes:
        held: Whether they are the carried ones.
        any_of: The attributes of which they have one, if there are any.
        loose: Whether scenery is left out.
    """

    held: bool
    any_of: tuple[int, ...]
    loose: bool


class _Sentence(NamedTuple):
    """A form, and the facts about it that do not depend on the surroundings."""

    form: _Form
    slots: tuple[_Slot, ...]
    inside: bool
    reactive: bool

    def filled(self, things: Sequence[Thing]) -> str:
        """Return the command for these things."""
        names = iter(things)
        words = self.form.words
        return " ".join([next(names).name if w[0] == "<" else w for w in words])


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
    """Keep one sentence for each action and number of nouns, with a plain verb."""
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
