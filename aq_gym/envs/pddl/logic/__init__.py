"""PDDL: parser, grounding, and states as bit sets."""

from aq_gym.envs.pddl.logic.parser import parse_domain, parse_problem
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.task import Goal, Task

__all__ = [
    "Goal",
    "PDDLError",
    "Task",
    "parse_domain",
    "parse_problem",
]
