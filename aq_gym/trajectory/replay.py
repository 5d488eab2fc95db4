"""Replay a trajectory and compare the results."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from aq_gym.trajectory.codec import Opaque, identical, shown
from aq_gym.trajectory.reader import Trajectory, find, missing_part, read
from aq_gym.trajectory.trust import UntrustedError, untrusted

ABSENT = Opaque("absent")
_LONGEST = 100_000
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

Visitor: TypeAlias = Callable[[gym.Env[Any, Any], Mapping[str, Any]], None]


@dataclass(frozen=True)
class Difference:
    """The first difference between a trajectory and its replay.

    Attributes:
        step: The number of the step; 0 is the reset.
        field: "observation", "reward", "terminated", "truncated" or "info['key']".
        recorded: The recorded value; :data:`ABSENT` for a missing key.
        replayed: The value in the replay.
    """

    step: int
    field: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        """Return a description in one sentence."""
        return (
            f"step {self.step}: {self.field} was {shown(self.recorded, _LONGEST)} "
            f"and is {shown(self.replayed, _LONGEST)} now"
        )


@dataclass(frozen=True)
class ReplayReport:
    """The result of a replay.

    Attributes:
        steps: The number of replayed steps, up to the first difference.
        difference: The first difference, or None.
    """

    steps: int
    difference: Difference | None

    @property
    def identical(self) -> bool:
        """Whether every result equals the recorded one."""
        return self.difference is None


def replay(
    path: str | os.PathLike[str] | Trajectory,
    env: gym.Env[Any, Any] | None = None,
    trust: bool = False,
) -> ReplayReport:
    """Execute the recorded actions again and report the first difference.

    The environment is reset with the recorded seed and options or, if there was no
    seed, with the recorded state of its random generator. The episode of a copied
    environment starts with the steps of its original, whose file must be in the same
    directory.

    Args:
        path: The file of a trajectory, complete or not, or what was read from it.
        env: The environment; by default, one is made from the recorded spec and closed
            afterwards.
        trust: Whether the recorded spec may name any code. By default it may name an
            environment that this process has registered, with any arguments that name
            no code, and the wrappers of aq_gym and Gymnasium that write no files.

    Raises:
        ValueError: If no environment is given and the recorded spec is missing or not
            trusted, if the file is not a trajectory, lacks its header or a step, if an
            action could not be recorded, if the environment refuses the seed or an
            action, or if it is declared nondeterministic, by its spec or its
            attribute ``deterministic``.
    """
    return visit(path, lambda env, last: None, env, trust)


def pictures(
    path: str | os.PathLike[str],
    env: gym.Env[Any, Any] | None = None,
    trust: bool = False,
    most: int | None = None,
    theme: Literal["light", "dark", "auto"] = "light",
) -> list[str]:
    """Replay a recorded episode and return its pictures as SVG.

    The first picture shows the reset. One for each step follows, up to the first step
    that differs from the record. An environment without pictures gives an empty list.

    Args:
        path: The file of a trajectory, as for :func:`replay`.
        env: The environment, as for :func:`replay`.
        trust: Whether the recorded spec may name any code, as for :func:`replay`.
        most: The number of steps to replay; all by default.
        theme: "light", "dark", or "auto" for that of the page that shows them.

    Raises:
        ValueError: For the reasons of :func:`replay`, or if the reset is different from
            the recorded one.
    """
    drawn: list[str] = []

    def draw(env: gym.Env[Any, Any], last: Mapping[str, Any]) -> None:
        if env.has_wrapper_attr("drawing"):
            drawing = env.get_wrapper_attr("drawing")()
            if drawing is not None:
                drawn.append(drawing.svg(theme))

    difference = visit(path, draw, env, trust, most).difference
    if difference is not None and difference.step == 0:
        raise ValueError(f"{os.fspath(path)}: {difference}")
    return drawn


def visit(
    path: str | os.PathLike[str] | Trajectory,
    look: Visitor,
    env: gym.Env[Any, Any] | None = None,
    trust: bool = False,
    most: int | None = None,
) -> ReplayReport:
    """Replay a trajectory as :func:`replay` does, and look at each state.

    Args:
        path: A trajectory, or its file.
        look: Called with the environment after the reset and after each step that
            matches the record, and with the results of that reset or step: observation,
            info and, of a step, reward, terminated and truncated.
        env: The environment, as for :func:`replay`.
        trust: Whether the recorded spec may name any code, as for :func:`replay`.
        most: The number of steps to replay; all by default.

    Raises:
        ValueError: For the reasons of :func:`replay`.
    """
    trajectory = path if isinstance(path, Trajectory) else read(path)
    steps = _steps_from_reset(trajectory, set())[:most]
    _refuse_chance(trajectory, env)
    for record in steps:
        if "shortened" in record:
            raise ValueError(
                f"{trajectory.path}: the record of step {record['t']} exceeded the "
                "longest line and was shortened, so it cannot be replayed"
            )
        if isinstance(record["action"], Opaque):
            raise ValueError(
                f"{trajectory.path} has at step {record['t']} an action of class "
                f"{record['action'].kind}, which could not be recorded, so it cannot "
                "be replayed"
            )
    if env is not None:
        return _replay(trajectory, steps, env, look)
    made = make_env(trajectory, trust)
    try:
        return _replay(trajectory, steps, made, look)
    finally:
        made.close()


def is_deterministic(env: gym.Env[Any, Any]) -> bool:
    """Return whether an environment's spec or attribute declares it deterministic.

    The attribute ``deterministic`` is that of one environment, and decides.
    """
    if env.has_wrapper_attr("deterministic"):
        return env.get_wrapper_attr("deterministic") is not False
    return env.spec is None or not env.spec.nondeterministic


def _refuse_chance(trajectory: Trajectory, env: gym.Env[Any, Any] | None) -> None:
    spec = trajectory.header["spec"] or {}
    by_chance = spec.get("nondeterministic") is True
    if env is not None:
        by_chance = not is_deterministic(env)
    if by_chance:
        raise ValueError(
            f"{trajectory.path}: its environment is declared nondeterministic, so the "
            "same actions can have other results and it cannot be replayed"
        )


def _steps_from_reset(trajectory: Trajectory, seen: set[Path]) -> list[dict[str, Any]]:
    path = trajectory.path
    if not trajectory.header:
        raise ValueError(f"{path} has no header: {missing_part(path)}")
    if not trajectory.in_order:
        raise ValueError(f"{path} is not complete: {missing_part(path)}")
    parent = trajectory.header["parent"]
    if parent is None:
        return trajectory.steps
    if path in seen:
        raise ValueError(f"{path} names itself as its parent")
    original = read(find(path.parent, parent["file"]))
    before = _steps_from_reset(original, {*seen, path})[: parent["step"]]
    if len(before) < parent["step"]:
        raise ValueError(
            f"{path} continues step {parent['step']} of "
            f"{original.path}, which has {len(before)} steps"
        )
    return before + trajectory.steps


def _replay(
    trajectory: Trajectory,
    steps: list[dict[str, Any]],
    env: gym.Env[Any, Any],
    look: Visitor,
) -> ReplayReport:
    """Replay steps, and call ``look`` while they match."""
    header = trajectory.header
    if header["random_state"] is not None:
        env.np_random = make_generator(trajectory)
    with _refusals(trajectory.path, 0):
        observation, info = env.reset(seed=header["seed"], options=header["options"])
    now: dict[str, Any] = {"observation": observation, "info": info}
    difference = _first_difference(0, header, now)
    done = 0
    for record in steps:
        if difference is not None:
            break
        look(env, now)
        done = record["t"]
        with _refusals(trajectory.path, done):
            now = _step(env, record["action"])
        difference = _first_difference(done, record, now)
    if difference is None:
        look(env, now)
    return ReplayReport(done, difference)


@contextmanager
def _refusals(path: Path, step: int) -> Iterator[None]:
    """Name the file in the error if an environment rejects a recorded value."""
    try:
        yield
    except (TypeError, ValueError, gym.error.Error) as error:
        raise ValueError(f"{path}: step {step} cannot be replayed: {error}") from error


def _step(env: gym.Env[Any, Any], action: object) -> dict[str, Any]:
    observation, reward, terminated, truncated, info = env.step(action)
    return {
        "observation": observation,
        "reward": reward,
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "info": info,
    }


def _first_difference(
    step: int, recorded: dict[str, Any], now: dict[str, Any]
) -> Difference | None:
    for field, was, value in _pairs(recorded, now):
        if not identical(was, value):
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
