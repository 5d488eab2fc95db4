"""The tables in a Z-machine's memory, as the standard (version 1.1) lays them out."""

from aq_gym.envs.jericho.logic.dictionary import (
    Dictionary,
    Word,
    read_dictionary,
)
from aq_gym.envs.jericho.logic.grammar import (
    Pattern,
    inform_actions,
    inform_patterns,
)
from aq_gym.envs.jericho.logic.header import Header, StoryError, check_story
from aq_gym.envs.jericho.logic.memory import Memory
from aq_gym.envs.jericho.logic.nouns import Nouns
from aq_gym.envs.jericho.logic.present import Present
from aq_gym.envs.jericho.logic.routines import Routines
from aq_gym.envs.jericho.logic.status import score_variable

__all__ = [
    "Dictionary",
    "Header",
    "Memory",
    "Nouns",
    "Pattern",
    "Present",
    "Routines",
    "StoryError",
    "Word",
    "check_story",
    "inform_actions",
    "inform_patterns",
    "read_dictionary",
    "score_variable",
]
