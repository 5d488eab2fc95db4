"""Which things an action can do something to, by Inform's own attributes."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NEEDS", "SENSES", "Needs"]

# Actions that Inform's library only answers with words.
SENSES = frozenset(
    "Ask AskFor AskTo Answer Buy Consult Examine Inv InvTall InvWide Kiss Listen Look "
    "LookUnder Mild No Smell Sorry Strong Swing Taste Tell Think Touch VagueGo Wake "
    "WaveHands Yes Set SetTo Transfer Fix Squeeze Rub ThrowAt JumpOver JumpIn JumpOn "
    "Sing Sleep Pray Swim Jump Drink WakeOther Buy Go PushDir GoIn Exit Think GetOff "
    "Remove Disrobe EmptyT Empty".split()
)


class Needs(NamedTuple):
    """What the nouns of an action must be.

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
    "Give": Needs(second=("animate",), held=True),
    "Show": Needs(second=("animate",), held=True),
    "GiveR": Needs(first=("animate",)),
    "ShowR": Needs(first=("animate",)),
    "Drop": Needs(held=True),
    "Blow": Needs(held=True),
    "Wave": Needs(held=True),
    "Search": Needs(("container", "supporter", "scenery", "static")),
}
