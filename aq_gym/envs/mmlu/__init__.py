"""MMLU: questions with four options, published or generated."""

from aq_gym.envs.mmlu.env import MMLUEnv

__all__ = ["MMLUEnv"]
