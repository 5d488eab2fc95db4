"""Wrappers for any Gymnasium environment.

Apply them in this order, outermost first: TrajectoryLogger, ExtractAction, StepCap,
RepetitionRate, the environment.
"""

from aq_gym.wrappers.action_extraction import (
    ExtractAction,
    extract_action,
    strip_reasoning,
    understands_of,
)
from aq_gym.wrappers.admissible_actions import AdmissibleActions, HashedNgrams
from aq_gym.wrappers.repetition_rate import ActionHistory, RepetitionRate
from aq_gym.wrappers.step_cap import StepCap
from aq_gym.wrappers.steps_to_go import StepsToGo
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
    "StepsToGo",
    "SubgoalProgress",
    "SuccessReward",
    "TrajectoryLogger",
    "extract_action",
    "strip_reasoning",
    "understands_of",
]
