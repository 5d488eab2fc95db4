"""The forms of ScienceWorld's actions, and reading a text as one of them."""

from __future__ import annotations

import re

from aq_gym.core.text import normalize
from aq_gym.envs.scienceworld.logic.instances import Instance

# As ScienceWorld lists them.
_FORMS = (
    "activate OBJ",
    "close OBJ",
    "connect OBJ to OBJ",
    "deactivate OBJ",
    "disconnect OBJ",
    "dunk OBJ in OBJ",
    "eat OBJ",
    "flush OBJ",
    "focus on OBJ",
    "go OBJ",
    "inventory",
    "look around",
    "look at OBJ",
    "look in OBJ",
    "mix OBJ",
    "move OBJ to OBJ",
    "open OBJ",
    "pick up OBJ",
    "pour OBJ in OBJ",
    "put down OBJ",
    "read OBJ",
    "reset task",
    "task",
    "use OBJ on OBJ",
    "wait",
    "wait1",
)
# All words that ScienceWorld accepts for these actions, besides those that it lists.
_ALONE = "inventory|look around|look|task|objects|reset task|wait|wait1"
_ONE = (
    "activate|turn on|deactivate|turn off|disconnect|eat|consume|flush|focus on|focus|"
    "look at|look on|examine|look in|mix|stir|pick up|get|take|put down|drop|open|"
    "close|read|go through|go to|go into|go|walk through|walk to|move through|move to|"
    "move into|teleport to|teleport into|teleport"
)
_TWO = (
    ("connect", "to|in|into"),
    ("move|put", "to|into|in|on"),
    ("pour", "into|in|on|to"),
    ("dunk", "into|in"),
    ("use", "on|with"),
)
# No object has a longer name; 110 characters are the longest action of a gold path.
_NAME = r"[a-z0-9(][a-z0-9()' -]{0,120}"
_GRAMMAR = re.compile(
    "|".join(
        (
            _ALONE,
            r"\d{1,3}",
            f"(?:{_ONE}) {_NAME}",
            *(f"(?:{verb}) {_NAME} (?:{word}) {_NAME}" for verb, word in _TWO),
        )
    )
)
# They make a sentence, and no name has them.
_SENTENCE = re.compile(
    r"\b(?:i|we|you|it|my|me|he|they|because|so|should|will|would|could|can|then|now|that"
    r"|which|first|next|please|need|want|let|let's|is|are|was|be|if|but|before|after"
    r"|again|try|think|here|there|this|using|order)\b"
)


def forms(instance: Instance) -> tuple[str, ...]:
    """Return the forms of the actions of an instance.

    Args:
        instance: Its simplifications add or remove forms.
    """
    enabled = instance.enabled
    listed = [
        f for f in _FORMS if "noElectricalAction" not in enabled or "connect" not in f
    ]
    return (*listed, "teleport OBJ") if "teleportAction" in enabled else tuple(listed)


def read(action: str) -> str | None:
    """Return an action in ScienceWorld's words; None if a text has none of its forms.

    Case, whitespace, surrounding quotes and a final full stop do not matter.
    """
    text = normalize(action)
    if _GRAMMAR.fullmatch(text) is None or _SENTENCE.search(text):
        return None
    return text
