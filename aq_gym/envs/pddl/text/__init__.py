"""PDDL's words: sentences for facts, and how an action is read."""

from aq_gym.envs.pddl.text.grammar import Grammar, Reading
from aq_gym.envs.pddl.text.prose import Prose
from aq_gym.envs.pddl.text.words import Words

__all__ = ["Grammar", "Prose", "Reading", "Words"]
