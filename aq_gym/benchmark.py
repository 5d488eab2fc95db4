"""The methods that a benchmark defines, and those that have a default."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np

from aq_gym.arguments import SharedArguments
from aq_gym.help_actions import HELP_ACTIONS, wants_help
from aq_gym.prompt import Prompt
from aq_gym.step_results import Start, SubgoalParts, Turn

__all__ = ["Benchmark", "check_complete"]


class Benchmark(gym.Env[str, str]):
    """The part of :class:`aq_gym.TextEnv` that benchmarks define or override."""

    help_actions: ClassVar[frozenset[str]] = HELP_ACTIONS
    reset_options: ClassVar[frozenset[str]] = frozenset({"task_id"})
    max_observation: ClassVar[int] = 100_000
    plain_arguments: ClassVar[frozenset[str]] = frozenset()
    shared_attributes: ClassVar[frozenset[str]] = frozenset()
    explains_by_default: ClassVar[bool] = True
    _help_initials: frozenset[str]

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether a constructor argument may come from an untrusted file.

        Such a value reads no file, runs no other engine and weakens no safeguard. By
        default, this applies to the shared arguments and to those whose names are in
        ``plain_arguments``; override it if it depends on the value. A trajectory with
        any other argument is only replayed if the caller trusts it.

        Args:
            name: The name of the argument.
            value: Its value, from JSON.
        """
        return name in SharedArguments.__annotations__ or name in cls.plain_arguments

    @abstractmethod
    def _reset(self, options: Mapping[str, Any]) -> Start:
        """Begin an episode, drawing from ``self.np_random`` alone."""

    @abstractmethod
    def _step(self, action: str) -> Turn:
        """Carry out an action, which may be any text; never raise because of it."""

    @abstractmethod
    def _get_state(self) -> Any:
        """Return the benchmark's state as a small, picklable, comparable value."""

    @abstractmethod
    def _set_state(self, world: Any) -> None:
        """Restore a state that ``_get_state`` of an equal env returned."""

    @abstractmethod
    def subgoals(self) -> dict[str, bool]:
        """Return a new dict from each subgoal's name to whether it holds now."""

    def _subgoal_parts(self) -> SubgoalParts:
        """Return the names of the subgoals, and a byte for each: 1 if it holds now.

        Vector environments call it, where a class defines it together with
        ``subgoals``: it takes less time, as no dict is made. They must agree.
        """
        raise NotImplementedError

    @abstractmethod
    def admissible_actions(self) -> tuple[str, ...]:
        """Return every action that is valid in the current state, in a fixed order."""

    def iter_admissible_actions(self) -> Iterator[str]:
        """Return an iterator over the admissible actions of the current state.

        A search that tries only some of them needs not wait for the others where they
        are found by trying (Jericho). By default it is that of
        :meth:`admissible_actions`; the order is fixed, but may be another one.
        """
        return iter(self.admissible_actions())

    @abstractmethod
    def expert_action(self) -> str:
        """Return the reference policy's next action."""

    def progress(self) -> float:
        """Return the progress of the state, 0.0 to 1.0: the share of true subgoals."""
        subgoals = self.subgoals()
        return sum(subgoals.values()) / len(subgoals)

    def success(self) -> bool:
        """Return whether the task is solved: by default, if every subgoal holds."""
        return all(self.subgoals().values())

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a random action that can be tried in the current state."""
        actions = self.admissible_actions()
        return actions[int(rng.integers(len(actions)))]

    def understands(self, action: str) -> bool:
        """Return whether a text is in the grammar of actions, whatever the state.

        It is cheap, changes nothing, and takes any text. A completion of a language
        model is searched for the first text that is understood, so a sentence that
        merely contains an action must not be. By default only the help actions are
        understood; a benchmark that extends this adds its own grammar::

            return super().understands(action) or text.parse(action) is not None
        """
        initials = self._help_initials
        return action[:1] in initials and wants_help(action, self.help_actions)

    def help(self) -> str:
        """Return the answer to ``check valid actions``: the actions or their format."""
        return f"Valid actions: {', '.join(self.admissible_actions())}"

    def task_prompt(self) -> Prompt:
        """Return the prompt for a language model: by default an empty one."""
        return Prompt()

    def secrets(self) -> tuple[str, ...]:
        """Return texts that no observation may contain before the agent writes them."""
        return ()

    def extra_info(self) -> dict[str, Any]:
        """Return a new dict of additional keys for info.

        Each key must have one fixed type, never None, on reset and on step. The keys
        that this class defines take precedence.
        """
        return {}


def check_complete(benchmark: type[Benchmark]) -> None:
    """Raise an error if a benchmark does not define every abstract method.

    Raises:
        TypeError: If it lacks one.
    """
    missing = [
        name
        for name in sorted(_ABSTRACT)
        if getattr(getattr(benchmark, name), "__isabstractmethod__", False)
    ]
    if missing:
        raise TypeError(f"{benchmark.__name__} must define {', '.join(missing)}")


# Gymnasium's Env does not use ABCMeta, so Python itself does not check this.
_ABSTRACT = frozenset(
    name
    for name, member in vars(Benchmark).items()
    if getattr(member, "__isabstractmethod__", False)
)
