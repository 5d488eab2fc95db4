"""Generate households from a number and a table of facts."""

from aq_gym.envs.alfworld.generator.household import NO_LIMITS, Draft, Limits, generate

__all__ = ["NO_LIMITS", "Draft", "Limits", "generate"]
