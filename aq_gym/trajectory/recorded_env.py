"""Restore the environment and the random generator of a trajectory."""

from __future__ import annotations

import json
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from aq_gym.trajectory.reader import Trajectory
from aq_gym.trajectory.trust import UntrustedError, untrusted

_BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
_FAILURES = (
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    OverflowError,
    TypeError,
    ValueError,
)


def make_env(trajectory: Trajectory, trust: bool) -> gym.Env[Any, Any]:
    """Make the environment of a trajectory from its recorded spec.

    Raises:
        UntrustedError: If the spec is not trusted.
        ValueError: If there is no spec, or no environment can be made from it.
    """
    spec = trajectory.header["spec"]
    if spec is None:
        raise ValueError(
            f"{trajectory.path} has no spec to make an environment from "
            f"({trajectory.header['spec_missing']}); give replay the environment"
        )
    # A wrong spec can make an environment's code fail in any of these ways.
    try:
        recorded = EnvSpec.from_json(json.dumps(spec))
        found = "" if trust else untrusted(recorded)
        if not found:
            return gym.make(recorded)
    except (*_FAILURES, gym.error.Error) as error:
        raise ValueError(
            f"{trajectory.path}: no environment can be made from its spec: {error!r}"
        ) from error
    raise UntrustedError(
        f"{trajectory.path} names {found}", recorded.id in gym.registry
    )


def make_generator(trajectory: Trajectory) -> np.random.Generator:
    """Return the random generator in the state that a trajectory recorded.

    Raises:
        ValueError: If the recorded state is not valid.
    """
    path, state = trajectory.path, trajectory.header["random_state"]
    kind = state.get("bit_generator")
    if not isinstance(kind, str) or kind not in _BIT_GENERATORS:
        raise ValueError(
            f"{path} has a random state of {kind!r:.100}, which is not one of "
            f"{_BIT_GENERATORS}"
        )
    generator = getattr(np.random, kind)()
    try:
        generator.state = state
    except _FAILURES as error:
        raise ValueError(f"{path} has an invalid state of {kind}: {error!r}") from error
    return np.random.Generator(generator)
