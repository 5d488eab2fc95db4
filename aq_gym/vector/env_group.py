"""Environments that are stepped one after another in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress
from typing import Any, TypeAlias

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from aq_gym.vector.group_results import Begun, Kind, Stepped, check_alike
from aq_gym.vector.part_steps import PartStepper, has_parts, reset_in_parts
from aq_gym.vector.parts import InfoParts, kept

__all__ = ["EnvGroup"]

_Env: TypeAlias = gym.Env[Any, Any]
_Result: TypeAlias = tuple[Any, Any, Any, Any, dict[str, Any]]


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
        self._observations: Sequence[Any] = [None] * len(self.envs)
        self._ended: Sequence[int] = []
        self._checked: list[_Env] = []
        self._has_parts = False
        self._stepper: PartStepper | None = None

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
        if chosen is None:
            # Somebody may have replaced a method since.
            self._checked = []
            chosen = [True] * len(self.envs)
        places = [*compress(range(len(self.envs)), chosen)]
        # First: after an error an episode is not replaced by another without notice.
        self._ended = [place for place in self._ended if place not in places]
        observations, infos = self._resets(places, seeds, options)
        self._observations = list(self._observations)
        for place, observation in zip(places, observations, strict=True):
            self._observations[place] = observation
        return Begun(self._observations, infos, places)

    def step(self, actions: Sequence[Any]) -> Stepped:
        """Step the environments.

        In mode NEXT_STEP those whose episode ended in the last step are reset instead;
        in mode SAME_STEP those whose episode ends are reset at once.

        Args:
            actions: The action for each environment.
        """
        begun = self._ended if self._mode is AutoresetMode.NEXT_STEP else []
        if self._in_parts():
            at_once = self._mode is AutoresetMode.SAME_STEP
            # Not made before the reset, which can replace the subgoals of an env.
            self._stepper = self._stepper or PartStepper(self._checked)
            stepped = self._stepper.step(actions, begun, at_once)
        else:
            stepped = self._steps(actions, begun)
        self._observations, self._ended = stepped.observations, stepped.ended
        return stepped

    def _in_parts(self) -> bool:
        """Return whether all environments have parts."""
        # The list can be changed from outside, and the environments in it.
        stale = self._stepper is not None and self._stepper.is_stale
        if stale or self.envs != self._checked:
            envs = list(self.envs)
            self._has_parts = all(map(has_parts, envs))
            self._stepper = None
            # Last, in case of an interrupt.
            self._checked = envs
        return self._has_parts

    def _resets(
        self,
        places: Sequence[int],
        seeds: Sequence[int | None],
        options: dict[str, Any] | None,
    ) -> tuple[Sequence[Any], Sequence[dict[str, Any]] | InfoParts]:
        """Return the observations and infos of resets."""
        given = [(self.envs[place], seeds[place]) for place in places]
        if self._in_parts():
            # Not known in a reset of all, which can replace the subgoals of an env.
            split = self._stepper is not None and self._stepper.split
            resets = [reset_in_parts(env, seed, options, split) for env, seed in given]
            observations = [start.observation for start, _, _ in resets]
            return observations, InfoParts.of_resets(resets)
        pairs = [env.reset(seed=seed, options=options) for env, seed in given]
        return [one for one, _ in pairs], [info for _, info in pairs]

    def _steps(self, actions: Sequence[Any], begun: Sequence[int]) -> Stepped:
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
                    final_infos.append(kept(row[4]))
                    observation, info = self.envs[len(rows)].reset()
                    row = (observation, *row[1:4], info)
            rows.append(row)
        same_step = self._mode is AutoresetMode.SAME_STEP
        columns: Any = map(list, zip(*rows, strict=True))
        begun = ended if same_step else begun
        return Stepped._make((*columns, begun, ended, finals, final_infos))

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
        # It may set an attribute that decides whether there are parts.
        self._checked = []
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


def _begin(env: _Env, action: object) -> _Result:
    observation, info = env.reset()
    return observation, 0.0, False, False, info
