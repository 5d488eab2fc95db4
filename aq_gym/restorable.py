"""States of an episode: taken, restored and copied."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.error import ResetNeeded

from aq_gym.benchmark import Benchmark
from aq_gym.step_results import EnvState

__all__ = ["Restorable"]

_IMMUTABLE = frozenset({bool, int, float, str, type(None), frozenset})
# They never change after construction.
_SHARED = frozenset({"_arguments", "_help_initials", "_maker", "spec"})


class Restorable(Benchmark):
    """The part of :class:`aq_gym.TextEnv` that returns and restores its states."""

    _maker: tuple[str, str]
    _best_progress: float
    _over: bool
    _observation: str | None
    _restored: np.random.Generator | None

    def get_state(self) -> EnvState:
        """Return everything that determines the rest of the episode as a small value.

        The value can be pickled and compared.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
        """
        if self._observation is None:
            raise ResetNeeded("get_state() needs an episode: call reset() first")
        return EnvState(
            self._maker,
            (self.np_random.bit_generator.state, self.np_random_seed),
            self._best_progress,
            self._over,
            self._get_state(),
            self._observation,
        )

    def set_state(self, state: EnvState) -> None:
        """Restore a state.

        The counts of wrappers (steps, repetitions) are not part of a state; a deep copy
        or pickle of the wrapped environment includes them.

        Args:
            state: The value that ``get_state`` returned, of this env or of one made
                with the same arguments.

        Raises:
            TypeError: If ``state`` is not an :class:`EnvState`.
            ValueError: If it comes from an env of another class or other arguments.
        """
        if not isinstance(state, EnvState):
            raise TypeError(f"state={state!r:.80} must be what get_state() returned")
        if state.maker != self._maker:
            raise ValueError(
                f"state of {' '.join(state.maker)} does not fit "
                f"{' '.join(self._maker)}: "
                "make the env with the same arguments"
            )
        # First, because only this can fail; then nothing has changed.
        self._set_state(state.world)
        bits, seed = state.random
        self._np_random = self._restored = _restore(bits, self._reusable_generator())
        self._np_random_seed = seed
        self._best_progress = state.best_progress
        self._over = state.over
        self._observation = state.observation

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the env; ``shared_attributes`` and the arguments are not copied."""
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        shared = _SHARED | self.shared_attributes
        for name, value in self.__dict__.items():
            if isinstance(value, np.random.Generator) and id(value) not in memo:
                memo[id(value)] = _restore(value.bit_generator.state)
            kept = name in shared or type(value) in _IMMUTABLE
            copied.__dict__[name] = value if kept else copy.deepcopy(value, memo)
        return copied

    def _reusable_generator(self) -> np.random.Generator | None:
        # One that set_state made belongs to this env, unless it was replaced since.
        return self._restored if self._np_random is self._restored else None


def _restore(
    bits: Mapping[str, Any], generator: np.random.Generator | None = None
) -> np.random.Generator:
    """Return a generator in a state, if possible the one given, which is faster."""
    kind = bits["bit_generator"]
    if generator is None or type(generator.bit_generator).__name__ != kind:
        generator = np.random.Generator(getattr(np.random, kind)(0))
    generator.bit_generator.state = bits
    return generator
