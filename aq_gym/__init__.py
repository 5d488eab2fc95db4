"""Text environments with step-by-step progress and repetition for language agents.

``import gymnasium as gym, aq_gym``, then ``gym.make("aq/Mastermind-v0")``.
"""

import importlib
from typing import Any

from aq_gym._version import __version__
from aq_gym.answers import EnvState, Start, Turn
from aq_gym.core import TextEnv
from aq_gym.registration import register_all
from aq_gym.spaces import FreeText

__all__ = ["EnvState", "FreeText", "Start", "TextEnv", "Turn", "__version__"]

_SUBMODULES = ("agents", "evaluation", "testing", "trajectory", "wrappers")

register_all()


def __getattr__(name: str) -> Any:
    """Import a part when it is first named, so that ``import aq_gym`` stays quick."""
    if name == "load_run":
        from aq_gym.evaluation import load_run

        return load_run
    if name not in _SUBMODULES:
        raise AttributeError(f"module 'aq_gym' has no attribute {name!r}")
    return importlib.import_module(f"aq_gym.{name}")
