"""Re-execution of a trajectory against its environment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from aq_gym.wrappers.codec import Opaque, canonical
from aq_gym.wrappers.trajectory_file import Trajectory, find, read

ABSENT = Opaque("absent")


@dataclass(frozen=True)
class Difference:
    """The first thing that came out otherwise.

    Attributes:
        step: The number of the step; 0 is the reset.
        field: "observation", "reward", "terminated", "truncated" or "info['key']".
        recorded: What the trajectory says; :data:`ABSENT` for a key it lacks.
        replayed: What the environment says now.
    """

    step: int
    field: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        """Say it in one sentence."""
        return (
            f"step {self.step}: {self.field} was {self.recorded!r} "
            f"and is {self.replayed!r} now"
        )


@dataclass(frozen=True)
class ReplayReport:
    """What came of a replay.

    Attributes:
        steps: How many steps were replayed, up to the first difference.
        difference: The first difference, or None.
    """

    steps: int
    difference: Difference | None

    @property
    def identical(self) -> bool:
        """Whether everything came out as recorded."""
        return self.difference is None


def replay(
    path: str | os.PathLike[str], env: gym.Env[Any, Any] | None = None
) -> ReplayReport:
    """Play the recorded actions again and report what first comes out otherwise.

    The episode is begun as it was: with its seed and options or, where it had no seed,
    with the state that the environment's random numbers had. That of a copied
    environment is begun with its original's, whose file must be beside it.

    Args:
        path: The file of a trajectory, complete or not.
        env: The environment; by default one that is made from the recorded spec, and
            closed afterwards.

    Raises:
        ValueError: If there is no environment to replay in, the file has no header, or
            an action could not be recorded.
    """
    trajectory = read(path)
    if not trajectory.header:
        raise ValueError(f"{os.fspath(path)} has no header: its writer was killed")
    steps = _steps_from_reset(trajectory)
    if env is not None:
        return _replay(trajectory.header, steps, env)
    made = _made(trajectory)
    try:
        return _replay(trajectory.header, steps, made)
    finally:
        made.close()


def _made(trajectory: Trajectory) -> gym.Env[Any, Any]:
    spec = trajectory.header["spec"]
    if spec is None:
        raise ValueError(
            f"{trajectory.path} has no spec to make an environment from "
            f"({trajectory.header['spec_missing']}); give replay the environment"
        )
    return gym.make(EnvSpec.from_json(json.dumps(spec)))


def _steps_from_reset(trajectory: Trajectory) -> list[dict[str, Any]]:
    parent = trajectory.header["parent"]
    if parent is None:
        return trajectory.steps
    original = read(find(trajectory.path.parent, parent["file"]))
    before = _steps_from_reset(original)[: parent["step"]]
    if len(before) < parent["step"]:
        raise ValueError(
            f"{trajectory.path} goes on from step {parent['step']} of "
            f"{original.path}, which has {len(before)} steps"
        )
    return before + trajectory.steps


def _replay(
    header: dict[str, Any], steps: list[dict[str, Any]], env: gym.Env[Any, Any]
) -> ReplayReport:
    if header["random_state"] is not None:
        env.np_random = _generator(header["random_state"])
    observation, info = env.reset(seed=header["seed"], options=header["options"])
    now = {"observation": observation, "info": info}
    difference = _first_difference(0, header, now)
    done = 0
    for record in steps:
        if difference is not None:
            break
        done = record["t"]
        difference = _first_difference(done, record, _step(env, record["action"]))
    return ReplayReport(done, difference)


def _step(env: gym.Env[Any, Any], action: object) -> dict[str, Any]:
    if isinstance(action, Opaque):
        raise ValueError(
            f"an action of class {action.kind} could not be recorded, so it cannot be "
            "replayed"
        )
    observation, reward, terminated, truncated, info = env.step(action)
    return {
        "observation": observation,
        "reward": reward,
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "info": info,
    }


def _generator(state: dict[str, Any]) -> np.random.Generator:
    generator = getattr(np.random, state["bit_generator"])()
    generator.state = state
    return np.random.Generator(generator)


def _first_difference(
    step: int, recorded: dict[str, Any], now: dict[str, Any]
) -> Difference | None:
    for field, was, value in _pairs(recorded, now):
        if canonical(was) != canonical(value):
            return Difference(step, field, was, value)
    return None


def _pairs(
    recorded: dict[str, Any], now: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    for field in now:
        if field != "info":
            yield field, recorded[field], now[field]
    was, info = recorded["info"], now["info"]
    for key in {**was, **info}:
        yield f"info[{key!r}]", was.get(key, ABSENT), info.get(key, ABSENT)
