"""Many text environments with Gymnasium's vector API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Text
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from aq_gym.vector.env_group import EnvGroup, merged
from aq_gym.vector.worker_groups import WorkerGroups

_Step: TypeAlias = tuple[
    Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class TextVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Steps many environments together, in this process or in worker processes.

    It has the API of Gymnasium's ``SyncVectorEnv`` and returns the same results:
    observations (a tuple of str for text spaces), arrays of rewards, terminations and
    truncations, and a dict of merged infos, in which the array of a key ``k`` has a
    mask ``_k``. It only merges the infos faster, which in ``SyncVectorEnv`` takes
    longer than a short step.

    ``gymnasium.make_vec`` makes one for each id of aq_gym, and takes ``num_workers``
    and ``autoreset_mode`` with the arguments of the environment; it takes ``wrappers``
    only with ``vectorization_mode="sync"`` or ``"async"``.

    Args:
        env_fns: The functions that make the environments; with workers, functions that
            ``cloudpickle`` can send to another process.
        autoreset_mode: When an environment is reset after the end of its episode: in
            the next step instead of being stepped (NEXT_STEP, "NextStep"), at once
            (SAME_STEP, "SameStep"; the last observation and info are then
            ``infos["final_obs"]`` and ``infos["final_info"]``), or never (DISABLED,
            "Disabled"): reset these environments with
            ``reset(options={"reset_mask": terminations | truncations})``.
        num_workers: The number of processes among which the environments are divided,
            from 0, for this process, to the number of environments. Two processes are
            faster than none from steps of about 50 microseconds on. They are
            started with ``spawn``, so a script needs ``if __name__ == "__main__":``.

    Raises:
        TypeError: If ``num_workers`` is not an int.
        ValueError: If there are no environments, more workers than environments, or
            no such autoreset mode.
        RuntimeError: If two environments have different spaces.

    Example:
        >>> import gymnasium as gym
        >>> import aq_gym
        >>> envs = gym.make_vec("aq/Mastermind-v0", num_envs=3)
        >>> envs
        TextVectorEnv(aq/Mastermind-v0, num_envs=3)
        >>> observations, infos = envs.reset(seed=0)
        >>> observations, rewards, _, _, infos = envs.step(["0123", "4567", "hello"])
        >>> infos["action_valid"]
        array([ True,  True, False])
        >>> envs.close()
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], gym.Env[Any, Any]]],
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        num_workers: int = 0,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = len(env_fns)
        if not env_fns:
            raise ValueError("env_fns is empty: give at least one function")
        if isinstance(num_workers, bool) or not isinstance(num_workers, int):
            raise TypeError(f"num_workers={num_workers!r} must be an int")
        if not 0 <= num_workers <= self.num_envs:
            raise ValueError(
                f"num_workers={num_workers}: choose 0 to {self.num_envs}, "
                "the number of environments"
            )
        self._group = (
            WorkerGroups(env_fns, self.autoreset_mode, num_workers)
            if num_workers
            else EnvGroup(env_fns, self.autoreset_mode)
        )
        self.metadata = self._group.metadata
        self.render_mode = self._group.render_mode
        self.single_observation_space = self._group.single_observation_space
        self.single_action_space = self._group.single_action_space
        self.observation_space = batch_space(
            self.single_observation_space, self.num_envs
        )
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, dtype=np.bool_)

    @property
    def envs(self) -> list[gym.Env[Any, Any]]:
        """The environments, if they are in this process.

        Raises:
            AttributeError: If they are in workers.
        """
        if isinstance(self._group, EnvGroup):
            return self._group.envs
        raise AttributeError(
            "the environments run in workers: use call() or get_attr()"
        )

    # As in SyncVectorEnv, where VectorEnv has one generator.
    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators of the environments; with workers, copies of them."""
        return self.get_attr("np_random")

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of the environments' generators."""
        return self.get_attr("np_random_seed")

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Reset the environments.

        Args:
            seed: The seed of the first environment, each of the others getting the next
                higher one; or a seed for each environment; or None, to continue their
                generators.
            options: The options for each environment. ``{"reset_mask": mask}`` resets
                those for which the mask is True, a bool array of shape ``(num_envs,)``;
                the others keep their observation, and have no info.

        Returns:
            The observations and the merged info.

        Raises:
            ValueError: If the number of seeds is not that of the environments, or the
                mask is not an array of bool that selects at least one of them.
        """
        seeds = _seeds_of(seed, self.num_envs)
        reset = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            # A copy, because Gymnasium removes the mask from the dict.
            options = dict(options)
            reset = options["reset_mask"]
            _check_mask(reset, self.num_envs)
        observations, infos = self._group.reset(seed=seeds, options=options)
        self._over &= ~reset
        return observations, merged(infos, self.num_envs)

    def step(self, actions: Any) -> _Step:
        """Step the environments.

        Args:
            actions: The action for each environment: a sequence of str if actions are
                text, otherwise an array.

        Returns:
            The observations; the rewards, float64 of shape ``(num_envs,)``; the
            terminations and the truncations, bool of shape ``(num_envs,)``; the merged
            info.

        Raises:
            gymnasium.error.ResetNeeded: In mode DISABLED, if an episode has ended and
                its environment was not reset.
            TypeError: If a single str is given.
            ValueError: If there are more or fewer actions than environments.
        """
        if isinstance(self.single_action_space, Text):
            actions = _listed(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(
                f"the episodes of {np.flatnonzero(self._over).tolist()} have ended: "
                'call reset(options={"reset_mask": terminations | truncations})'
            )
        observations, rewards, ended, cut, infos = self._group.step(actions)
        self._over = ended | cut
        return observations, rewards, ended, cut, merged(infos, self.num_envs)

    def render(self) -> tuple[Any, ...]:
        """Return the renderings of all environments."""
        return self._group.render()

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each environment.

        Args:
            name: The method, of the environment or of a wrapper; or an attribute, whose
                value is returned.
            *args: The arguments of the call.
            **kwargs: Its keyword arguments.

        Returns:
            A result for each environment.
        """
        return self._group.call(name, *args, **kwargs)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of each environment.

        Args:
            name: The attribute, of the environment or of a wrapper.
        """
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of each environment.

        Args:
            name: The attribute.
            values: A list or tuple with a value for each environment, or one value for
                all.

        Raises:
            ValueError: If there are more or fewer values than environments.
        """
        if not isinstance(values, list | tuple):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(
                f"values has {len(values)} items: give one value, or a list of one for "
                f"each of the {self.num_envs} environments"
            )
        self._group.set_attr(name, values)

    def close_extras(self, **kwargs: Any) -> None:
        """Close the environments and stop the workers."""
        # Not set if the constructor raised an error.
        if hasattr(self, "_group"):
            self._group.close()


def _seeds_of(
    seed: int | Sequence[int | None] | None, num_envs: int
) -> list[int | None]:
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, int | np.integer):
        return [int(seed) + index for index in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(
            f"seed has {len(seed)} items: give one for each of the "
            f"{num_envs} environments"
        )
    return list(seed)


def _check_mask(mask: Any, num_envs: int) -> None:
    is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
    if not is_mask or mask.shape != (num_envs,) or not mask.any():
        raise ValueError(
            f"reset_mask={mask!r:.200} must be an array of {num_envs} bool, "
            "True for at least one environment"
        )


def _listed(actions: Any, num_envs: int) -> list[str]:
    if isinstance(actions, str):
        raise TypeError(f"actions={actions!r:.80} must be a sequence of {num_envs} str")
    listed = list(actions)
    if len(listed) != num_envs:
        raise ValueError(
            f"actions has {len(listed)} items: give one for each of the "
            f"{num_envs} environments"
        )
    return listed
