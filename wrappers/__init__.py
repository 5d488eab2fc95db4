"""Wrappers for any Gymnasium environment.

Apply them in this order, outermost first: TrajectoryLogger, ExtractAction, StepCap,
RepetitionRate, the environment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aq_gym.wrappers.action_extraction import (
        ExtractAction,
        extract_action,
        strip_reasoning,
        understands_of,
    )
    from aq_gym.wrappers.action_history import ActionHistory
    from aq_gym.wrappers.admissible_actions import AdmissibleActions
    from aq_gym.wrappers.hashed_ngrams import HashedNgrams
    from aq_gym.wrappers.repetition_rate import RepetitionRate
    from aq_gym.wrappers.step_cap import StepCap
    from aq_gym.wrappers.subgoal_progress import SubgoalProgress
    from aq_gym.wrappers.success_reward import SuccessReward
    from aq_gym.wrappers.trajectory_logger import TrajectoryLogger

__all__ = [
    "ActionHistory",
    "AdmissibleActions",
    "ExtractAction",
    "HashedNgrams",
    "RepetitionRate",
    "StepCap",
    "SubgoalProgress",
    "SuccessReward",
    "TrajectoryLogger",
    "extract_action",
    "strip_reasoning",
    "understands_of",
]

_MODULES = {
    "ActionHistory": "action_history",
    "AdmissibleActions": "admissible_actions",
    "ExtractAction": "action_extraction",
    "HashedNgrams": "hashed_ngrams",
    "RepetitionRate": "repetition_rate",
    "StepCap": "step_cap",
    "SubgoalProgress": "subgoal_progress",
    "SuccessReward": "success_reward",
    "TrajectoryLogger": "trajectory_logger",
    "extract_action": "action_extraction",
    "strip_reasoning": "action_extraction",
    "understands_of": "action_extraction",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
