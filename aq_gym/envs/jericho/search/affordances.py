"""The things that an action can affect, by the attributes of Inform's library."""

from __future__ import annotations

from typing import NamedTuple

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
