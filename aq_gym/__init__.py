"""Text environments with step-by-step progress and repetition for language agents.

``import gymnasium as gym, aq_gym``, then ``gym.make("aq/Mastermind-v0")``.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from aq_gym._version import __version__
from aq_gym.core import EnvState, FreeText, Start, TextEnv, Turn
from aq_gym.registration import register_all

if TYPE_CHECKING:
    from aq_gym.adapters import adapt
    from aq_gym.episode import Episode
    from aq_gym.evaluation import load_run
    from aq_gym.task_sampler import TaskSampler

__all__ = [
    "EnvState",
    "Episode",
    "FreeText",
    "Start",
    "TaskSampler",
    "TextEnv",
    "Turn",
    "__version__",
    "adapt",
    "load_run",
]

# Imported on first access, because they take as long as Gymnasium.
_MODULES = {
    "Episode": "aq_gym.episode",
    "TaskSampler": "aq_gym.task_sampler",
    "adapt": "aq_gym.adapters",
    "load_run": "aq_gym.evaluation",
}
_SUBMODULES = ("adapters", "agents", "evaluation", "testing", "trajectory", "wrappers")
_FOR_VERIFIERS = {
    "VerifiersEnv": "aq_gym.integrations.verifiers_tasks",
    "VerifiersHarness": "aq_gym.integrations.verifiers_harness",
    "VerifiersTaskset": "aq_gym.integrations.verifiers_tasks",
}

register_all()

# __getattr__ answers for ``__all__``, which static tools read above.
_PUBLIC = __all__
del __all__


def __getattr__(name: str) -> Any:
    if name == "__all__":
        # verifiers looks up the taskset "aq_gym" in `__all__`. Without verifiers those
        # names are left out, so that `from aq_gym import *` works.
        return [*_PUBLIC, *(_FOR_VERIFIERS if "verifiers" in sys.modules else ())]
    if name in _SUBMODULES:
        return importlib.import_module(f"aq_gym.{name}")
    module = _MODULES.get(name) or _FOR_VERIFIERS.get(name)
    if module is None:
        raise AttributeError(f"module 'aq_gym' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC, *_SUBMODULES})
