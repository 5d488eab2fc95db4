"""Limit the steps of an episode."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, SupportsFloat, cast

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs
from gymnasium.wrappers import TimeLimit

from aq_gym.wrappers._arguments import refuse_autoreset

if TYPE_CHECKING:
    from gymnasium.envs.registration import EnvSpec


class StepCap(TimeLimit[ObsType, ActType]):
    """Truncates an episode after a number of steps, or of invalid or repeated actions.

    This is a :class:`gymnasium.wrappers.TimeLimit` that can also limit consecutive
    invalid or repeated actions. ``info["cap"]`` is the cap that was reached:
    "max_steps", "max_invalid" or "max_repeated" (the first one if a step reaches
    several), and "" if none was reached, as on reset. A step that reaches a cap is
    truncated; as with ``TimeLimit``, it may be terminated too. The counts belong to the
    wrapper: they are part of its ``copy.deepcopy`` and pickle, but not of an
    environment's own ``get_state()``.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        max_steps: int | None = None,
        max_invalid: int | None = None,
        max_repeated: int | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            max_steps: The number of steps after which an episode is truncated; None
                for no cap.
            max_invalid: The number of consecutive invalid actions after which it is
                truncated; requires the key "action_valid" in info.
            max_repeated: The number of consecutive repeated actions after which it is
                truncated; requires the key "action_repeated" in info, which
                :class:`RepetitionRate` adds.

        Raises:
            TypeError: If a cap is not an int.
            ValueError: If a cap is less than 1.
        """
        RecordConstructorArgs.__init__(
            self,
            max_steps=max_steps,
            max_invalid=max_invalid,
            max_repeated=max_repeated,
        )
        _check_cap("max_steps", max_steps)
        _check_cap("max_invalid", max_invalid)
        _check_cap("max_repeated", max_repeated)
        super().__init__(env, sys.maxsize if max_steps is None else max_steps)
        refuse_autoreset(self)
        self._max_invalid = max_invalid
        self._max_repeated = max_repeated
        self._invalid_streak = 0
        self._repeated_streak = 0

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The spec of the environment, including this wrapper.

        The property of ``TimeLimit`` would include ``max_steps`` only.
        """
        return cast("EnvSpec | None", gym.Wrapper.spec.__get__(self))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment and the counts."""
        observation, info = super().reset(seed=seed, options=options)
        self._invalid_streak = 0
        self._repeated_streak = 0
        return observation, {**info, "cap": ""}

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and truncate the episode if a cap is reached.

        Raises:
            KeyError: If info lacks a key that a cap requires.
        """
        observation, reward, terminated, truncated, info = super().step(action)
        cap = self._cap_reached(info)
        truncated = truncated or cap != ""
        return observation, reward, terminated, truncated, {**info, "cap": cap}

    def _cap_reached(self, info: dict[str, Any]) -> str:
        if self._max_invalid is not None:
            invalid = not self._read(info, "action_valid", "max_invalid")
            self._invalid_streak = self._invalid_streak + 1 if invalid else 0
        if self._max_repeated is not None:
            repeated = self._read(info, "action_repeated", "max_repeated")
            self._repeated_streak = self._repeated_streak + 1 if repeated else 0
        if self._elapsed_steps >= self._max_episode_steps:  # type: ignore[operator]
            return "max_steps"
        if self._max_invalid is not None and self._invalid_streak >= self._max_invalid:
            return "max_invalid"
        if (
            self._max_repeated is not None
            and self._repeated_streak >= self._max_repeated
        ):
            return "max_repeated"
        return ""

    def _read(self, info: dict[str, Any], key: str, cap: str) -> bool:
        if key in info:
            return bool(info[key])
        raise KeyError(
            f"StepCap({cap}=...) requires info[{key!r}], which {self.env} lacks: "
            + (
                "wrap it in RepetitionRate first"
                if cap == "max_repeated"
                else f"use {cap}=None"
            )
        )


def _check_cap(name: str, value: int | None) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r} must be an int or None")
    if value < 1:
        raise ValueError(f"{name}={value!r} must be at least 1, or None")
