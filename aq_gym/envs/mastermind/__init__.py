"""Mastermind: find a hidden code from counts (AgentQuest, sections 2.1 and 3.3)."""

from aq_gym.envs.mastermind.env import MastermindEnv

__all__ = ["MastermindEnv"]
