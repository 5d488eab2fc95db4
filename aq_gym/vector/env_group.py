"""Environments that are stepped one after another in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from aq_gym.vector.collecting import TakeInfo

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
        places: The indices of those that were reset.
    """

    observations: list[Any]
    places: list[int]


class Stepped(NamedTuple):
    """The result of a step in every environment.

    Attributes:
        observations: The observations.
        rewards: The rewards.
        terminations: Whether each episode is terminated.
        truncations: Whether each episode is truncated.
        ended: The indices of the episodes that ended in this step.
        finals: In mode SAME_STEP, the observation and info at the end of each of them.
    """

    observations: list[Any]
    rewards: list[Any]
    terminations: list[Any]
    truncations: list[Any]
    ended: list[int]
    finals: list[tuple[Any, dict[str, Any]]]


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

    def reset(
        self,
        seeds: Sequence[int | None],
        options: dict[str, Any] | None,
        chosen: Sequence[bool] | None,
        take: TakeInfo,
    ) -> Begun:
        """Reset environments.

        Args:
            seeds: The seed of each environment.
            options: The options for each of them.
            chosen: Whether to reset each environment; None to reset all.
            take: Called with the info of each environment that is reset.
        """
        places = [i for i in range(len(self.envs)) if chosen is None or chosen[i]]
        for place in places:
            self._observations[place], info = self.envs[place].reset(
                seed=seeds[place], options=options
            )
            take(info)
        self._ended = [place for place in self._ended if place not in places]
        return Begun(self._observations, places)

    def step(
        self, actions: Sequence[Any], take: TakeInfo, take_begun: TakeInfo
    ) -> Stepped:
        """Step the environments.

        In mode NEXT_STEP those whose episode ended in the last step are reset instead;
        in mode SAME_STEP those whose episode ends are reset at once.

        Args:
            actions: The action for each environment.
            take: Called with the info of each environment, in their order.
            take_begun: Called instead with the info of an environment that was reset.
        """
        stepped = Stepped([], [], [], [], [], [])
        observations, rewards, terminations, truncations, ended, _ = stepped
        steps: list[Any] = [env.step for env in self.envs]
        takes = [take] * len(steps)
        if self._mode is AutoresetMode.NEXT_STEP:
            for place in self._ended:
                steps[place] = partial(_begin, self.envs[place])
                takes[place] = take_begun
        for step, action, take_it in zip(steps, actions, takes, strict=True):
            observation, reward, terminated, truncated, info = step(action)
            if terminated or truncated:
                ended.append(len(rewards))
                if self._mode is AutoresetMode.SAME_STEP:
                    stepped.finals.append((observation, info))
                    observation, info = self.envs[len(rewards)].reset()
                    take_it = take_begun
            observations.append(observation)
            rewards.append(reward)
            terminations.append(terminated)
            truncations.append(truncated)
            take_it(info)
        self._observations, self._ended = observations, ended
        return stepped

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
