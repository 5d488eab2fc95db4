"""GSM8K: word problems of elementary mathematics, solved in steps."""

from aq_gym.envs.gsm8k.env import GSM8KEnv

__all__ = ["GSM8KEnv"]
