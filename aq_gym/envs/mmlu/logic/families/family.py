"""The type of a family of generated questions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeAlias

# Draws a question from a frame: its text and its only right answer.
Ask: TypeAlias = Callable[[], tuple[str, str]]

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jack"),
    *("Kira", "Leo", "Mona", "Nick", "Olga", "Paul", "Rosa", "Sam", "Tina", "Vera"),
)
WORDS = (
    *("apple", "badge", "basket", "bottle", "branch", "bridge", "butter", "candle"),
    *("carpet", "castle", "cheese", "circle", "copper", "corner", "cotton", "desert"),
    *("dinner", "dragon", "engine", "fabric", "farmer", "feather", "finger", "flower"),
    *("forest", "garden", "ginger", "guitar", "hammer", "harbor", "honey", "island"),
    *("jacket", "jungle", "kettle", "kitchen", "ladder", "lemon", "letter", "marble"),
    *("market", "meadow", "mirror", "needle", "orange", "oyster", "palace", "pencil"),
    *("pepper", "pillow", "planet", "pocket", "rabbit", "ribbon", "river", "saddle"),
    *("silver", "spoon", "stable", "tailor", "ticket", "timber", "tunnel", "velvet"),
    *("violin", "walnut", "window", "winter", "yellow", "zipper"),
)


class Family(NamedTuple):
    """A kind of generated questions.

    The four options of a question are the right answers of four questions of one frame,
    of which one is asked. So each option is as likely as the others to be right, to an
    agent that has not read the question.

    Attributes:
        name: Its name, which is the subject of its questions.
        group: Its group: "numbers", "measures", "logic" or "texts".
        frame: Draws what questions have in common, given a generator and whether they
            are hard, and returns the function that draws one of them.
    """

    name: str
    group: str
    frame: Callable[[Random, bool], Ask]
