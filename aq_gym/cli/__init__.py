"""The command ``aq-gym``."""

from aq_gym.cli.main import entry, main

__all__ = ["entry", "main"]
