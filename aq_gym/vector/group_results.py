"""The results of a group of environments, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.vector.parts import InfoParts

__all__ = ["Begun", "Kind", "Stepped", "check_alike"]


class Kind(NamedTuple):
    """The spaces and metadata that the environments of a vector have in common.

    Attributes:
        observation_space: The observation space of each.
        action_space: The action space of each.
        metadata: The metadata of the first one.
        render_mode: The render mode of the first one.
    """

    observation_space: gym.Space[Any]
    action_space: gym.Space[Any]
    metadata: dict[str, Any]
    render_mode: str | None


class Begun(NamedTuple):
    """The result of a reset.

    Attributes:
        observations: The last observation of every environment.
        infos: The infos of those that were reset.
        places: The indices of those that were reset.
    """

    observations: Sequence[Any]
    infos: Sequence[dict[str, Any]] | InfoParts
    places: Sequence[int]


class Stepped(NamedTuple):
    """The result of a step in every environment.

    Attributes:
        observations: The observations.
        rewards: The rewards.
        terminations: Whether each episode is terminated.
        truncations: Whether each episode is truncated.
        infos: The infos.
        begun: The indices of the environments that were reset in this step.
        ended: The indices of the episodes that ended in this step.
        finals: In mode SAME_STEP, the observation at the end of each of them.
        final_infos: The infos at the end of each.
    """

    observations: Sequence[Any]
    rewards: Sequence[Any]
    terminations: Sequence[Any]
    truncations: Sequence[Any]
    infos: Sequence[dict[str, Any]] | InfoParts
    begun: Sequence[int]
    ended: Sequence[int]
    finals: Sequence[Any]
    final_infos: Sequence[dict[str, Any]] | InfoParts


def check_alike(kind: Kind, other: Kind | gym.Env[Any, Any], name: str) -> None:
    """Raise if the spaces of an environment are not those of the others.

    Args:
        kind: The spaces of the others.
        other: The environment, or the spaces of further ones.
        name: The name of the environment in the message.

    Raises:
        RuntimeError: If a space differs.
    """
    for space in ("observation_space", "action_space"):
        if getattr(other, space) != getattr(kind, space):
            raise RuntimeError(
                f"{name} has {space}={getattr(other, space)}, the first environment "
                f"{getattr(kind, space)}: they must be equal"
            )
