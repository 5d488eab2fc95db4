"""Add a progress rate to an environment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type, resolve
from aq_gym.wrappers._arguments import mapping, refuse_autoreset, rename

Subgoal = str | Mapping[str, str] | Callable[[Any, float, bool, dict[str, Any]], bool]


class SubgoalProgress(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Adds the share of subgoals reached so far (AgentBoard's progress rate).

    A subgoal is reached when its regular expression is found in the observation or its
    function returns True, and stays reached for the rest of the episode. A subgoal that
    holds at reset is True from the start and excluded from the share, so that progress
    starts at 0.0 and is 1.0 exactly when all subgoals are True.

    Added to info on reset and step: ``progress: float`` and ``best_progress: float``
    (always equal, because subgoals stay reached), ``subgoals: dict[str, bool]`` and
    ``success: bool``. The reward is not changed. The subgoals reached belong to the
    wrapper: they are part of its ``copy.deepcopy`` and pickle, but not of an
    environment's own ``get_state()``.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        subgoals: Mapping[str, Subgoal],
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            subgoals: The condition of each subgoal by name. A str is a regular
                expression, which is searched in the observation (in
                ``str(observation)`` if that is not a str). A callable receives
                (observation, reward, terminated, info), on reset with reward 0.0 and
                terminated False, and returns whether the subgoal is reached; its
                JSON-serializable form is ``{"function": "module:function"}``.
            keys: New names for the keys of info, by their default names.

        Raises:
            TypeError: If a condition or an argument has another type.
            ValueError: If there is no subgoal, a regular expression is malformed, a
                function is not found, or ``keys`` contains an unknown name.
        """
        check_type("subgoals", subgoals, Mapping, "a mapping of names to subgoals")
        RecordConstructorArgs.__init__(
            self, subgoals=dict(subgoals), keys=mapping("keys", keys)
        )
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        if not subgoals:
            raise ValueError("subgoals={} must name at least one subgoal")
        self._holds = {name: _condition(name, goal) for name, goal in subgoals.items()}
        self._keys = rename(("progress", "best_progress", "subgoals", "success"), keys)
        self._reached = dict.fromkeys(self._holds, False)
        self._held_at_reset = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment and evaluate the subgoals.

        Raises:
            ValueError: If all subgoals hold at reset.
        """
        observation, info = self.env.reset(seed=seed, options=options)
        self._reached = dict.fromkeys(self._holds, False)
        self._note_reached(observation, 0.0, False, info)
        self._held_at_reset = sum(self._reached.values())
        if self._held_at_reset == len(self._reached):
            raise ValueError(
                f"all subgoals already hold at reset of {self.env}: "
                f"{list(self._reached)}"
            )
        return observation, self._with_progress(info)

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and evaluate the subgoals."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._note_reached(observation, float(reward), terminated, info)
        return observation, reward, terminated, truncated, self._with_progress(info)

    def _note_reached(
        self, observation: object, reward: float, terminated: bool, info: dict[str, Any]
    ) -> None:
        for name, holds in self._holds.items():
            if not self._reached[name]:
                self._reached[name] = bool(holds(observation, reward, terminated, info))

    def _with_progress(self, info: dict[str, Any]) -> dict[str, Any]:
        reached = sum(self._reached.values()) - self._held_at_reset
        progress = reached / (len(self._reached) - self._held_at_reset)
        values = (progress, progress, dict(self._reached), progress == 1.0)
        return {**info, **dict(zip(self._keys, values, strict=True))}


class _Search:
    """A condition that is met if a regular expression is found."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __call__(
        self, observation: object, reward: float, terminated: bool, info: object
    ) -> bool:
        text = observation if isinstance(observation, str) else str(observation)
        return self._pattern.search(text) is not None


def _condition(name: str, subgoal: Subgoal) -> Callable[..., bool]:
    argument = f"subgoals[{name!r}]"
    if not isinstance(name, str):
        raise TypeError(f"{argument} must have a str as its name")
    if isinstance(subgoal, str):
        try:
            return _Search(re.compile(subgoal))
        except re.error as error:
            raise ValueError(
                f"{argument}={subgoal!r} is not a regular expression: {error}"
            ) from error
    if callable(subgoal):
        return subgoal
    if isinstance(subgoal, Mapping) and set(subgoal) == {"function"}:
        return resolve(subgoal["function"], argument)
    raise TypeError(
        f"{argument}={subgoal!r} must be a regular expression, a callable or "
        "{'function': 'module:function'}"
    )
