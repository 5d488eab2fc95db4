"""Choose among the admissible actions by number; encode texts as vectors."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat
from zlib import crc32

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from aq_gym.support.arguments import check_type, resolve
from aq_gym.wrappers._arguments import refuse_autoreset

_FLOAT = np.dtype(np.float32)
_WORD = re.compile(r"\w+")
_MOST_CACHED = 20_000
# Keys whose names or number differ between instances.
_LEFT_OUT = ("admissible_actions", "subgoals")


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
    ) -> None:
        """Wrap an environment.

        Args:
            env: A text environment with the method ``admissible_actions``, and the keys
                "goal" (on reset) and "subgoals" in its info.
            n: The number of actions, at least 1.
            features: A callable or "module:function" that returns the features of a
                text: an array of numbers, of the same shape for every text, including
                "". By default, ``HashedNgrams()``.

        Raises:
            TypeError: If an argument has another type, or ``features`` does not return
                numbers.
            ValueError: If ``n`` is below 1.
            AttributeError: If the environment has no ``admissible_actions``.
        """
        check_type("n", n, int, "an int")
        if n < 1:
            raise ValueError(f"n={n} must be at least 1")
        RecordConstructorArgs.__init__(self, n=n, features=features)
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        if not env.has_wrapper_attr("admissible_actions"):
            raise AttributeError(f"{env} has no admissible_actions(): it can't be used")
        self._n = n
        self._features = (
            HashedNgrams() if features is None else resolve(features, "features")
        )
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
        self._goal = str(info.get("goal", ""))
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
        info = self._info(info, text)
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
        subgoals = info.get("subgoals", {})
        return {
            **{name: value for name, value in info.items() if name not in _LEFT_OUT},
            "goal": self._goal,
            "subgoals_reached": sum(map(bool, subgoals.values())),
            "subgoals_total": len(subgoals),
            "action_text": text,
            "actions_dropped": max(0, len(self._actions) - self._n),
        }


def _box(bound: float, shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(-bound, bound, shape, np.float32)


def _array(features: object, text: str) -> NDArray[np.float32]:
    try:
        array = np.asarray(features)
    except ValueError:  # Lists of different lengths.
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"features returned {features!r:.80} for {text!r:.80}: it must return an "
            "array of numbers"
        )
    return array.astype(_FLOAT, copy=False)


class HashedNgrams:
    """Encodes a text as hashed counts of its words and their sequences.

    Each n-gram of lower-case words adds 1 or -1 to one element, both decided by its
    CRC-32 (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
    ICML 2009); then the vector is scaled to length 1. A text without words gives zeros.

    Args:
        size: The length of the vectors, at least 1.
        longest: The largest number of words in an n-gram, at least 1.

    Raises:
        TypeError: If an argument is not an int.
        ValueError: If an argument is below 1.
    """

    def __init__(self, size: int = 256, longest: int = 2) -> None:
        for name, value in (("size", size), ("longest", longest)):
            check_type(name, value, int, "an int")
            if value < 1:
                raise ValueError(f"{name}={value} must be at least 1")
        self.size = size
        self.longest = longest
        self._cache: dict[str, NDArray[np.float32]] = {}

    def __call__(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text: read-only float32 of shape ``(size,)``.

        Args:
            text: Any text.

        Raises:
            TypeError: If it is not a str.
        """
        found = self._cache.get(text)
        if found is None:
            check_type("text", text, str, "a str")
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            found = self._cache[text] = self._encode(text)
            found.flags.writeable = False
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Exclude the cache."""
        return {**self.__dict__, "_cache": {}}

    def _encode(self, text: str) -> NDArray[np.float32]:
        words = _WORD.findall(text.lower())
        vector = np.zeros(self.size, np.float32)
        for length in range(1, self.longest + 1):
            for start in range(len(words) - length + 1):
                ngram = " ".join(words[start : start + length])
                code = crc32(ngram.encode(errors="replace"))
                vector[(code >> 1) % self.size] += 1.0 if code & 1 else -1.0
        norm = float(np.linalg.norm(vector))
        return vector / np.float32(norm) if norm else vector
