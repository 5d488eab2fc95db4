"""The base class of environments, results, spaces and tasks."""

from aq_gym.core.arguments import SharedArguments
from aq_gym.core.prompt import Prompt
from aq_gym.core.results import EnvState, Start, Turn
from aq_gym.core.spaces import FreeText
from aq_gym.core.text_env import TextEnv

__all__ = [
    "EnvState",
    "FreeText",
    "Prompt",
    "SharedArguments",
    "Start",
    "TextEnv",
    "Turn",
]
