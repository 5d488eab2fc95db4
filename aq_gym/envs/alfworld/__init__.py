"""ALFWorld: tasks in a household, generated without end or the official ones."""

from aq_gym.envs.alfworld.env import AlfworldEnv

__all__ = ["AlfworldEnv"]
