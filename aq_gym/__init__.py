"""Text environments with step-by-step progress and repetition for language agents.

``import gymnasium as gym, aq_gym``, then ``gym.make("aq/Mastermind-v0")``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from aq_gym._version import __version__
from aq_gym.registration import register_all
from aq_gym.support.imports import after_import

if TYPE_CHECKING:
    from aq_gym.adapters import adapt
    from aq_gym.core.results import EnvState, Start, Turn
    from aq_gym.core.spaces import FreeText
    from aq_gym.core.text_env import TextEnv
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

# Imported on first access, so that `import aq_gym` does little more than register.
_MODULES = {
    "EnvState": "aq_gym.core.results",
    "Episode": "aq_gym.episode",
    "FreeText": "aq_gym.core.spaces",
    "Start": "aq_gym.core.results",
    "TaskSampler": "aq_gym.task_sampler",
    "TextEnv": "aq_gym.core.text_env",
    "Turn": "aq_gym.core.results",
    "adapt": "aq_gym.adapters",
    "load_run": "aq_gym.evaluation",
    "VerifiersEnv": "aq_gym.integrations.verifiers_tasks",
    "VerifiersHarness": "aq_gym.integrations.verifiers_harness",
    "VerifiersTaskset": "aq_gym.integrations.verifiers_tasks",
}
_FOR_VERIFIERS = ("VerifiersEnv", "VerifiersHarness", "VerifiersTaskset")
_SUBMODULES = (
    "adapters",
    "agents",
    "evaluation",
    "testing",
    "trajectory",
    "vector",
    "wrappers",
)

# Importing Gymnasium takes longer than most commands of the command line.
after_import("gymnasium", register_all)
# verifiers looks for the taskset "aq_gym" in the `__all__` of this package. Nothing
# else needs these names, and `from aq_gym import *` must not need verifiers.
after_import("verifiers", lambda: __all__.extend(_FOR_VERIFIERS))


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"aq_gym.{name}")
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'aq_gym' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBMODULES})
