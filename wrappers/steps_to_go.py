"""Measure each action by the steps that the environment's expert still needs."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.wrappers._arguments import refuse_autoreset

INFINITE = -1
"""The steps to go from a state in which the expert finds no way to success."""

_NEEDED = ("get_state", "set_state", "expert_action")


class ExpertFork:
    """Plays an environment's expert from the current state to success, in a copy.

    The environment itself never changes. Only the environment is copied: no wrapper
    counts, logs or stops a fork. The states of a fork are remembered by their attribute
    ``key``, if they have one, so that none is played again. It includes the state of
    the random generator, so that where chance plays a part few states are equal. An
    expert that has ``expert_plan()``, a list of all its actions, is asked for it once.

    Args:
        env: The environment, wrapped or not.
        budget: The largest number of the expert's actions.

    Raises:
        TypeError: If ``budget`` is not an int.
        ValueError: If ``budget`` is less than 1, or the environment lacks one of
            ``get_state``, ``set_state`` and ``expert_action``.
    """

    def __init__(self, env: gym.Env[Any, Any], budget: int = 500) -> None:
        if not isinstance(budget, int) or isinstance(budget, bool):
            raise TypeError(f"budget={budget!r} must be an int")
        if budget < 1:
            raise ValueError(f"budget={budget} must be at least 1")
        self._env: Any = _with_expert(env)
        self._budget = budget
        self._copy: Any = None
        self._plan: list[Any] = []
        self._known: dict[object, int] = {}

    def forget(self) -> None:
        """Forget all states."""
        self._known.clear()

    def steps_to_go(self, info: Mapping[str, Any], terminated: bool) -> int:
        """Return the number of the expert's actions from the current state to success.

        The expert has played them, so it is an upper bound of the fewest actions.

        Args:
            info: The info of the last step, or of the reset.
            terminated: Whether the last step terminated the episode.

        Returns:
            The number; :data:`INFINITE` if the episode ended without success, or the
            expert gives up, fails or needs more than ``budget`` actions.

        Raises:
            RuntimeError: If the engine of the copy fails.
        """
        if info.get("success"):
            return 0
        if terminated or info.get("error"):
            return INFINITE
        return self._play(self._env.get_state())

    def first_step(self) -> tuple[Any, tuple[Any, ...]] | None:
        """Play the expert's action in the current state.

        Returns:
            The action and the results of the copy's step; None if the expert gives up.

        Raises:
            RuntimeError: If the engine of the copy fails.
        """
        self._begin(self._env.get_state())
        return self._step()

    def close(self) -> None:
        """Close the copy."""
        if self._copy is not None:
            self._copy.close()

    def _begin(self, state: Any) -> None:
        if self._copy is None:
            self._copy = copy.deepcopy(self._env)
        self._copy.set_state(state)
        self._plan = []

    def _play(self, state: Any) -> int:
        """Play the expert up to success, a known state or the end of its budget."""
        self._begin(state)
        path: list[object] = []
        ahead = None
        while ahead is None and len(path) < self._budget:
            path.append(getattr(state, "key", None))
            ahead = self._known.get(path[-1])
            if ahead is None and (ahead := self._act()) is None:
                state = self._copy.get_state()
        if ahead is None:
            # From the other states of the path, success may be within the budget.
            path, ahead = path[:1], INFINITE
        steps = INFINITE
        for distance, key in enumerate(reversed(path)):
            found = ahead != INFINITE and ahead + distance <= self._budget
            steps = ahead + distance if found else INFINITE
            if key is not None:
                self._known[key] = steps
        return steps

    def _act(self) -> int | None:
        """Play the expert's next action in the copy.

        Returns:
            1 if the action has success, :data:`INFINITE` if there is none or it was in
            vain, else None.
        """
        played = self._step()
        if played is None:
            return INFINITE
        _, (_, _, terminated, truncated, info) = played
        if info["success"]:
            return 1
        # An invalid action changes nothing, so the expert would repeat it.
        ended = terminated or truncated or not info.get("action_valid", True)
        return INFINITE if ended else None

    def _step(self) -> tuple[Any, tuple[Any, ...]] | None:
        if not self._plan:
            whole = getattr(self._copy, "expert_plan", None)
            self._plan = whole() if whole else [self._copy.expert_action()]
        action, *self._plan = self._plan or [None]
        if action is None:
            return None
        results = self._copy.step(action)
        if error := results[-1].get("error"):
            raise RuntimeError(f"the engine failed in a fork: {error}")
        return action, results


def _with_expert(env: gym.Env[Any, Any]) -> gym.Env[Any, Any]:
    """Return the outermost layer of an environment that has its own expert."""
    layer = env
    while isinstance(layer, gym.Wrapper) and not hasattr(type(layer), _NEEDED[-1]):
        layer = layer.env
    for name in _NEEDED:
        if not callable(getattr(layer, name, None)):
            raise ValueError(f"{env} has no {name}(), which its steps to go need")
    return layer


def regret(before: int, after: int) -> int | None:
    """Return by how many steps an action was worse than the expert's.

    Args:
        before: The steps to go before the action.
        after: The steps to go after it.

    Returns:
        The number, negative if the action was better; None if either is
        :data:`INFINITE`.
    """
    return None if INFINITE in (before, after) else after + 1 - before


class StepsToGo(gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs):
    """Adds the number of actions that the environment's expert still needs.

    The expert plays a copy of the environment from each state. Added to info on reset
    and step: ``steps_to_go: int``, 0 on success and -1 if the expert finds no way. On
    step also ``regret: int``, the steps by which the action was worse than the
    expert's: ``steps_to_go`` after it, plus 1, less ``steps_to_go`` before it. It is
    ``budget`` for an action after which the expert finds no way any more, 0 for further
    ones, and ``-budget`` for one after which it finds a way again.

    Both are for the evaluator: they tell how far an action came, so an agent that sees
    them can search with them. -1 is no proof that the task is lost, and with an expert
    that knows more than the agent, regret is no fault; ``aq_gym.registration.Row`` says
    what they mean for each id. The last value belongs to the wrapper: it is part of its
    ``copy.deepcopy`` and pickle, but not of an environment's own ``get_state()``.
    """

    def __init__(self, env: gym.Env[ObsType, ActType], budget: int = 500) -> None:
        """Wrap an environment.

        Args:
            env: An environment with the methods ``get_state()``, ``set_state(state)``
                and ``expert_action()``, which returns None where the expert gives up,
                and with ``success`` in its info.
            budget: The largest number of the expert's actions.

        Raises:
            TypeError: If ``budget`` is not an int.
            ValueError: If ``budget`` is less than 1, or the environment lacks a method.
        """
        RecordConstructorArgs.__init__(self, budget=budget)
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        self._fork = ExpertFork(env, budget)
        self._budget = budget
        self._last = INFINITE

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment and measure the first state."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._fork.forget()
        self._last = self._fork.steps_to_go(info, terminated=False)
        return observation, {**info, "steps_to_go": self._last}

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and measure the state after the action.

        Raises:
            RuntimeError: If the engine of the copy fails.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        before, self._last = self._last, self._fork.steps_to_go(info, terminated)
        cost = regret(before, self._last)
        if cost is None:
            cost = self._budget * ((before != INFINITE) - (self._last != INFINITE))
        info = {**info, "steps_to_go": self._last, "regret": cost}
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Close the environment and the copy."""
        self._fork.close()
        super().close()
