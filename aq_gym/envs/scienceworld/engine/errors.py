"""The error of the engine."""

from __future__ import annotations


class EngineError(RuntimeError):
    """ScienceWorld or its process failed; the message states how."""
