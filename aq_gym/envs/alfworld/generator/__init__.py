"""Generate households from a number and a table of facts."""

from aq_gym.envs.alfworld.generator.household import Draft, generate

__all__ = ["Draft", "generate"]
