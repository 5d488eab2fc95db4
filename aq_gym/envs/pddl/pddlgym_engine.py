"""Playing through pddlgym's own ``PDDLEnv``."""

from __future__ import annotations

from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.logic import Task

ENGINES = ("native", "pddlgym")


def through_pddlgym(instance: Instance) -> Task:
    """Return a task that asks pddlgym."""
    raise NotImplementedError
