"""Adapters that turn environments of other packages into text environments."""

from __future__ import annotations

from aq_gym.adapters.dispatch import adapt
from aq_gym.adapters.text_adapter import TextAdapter

__all__ = ["TextAdapter", "adapt"]
