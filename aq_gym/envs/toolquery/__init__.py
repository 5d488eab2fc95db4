"""Questions about generated databases, answered with tools."""

from aq_gym.envs.toolquery.env import ToolQueryEnv

__all__ = ["ToolQueryEnv"]
