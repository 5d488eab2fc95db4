"""Mystery: find out by yes/no questions what happened (lateral thinking puzzles)."""

from aq_gym.envs.mystery.env import MysteryEnv

__all__ = ["MysteryEnv"]
