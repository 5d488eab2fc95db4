"""Text environments with step-by-step progress and repetition for language agents.

``import gymnasium as gym, aq_gym``, then ``gym.make("aq/Mastermind-v0")``.
"""

from aq_gym._version import __version__
from aq_gym.core import EnvState, Start, TextEnv, Turn
from aq_gym.registration import register_all
from aq_gym.spaces import FreeText

__all__ = ["EnvState", "FreeText", "Start", "TextEnv", "Turn", "__version__"]

register_all()
