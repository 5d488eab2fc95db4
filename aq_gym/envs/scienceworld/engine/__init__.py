"""ScienceWorld's Java virtual machines, in separate processes."""

from aq_gym.envs.scienceworld.engine.errors import EngineError
from aq_gym.envs.scienceworld.engine.pool import POOL

__all__ = ["POOL", "EngineError"]
