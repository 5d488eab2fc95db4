"""BabyAI in text: every BabyAI level of minigrid, in AgentBoard's sentences."""

from aq_gym.envs.babyai.env import BabyAITextEnv

__all__ = ["BabyAITextEnv"]
