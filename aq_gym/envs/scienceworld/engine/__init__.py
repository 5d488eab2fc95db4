"""ScienceWorld's Java virtual machines, in separate processes."""

from aq_gym.envs.scienceworld.engine.pool import POOL
from aq_gym.envs.scienceworld.engine.process import EngineError

__all__ = ["POOL", "EngineError"]
