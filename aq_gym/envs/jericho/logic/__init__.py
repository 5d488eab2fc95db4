"""What a Z-machine's memory says, read from the Z-Machine Standards Document 1.1."""

from aq_gym.envs.jericho.logic.dictionary import Dictionary, Word
from aq_gym.envs.jericho.logic.grammar import Pattern, inform_patterns
from aq_gym.envs.jericho.logic.header import Header, StoryError, check_story
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
]
