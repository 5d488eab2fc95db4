"""Vector environments: many text environments behind Gymnasium's vector API.

``gymnasium.make_vec`` finds the vector environment of an id here, as the attribute of
this module that has the id's name: an entry point is a name without arguments, so that
a spec is JSON, and the id is all that one has to know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aq_gym.vector.entry_point import entry_point
from aq_gym.vector.text_vector_env import TextVectorEnv

__all__ = ["TextVectorEnv"]


def __getattr__(name: str) -> Callable[..., Any]:
    """Return the function that makes the vector environment of an id."""
    if "/" not in name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return entry_point(name)
