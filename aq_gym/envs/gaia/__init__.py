"""GAIA: questions that need files and tools, with one short answer."""

from aq_gym.envs.gaia.env import GAIAEnv

__all__ = ["GAIAEnv"]
