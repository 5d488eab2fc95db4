"""ScienceWorld in Java virtual machines, in processes of their own."""

from aq_gym.envs.scienceworld.engine.errors import EngineError
from aq_gym.envs.scienceworld.engine.pool import POOL

__all__ = ["POOL", "EngineError"]
