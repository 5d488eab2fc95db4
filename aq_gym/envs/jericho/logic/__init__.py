"""The tables in a Z-machine's memory, as the standard (version 1.1) lays them out."""

from aq_gym.envs.jericho.logic.dictionary import (
    Dictionary,
    Word,
    read_dictionary,
)
from aq_gym.envs.jericho.logic.grammar import Pattern, inform_patterns
from aq_gym.envs.jericho.logic.header import (
    Header,
    StoryError,
    check_story,
    score_variable,
)
from aq_gym.envs.jericho.logic.memory import Memory

__all__ = [
    "Dictionary",
    "Header",
    "Memory",
    "Pattern",
    "StoryError",
    "Word",
    "check_story",
    "inform_patterns",
    "read_dictionary",
    "score_variable",
]
