"""Environments that are stepped one after another in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from aq_gym.step_results import StepParts
from aq_gym.vector.parts import InfoParts, begun_parts, has_parts

__all__ = ["Begun", "EnvGroup", "Kind", "Stepped", "check_alike"]

_Env: TypeAlias = gym.Env[Any, Any]
_Result: TypeAlias = tuple[Any, Any, Any, Any, dict[str, Any]]


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

    observations: list[Any]
    infos: list[dict[str, Any]] | InfoParts
    places: list[int]


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

    observations: list[Any]
    rewards: list[Any]
    terminations: list[Any]
    truncations: list[Any]
    infos: list[dict[str, Any]] | InfoParts
    begun: list[int]
    ended: list[int]
    finals: list[Any]
    final_infos: list[dict[str, Any]] | InfoParts


class EnvGroup:
    """Steps environments one after another.

    Args:
        env_fns: The functions that make the environments.
        autoreset_mode: When an environment is reset after the end of its episode.

    Raises:
        RuntimeError: If two environments have different spaces.
    """

    def __init__(
        self, env_fns: Sequence[Callable[[], _Env]], autoreset_mode: AutoresetMode
    ) -> None:
        self.envs = [env_fn() for env_fn in env_fns]
        first = self.envs[0]
        self.kind = Kind(
            first.observation_space,
            first.action_space,
            dict(first.metadata),
            first.render_mode,
        )
        for index, env in enumerate(self.envs):
            check_alike(self.kind, env, f"environment {index}")
        self._mode = autoreset_mode
        self._observations: list[Any] = [None] * len(self.envs)
        self._ended: list[int] = []
        self._checked: list[_Env] = []
        self._has_parts = False

    def reset(
        self,
        seeds: Sequence[int | None],
        options: dict[str, Any] | None,
        chosen: Sequence[bool] | None,
    ) -> Begun:
        """Reset environments.

        Args:
            seeds: The seed of each environment.
            options: The options for each of them.
            chosen: Whether to reset each environment; None to reset all.
        """
        infos = []
        places = [i for i in range(len(self.envs)) if chosen is None or chosen[i]]
        for place in places:
            self._observations[place], info = self.envs[place].reset(
                seed=seeds[place], options=options
            )
            infos.append(info)
        self._ended = [place for place in self._ended if place not in places]
        in_parts = self._in_parts()
        return Begun(
            self._observations, InfoParts.begun_of(infos) if in_parts else infos, places
        )

    def step(self, actions: Sequence[Any]) -> Stepped:
        """Step the environments.

        In mode NEXT_STEP those whose episode ended in the last step are reset instead;
        in mode SAME_STEP those whose episode ends are reset at once.

        Args:
            actions: The action for each environment.
        """
        begun = self._ended if self._mode is AutoresetMode.NEXT_STEP else []
        take = self._steps_in_parts if self._in_parts() else self._steps
        stepped = take(actions, begun)
        self._observations, self._ended = stepped.observations, stepped.ended
        return stepped

    def _in_parts(self) -> bool:
        """Return whether all environments have parts."""
        if self.envs != self._checked:
            # The list can be changed from outside.
            self._checked = list(self.envs)
            self._has_parts = all(map(has_parts, self.envs))
        return self._has_parts

    def _steps(self, actions: Sequence[Any], begun: list[int]) -> Stepped:
        steps: list[Any] = [env.step for env in self.envs]
        for place in begun:
            steps[place] = partial(_begin, self.envs[place])
        rows: list[Any] = []
        ended: list[int] = []
        finals: list[Any] = []
        final_infos: list[dict[str, Any]] = []
        for step, action in zip(steps, actions, strict=True):
            row = step(action)
            if row[2] or row[3]:
                ended.append(len(rows))
                if self._mode is AutoresetMode.SAME_STEP:
                    finals.append(row[0])
                    final_infos.append(row[4])
                    observation, info = self.envs[len(rows)].reset()
                    row = (observation, *row[1:4], info)
            rows.append(row)
        same_step = self._mode is AutoresetMode.SAME_STEP
        columns: Any = map(list, zip(*rows, strict=True))
        begun = ended if same_step else begun
        return Stepped._make((*columns, begun, ended, finals, final_infos))

    def _steps_in_parts(self, actions: Sequence[Any], begun: list[int]) -> Stepped:
        """Do as ``_steps`` does, without making the info dicts."""
        same_step = self._mode is AutoresetMode.SAME_STEP
        limits: list[Any] = self.envs
        steps: list[Any] = [limit.env._step_parts for limit in limits]
        started: list[tuple[str, str, str]] = []
        for place in begun:
            steps[place] = partial(_begin_in_parts, limits[place], started)
        rows: list[Any] = []
        ended: list[int] = []
        finals: list[StepParts] = []
        names: list[tuple[str, ...]] = []
        flags: list[bool] = []
        others: list[dict[str, Any]] = []
        for limit, step, action in zip(limits, steps, actions, strict=True):
            row, more, subgoals = step(action)
            # What TimeLimit does in a step.
            limit._elapsed_steps = elapsed = limit._elapsed_steps + 1
            if elapsed >= limit._max_episode_steps:
                row = (*row[:3], True, *row[4:])
            if row[9]:
                more["error"] = row[9]
            if row[2] or row[3]:
                ended.append(len(rows))
                if same_step:
                    finals.append((row, more, subgoals))
                    parts, began = begun_parts(row, *limit.reset())
                    row, more, subgoals = parts
                    started.append(began)
            # At once, while the dict is in the processor's cache.
            names.append(tuple(subgoals))
            flags.extend(subgoals.values())
            others.append(more)
            rows.append(row)
        columns: Any = list(map(list, zip(*rows, strict=True)))
        texts, rewards, terminations, truncations, *own, _ = columns
        begun = ended if same_step else begun
        own += names, flags, others, begun, started
        infos = InfoParts._make(own)
        ends = terminations, truncations
        last = [row[0] for row, _, _ in finals], InfoParts.of(finals)
        return Stepped(texts, rewards, *ends, infos, begun, ended, *last)

    def render(self) -> list[Any]:
        """Return what each environment renders."""
        return [env.render() for env in self.envs]

    def call(
        self, name: str, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> list[Any]:
        """Return each environment's attribute, or what it returns if it is callable.

        Args:
            name: The name of an attribute of the environments or their wrappers.
            args: The arguments of the call.
            kwargs: Its keyword arguments.
        """
        found = [env.get_wrapper_attr(name) for env in self.envs]
        return [one(*args, **(kwargs or {})) if callable(one) else one for one in found]

    def set_attr(self, name: str, values: Sequence[Any]) -> None:
        """Set an attribute of each environment.

        Args:
            name: The name of the attribute.
            values: Its value for each environment.
        """
        for env, value in zip(self.envs, values, strict=True):
            env.set_wrapper_attr(name, value)
        # It may have been ``list_actions``.
        self._checked = []

    def close(self) -> None:
        """Close the environments, even if one of them cannot be closed."""
        errors = []
        for env in self.envs:
            try:
                env.close()
            except Exception as error:  # noqa: BLE001 (raised below)
                errors.append(error)
        if errors:
            raise errors[0]


def check_alike(kind: Kind, other: Kind | _Env, name: str) -> None:
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


def _begin(env: _Env, action: object) -> _Result:
    observation, info = env.reset()
    return observation, 0.0, False, False, info


def _begin_in_parts(
    limit: Any, started: list[tuple[str, str, str]], action: object
) -> StepParts:
    parts, began = begun_parts((None, 0.0, False, False), *limit.reset())
    started.append(began)
    # The caller counts a step.
    limit._elapsed_steps -= 1
    return parts
