"""Mastermind's rules and state, and a search for consistent codes."""

from aq_gym.envs.mastermind.logic.rules import (
    RESERVED,
    Feedback,
    MastermindGame,
    Rules,
    score,
)

__all__ = ["RESERVED", "Feedback", "MastermindGame", "Rules", "score"]
