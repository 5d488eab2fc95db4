"""ALFWorld: household tasks, generated or from the official games."""

from aq_gym.envs.alfworld.env import AlfworldEnv

__all__ = ["AlfworldEnv"]
