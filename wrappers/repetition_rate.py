"""Measure the repetition rate of an agent's actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type, resolve
from aq_gym.wrappers._arguments import (
    checked_info,
    mapping,
    method_of,
    refuse_autoreset,
    refuse_inside,
    rename,
)
from aq_gym.wrappers.action_history import ActionHistory
from aq_gym.wrappers.trials import Trials


class RepetitionRate(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Adds the agent's repetition rate to info (AgentQuest, section 3.2).

    The action of step t is repeated if its similarity to an earlier one reaches the
    threshold. With n repeated actions in t steps the repetition rate is n / (T - 1),
    where T is the horizon (at least t), or t if there is none; T = 1 gives 0.0. Invalid
    actions count like any other.

    Where the environment has a method ``canonical_action(text) -> str``, as every
    :class:`aq_gym.TextEnv` has, actions are compared in their canonical form: the texts
    ``Guess: 1234`` and ``1 2 3 4`` are one action of Mastermind.

    The counts belong to the wrapper: they are part of its ``copy.deepcopy`` and pickle,
    but not of an environment's own ``get_state()``. See :class:`ActionHistory` for how
    actions are compared.

    Added to info on reset and step: ``repetitions: int``, ``repetition_rate: float``
    and ``action_repeated: bool``; on reset they are 0, 0.0 and False. With a window
    also ``repetition_cut: bool``: whether actions were left out of the comparison.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        threshold: float = 1.0,
        similarity: str | Callable[[str, str], float] = "levenshtein",
        compare_to: str = "unique",
        horizon: int | None = None,
        action_to_text: str | Callable[[Any], str] | None = None,
        keys: Mapping[str, str] | None = None,
        window: int | None = None,
        canonical: str | Callable[[str], str] | None = None,
        raw: bool = False,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            threshold: The similarity, in [0, 1], from which an action is a repeat.
            similarity: "levenshtein", "token_set", "exact", or a function of two
                texts as "module:function" or a callable; see :class:`ActionHistory`.
            compare_to: "unique" compares with the actions that were no repeats
                themselves (the paper), "all" with all earlier ones (its code).
            horizon: T, or None for the number of steps so far.
            action_to_text: A function that converts an action to a str, as
                "module:function" or a callable. By default, a str is kept and every
                other action is written as JSON.
            keys: New names for the keys of info, by default name.
            window: With how many of the latest actions an action is compared, which
                bounds the time of a step; None for all. See :class:`ActionHistory`.
            canonical: A function that returns the canonical form of an action's text,
                as "module:function" or a callable, for environments without
                ``canonical_action``.
            raw: Whether to compare the texts as they are, without a canonical form.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If the value of an argument is not allowed, or both
                ``canonical`` and ``raw`` are given.
        """
        given: dict[str, Any] = {"window": window, "canonical": canonical, "raw": raw}
        RecordConstructorArgs.__init__(
            self,
            threshold=threshold,
            similarity=similarity,
            compare_to=compare_to,
            horizon=horizon,
            action_to_text=action_to_text,
            keys=mapping("keys", keys),
            **{name: value for name, value in given.items() if value},
        )
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        refuse_inside(self, Trials)
        check_type("horizon", horizon, (int, type(None)), "an int, or None")
        if horizon is not None and horizon < 1:
            raise ValueError(f"horizon={horizon!r} must be at least 1, or None")
        check_type("raw", raw, bool, "a bool")
        if raw and canonical is not None:
            raise ValueError(f"canonical={canonical!r} has no effect with raw=True")
        self._raw = raw
        self._own_canonical = (
            None if canonical is None else resolve(canonical, "canonical")
        )
        self._canonical: Callable[[str], str] | None = None
        self._history = ActionHistory(threshold, similarity, compare_to, window)
        self._horizon = horizon
        self._action_to_text: Callable[[Any], str] = (
            as_text
            if action_to_text is None
            else resolve(action_to_text, "action_to_text")
        )
        names = ("repetitions", "repetition_rate", "action_repeated")
        renamed = rename((*names, *(("repetition_cut",) if window else ())), keys)
        self._count_key, self._rate_key, self._repeated_key = renamed[:3]
        self._cut_key = renamed[3] if window else ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment and the counts."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._history.clear()
        # Looked up once an episode, because the lookup passes through every wrapper.
        self._canonical = self._own_canonical
        if self._canonical is None and not self._raw:
            self._canonical = method_of(self.env, "canonical_action")
        return observation, self._with_counts(info, repeated=False)

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and count the action."""
        # Before the step, because an environment may modify the action.
        text = self._action_to_text(action)
        if self._canonical is not None:
            text = self._canonical(text)
            check_type("the canonical form of an action", text, str, "a str")
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = self._with_counts(info, repeated=self._history.add(text))
        return observation, reward, terminated, truncated, info

    def _with_counts(self, info: dict[str, Any], repeated: bool) -> dict[str, Any]:
        counts = {
            **checked_info(info, self.env),
            self._count_key: self._history.repetitions,
            self._rate_key: self._history.rate(self._horizon),
            self._repeated_key: repeated,
        }
        if self._cut_key:
            counts[self._cut_key] = self._history.cut
        return counts


def as_text(action: object) -> str:
    """Return an action as text; equal actions give equal texts, in every process.

    A str is returned unchanged. Numbers, arrays, sequences, sets and mappings are
    written as JSON, with mappings and sets in sorted order.

    Args:
        action: Any action of Gymnasium's fundamental and composite spaces.

    Raises:
        TypeError: If the action contains an object of another type.
    """
    if isinstance(action, str):
        return action
    return json.dumps(_plain(action), sort_keys=True, ensure_ascii=False)


def _plain(value: object) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {as_text(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=json.dumps)
    raise TypeError(
        f"an action contains a {type(value).__name__}, which cannot be converted to "
        "text; pass action_to_text= to RepetitionRate"
    )
