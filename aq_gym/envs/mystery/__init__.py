"""Mystery: find out what happened by yes/no questions (lateral thinking puzzles)."""

from aq_gym.envs.mystery.env import MysteryEnv

__all__ = ["MysteryEnv"]
