"""Planners of our own: quick searches for experts, A* for small optima."""

from aq_gym.envs.pddl.planner.optimal import shortest
from aq_gym.envs.pddl.planner.relaxation import UNREACHABLE, Relaxation
from aq_gym.envs.pddl.planner.satisficing import solve

__all__ = ["UNREACHABLE", "Relaxation", "shortest", "solve"]
