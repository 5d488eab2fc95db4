"""The base class of environments, results, spaces and tasks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# Imported on first access: some modules of this package are used without Gymnasium.
_MODULES = {
    "EnvState": "aq_gym.core.results",
    "FreeText": "aq_gym.core.spaces",
    "Prompt": "aq_gym.core.prompt",
    "SharedArguments": "aq_gym.core.arguments",
    "Start": "aq_gym.core.results",
    "TextEnv": "aq_gym.core.text_env",
    "Turn": "aq_gym.core.results",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'aq_gym.core' has no attribute {name!r}")
