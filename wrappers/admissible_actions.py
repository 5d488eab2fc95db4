"""Choose among the admissible actions by number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from aq_gym.support.arguments import check_type, resolve
from aq_gym.wrappers._arguments import checked_info, mapping, refuse_autoreset, rename
from aq_gym.wrappers.hashed_ngrams import HashedNgrams

_FLOAT = np.dtype(np.float32)
_KEYS = (
    "admissible_actions",
    "goal",
    "subgoals",
    "subgoals_reached",
    "subgoals_total",
    "action_text",
    "actions_dropped",
)


class AdmissibleActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Turns texts into arrays and actions into numbers, for reinforcement learning.

    Action k is the k-th admissible action, of at most ``n``. The environment must have
    a method ``admissible_actions()``, as every :class:`aq_gym.TextEnv` has. A number
    without an action is passed on as the text "[no action k]", which is invalid.

    The observation is a dict of arrays, with ``shape`` the shape of the features of a
    text: ``goal`` and ``observation``, the features of these texts (float32,
    ``shape``); ``actions``, the features of each admissible action, and zeros in the
    remaining rows (float32, ``(n, *shape)``); and ``mask``, 1 for each number that
    stands for an action, otherwise 0 (int8, ``(n,)``). After the end of an episode the
    mask is all 0. ``action_masks()`` returns the mask as bools, for MaskablePPO of
    sb3-contrib.

    Info contains, on reset and on step: ``goal: str``; ``subgoals_reached: int`` and
    ``subgoals_total: int``, which replace ``subgoals``, because its names differ
    between instances; ``action_text: str``, the text that was passed on, "" on reset;
    and ``actions_dropped: int``, the number of admissible actions beyond the first
    ``n``. ``admissible_actions`` is omitted. The texts are in ``render`` and in the
    wrapped environment.
    """

    def __init__(
        self,
        env: gym.Env[str, str],
        n: int,
        features: str | Callable[[str], NDArray[Any]] | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: A text environment with the method ``admissible_actions``, and the keys
                "goal" (on reset) and "subgoals" in its info.
            n: The number of actions, at least 1.
            features: A callable or "module:function" that returns the features of a
                text: an array of numbers, of the same shape for every text, including
                "". By default, ``HashedNgrams()``.
            keys: New names for the keys of info, by default name.

        Raises:
            TypeError: If an argument has another type, or ``features`` does not return
                numbers.
            ValueError: If ``n`` is below 1, or ``keys`` contains an unknown name.
            AttributeError: If the environment has no ``admissible_actions``.
        """
        check_type("n", n, int, "an int")
        if n < 1:
            raise ValueError(f"n={n} must be at least 1")
        RecordConstructorArgs.__init__(
            self, n=n, features=features, keys=mapping("keys", keys)
        )
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        if not env.has_wrapper_attr("admissible_actions"):
            raise AttributeError(f"{env} has no admissible_actions(): it can't be used")
        self._n = n
        self._features = (
            HashedNgrams() if features is None else resolve(features, "features")
        )
        self._keys = dict(zip(_KEYS, rename(_KEYS, keys), strict=True))
        shape = _array(self._features(""), "").shape
        bound = 1.0 if features is None else np.inf
        self.action_space = spaces.Discrete(n)
        self.observation_space = spaces.Dict(
            {
                "goal": _box(bound, shape),
                "observation": _box(bound, shape),
                "actions": _box(bound, (n, *shape)),
                "mask": spaces.MultiBinary(n),
            }
        )
        self._shape = shape
        self._goal = ""
        self._actions: Sequence[str] = ()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        info = checked_info(info, self.env)
        self._goal = str(info.get(self._keys["goal"], ""))
        self._actions = self._admissible()
        return self._encoded(observation), self._info(info, "")

    def step(
        self, action: int
    ) -> tuple[dict[str, NDArray[Any]], SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment with a numbered action.

        Args:
            action: An int; also one of numpy's, or an array of shape ().

        Raises:
            TypeError: If it is something else.
        """
        try:
            number = operator.index(action)
        except TypeError as error:
            raise TypeError(f"action={action!r:.200} must be an int") from error
        listed = 0 <= number < min(self._n, len(self._actions))
        text = self._actions[number] if listed else f"[no action {number}]"
        observation, reward, terminated, truncated, info = self.env.step(text)
        self._actions = () if terminated or truncated else self._admissible()
        info = self._info(checked_info(info, self.env), text)
        return self._encoded(observation), reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which numbers stand for actions: a bool array of shape ``(n,)``."""
        return np.arange(self._n) < len(self._actions)

    def _admissible(self) -> Sequence[str]:
        listed: Sequence[str] = self.env.get_wrapper_attr("admissible_actions")()
        return listed

    def _encoded(self, observation: str) -> dict[str, NDArray[Any]]:
        actions = np.zeros((self._n, *self._shape), np.float32)
        for number, action in enumerate(self._actions[: self._n]):
            actions[number] = self._encode(action)
        return {
            "goal": self._encode(self._goal).copy(),
            "observation": self._encode(observation).copy(),
            "actions": actions,
            "mask": self.action_masks().astype(np.int8),
        }

    def _encode(self, text: str) -> NDArray[np.float32]:
        array: NDArray[np.float32] = self._features(text)
        if type(array) is not np.ndarray or array.dtype is not _FLOAT:
            array = _array(array, text)
        if array.shape != self._shape:
            raise ValueError(
                f"features={self._features!r:.80} must return arrays of one shape: "
                f"{self._shape} for '', but {array.shape} for {text!r:.80}"
            )
        return array

    def _info(self, info: Mapping[str, Any], text: str) -> dict[str, Any]:
        keys = self._keys
        left_out = (keys["admissible_actions"], keys["subgoals"])
        subgoals = info.get(keys["subgoals"], {})
        return {
            **{name: value for name, value in info.items() if name not in left_out},
            keys["goal"]: self._goal,
            keys["subgoals_reached"]: sum(map(bool, subgoals.values())),
            keys["subgoals_total"]: len(subgoals),
            keys["action_text"]: text,
            keys["actions_dropped"]: max(0, len(self._actions) - self._n),
        }


def _box(bound: float, shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(-bound, bound, shape, np.float32)


def _array(features: object, text: str) -> NDArray[np.float32]:
    try:
        array = np.asarray(features)
    except ValueError:  # Lists of several lengths.
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"features returned {features!r:.80} for {text!r:.80}: it must return an "
            "array of numbers"
        )
    return array.astype(_FLOAT, copy=False)
