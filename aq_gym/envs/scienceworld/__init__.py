"""ScienceWorld: elementary science in text (Wang et al., EMNLP 2022)."""

from aq_gym.envs.scienceworld.env import ScienceWorldEnv

__all__ = ["ScienceWorldEnv"]
