"""The actions that an episode offers: commands, or keys where it waits for a key."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aq_gym.envs.jericho.session import Moment
from aq_gym.envs.jericho.session_manager import SessionManager

__all__ = ["admissible", "iter_admissible", "sample"]


def admissible(manager: SessionManager) -> tuple[str, ...]:
    """Return the keys to press, or the commands that change something.

    Raises:
        RuntimeError: If another thread uses the environment.
    """
    with manager.alone():
        return _keys(manager.now) or manager.commands().commands or ("look",)


def iter_admissible(manager: SessionManager) -> Iterator[str]:
    """Return an iterator over the same actions, each found when it is asked for.

    Raises:
        RuntimeError: If another thread uses the environment.
    """
    with manager.alone():
        keys = _keys(manager.now)
        return iter(keys) if keys else _or_look(manager.iter_commands())


def sample(manager: SessionManager, rng: np.random.Generator) -> str:
    """Draw a key, or a command with things that are here, untried."""
    keys = _keys(manager.now)
    if keys:
        return keys[int(rng.integers(len(keys)))]
    return manager.sample(rng)


def _keys(now: Moment) -> tuple[str, ...]:
    """Return the keys to press, none where the story waits for a line."""
    if not now.wants_key:
        return ()
    named = (key.partition(" ")[0].lower() for key in now.keys)
    return tuple(dict.fromkeys((*named, "return")))


def _or_look(commands: Iterator[str]) -> Iterator[str]:
    """Yield commands, ``look`` if there are none."""
    yield next(commands, "look")
    yield from commands
