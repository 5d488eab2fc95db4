"""The command ``aq-gym``."""

from aq_gym.cli.main import main

__all__ = ["main"]
