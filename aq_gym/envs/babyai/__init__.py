"""BabyAI in text: every BabyAI level of minigrid, as AgentBoard describes it."""

from aq_gym.envs.babyai.env import BabyAITextEnv

__all__ = ["BabyAITextEnv"]
