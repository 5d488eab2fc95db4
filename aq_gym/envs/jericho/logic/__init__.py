"""The tables in a Z-machine's memory, as the standard (version 1.1) defines them."""

from aq_gym.envs.jericho.logic.memory import Memory
from aq_gym.envs.jericho.logic.story_file import (
    Header,
    StoryError,
    check_story,
    score_variable,
)
from aq_gym.envs.jericho.logic.vocabulary import (
    Dictionary,
    Pattern,
    Word,
    inform_patterns,
    read_dictionary,
)

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
