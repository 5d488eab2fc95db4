"""The methods of an env that a benchmark's author overrides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

import gymnasium as gym
import numpy as np

from aq_gym.core.arguments import SharedArguments, is_number_or_choice
from aq_gym.core.drawing import Drawing
from aq_gym.core.help import HELP_ACTIONS
from aq_gym.core.prompt import Prompt, prompt_of
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Start, Turn
from aq_gym.core.text import quote


class Benchmark(gym.Env[str, str], ABC):
    """The part of :class:`aq_gym.TextEnv` that a benchmark defines.

    Every benchmark defines the abstract methods; and either a protocol, which reads and
    plays actions, or ``_read`` and ``_step``. Everything else in this class has a
    default. Nothing outside of this class is overridden.

    Attributes:
        max_observation: The largest number of characters in an observation.
        explains_by_default: Whether an observation contains ``info["feedback"]``; False
            if it keeps the wording of a published benchmark.
        plain_arguments: The texts, and other arguments, that :meth:`is_plain_argument`
            accepts besides numbers and choices.
        shared_attributes: The attributes that copies of an env share, because they
            never change.
        prompt_example: The example of ``prompt.json`` that the prompt contains.
        help_actions: The texts that ask for help; empty in a published protocol without
            help.
        parses_free_text: Whether actions are found anywhere in a text, as a published
            parser does.
        protocol: Reads and plays actions; None for a benchmark that defines ``_read``
            and ``_step``.
        source: Where the instances come from: "generated" for ours, "published" for
            those of a published benchmark, from a download, a paper's checkout or a
            package, and "user" for other files and arguments.
    """

    # Not a ClassVar, because Gymnasium declares it without.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012
    max_observation: ClassVar[int] = 100_000
    explains_by_default: ClassVar[bool] = True
    plain_arguments: ClassVar[frozenset[str]] = frozenset()
    shared_attributes: ClassVar[frozenset[str]] = frozenset()
    prompt_example: str = ""
    help_actions: frozenset[str] = HELP_ACTIONS
    parses_free_text: bool = False
    protocol: Protocol[Any, Any] | None = None
    source: Literal["generated", "published", "user"] = "generated"
    # The argument ``game`` of the protocol's methods.
    _game: Any = None
    # An immutable value for pictures, such as the places that the agent has seen.
    _memory: Any = None

    @abstractmethod
    def _reset(self, options: Mapping[str, Any]) -> Start:
        """Begin an episode; all random numbers come from ``self.np_random``."""

    @abstractmethod
    def subgoals(self) -> dict[str, bool]:
        """Return a new dict from each subgoal's name to whether it holds now."""

    @abstractmethod
    def admissible_actions(self) -> tuple[str, ...]:
        """Return every action that is valid in the current state, in a fixed order."""

    @abstractmethod
    def expert_action(self) -> str | None:
        """Return the reference policy's next action, or None if it gives up.

        It may give up in a dead end, or if its budget of work is spent.
        """

    @abstractmethod
    def _get_state(self) -> Any:
        """Return the benchmark's state as a small, picklable, comparable value."""

    @abstractmethod
    def _set_state(self, world: Any) -> None:
        """Restore a state that ``_get_state`` of an equal env returned."""

    # A benchmark without a protocol defines _read and _step.

    def _read(self, text: str) -> Any:
        """Return the action that a text means, or None if it is not in the grammar.

        It changes nothing, and is called once a step, even if wrappers ask for the
        action too. The help actions are read by TextEnv.
        """
        assert self.protocol is not None
        return self.protocol.read(self._game, text)

    def _write(self, action: Any) -> str:
        """Return the canonical text of an action, which ``_read`` reads as the same."""
        if self.protocol is None:
            return str(action)
        return self.protocol.write(self._game, action)

    def _said(self, action: Any) -> str:
        """Return what an action says, without words that every action has."""
        if self.protocol is None:
            return self._write(action)
        return self.protocol.said(self._game, action)

    def _step(self, action: Any) -> Turn:
        """Carry out an action that ``_read`` returned; never raise because of it."""
        assert self.protocol is not None
        return self.protocol.play(self._game, action)

    def _refuse(self, text: str) -> Turn:
        """Explain why a text is not an action, and what would be one."""
        if self.protocol is None:
            return Turn.invalid(f"{quote(text)} is not an action. {self.help()}")
        return self.protocol.refuse(self._game, text)

    # A benchmark may override the following methods.

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

    def iter_admissible_actions(self) -> Iterator[str]:
        """Return an iterator over the admissible actions, in any fixed order.

        Override it if finding all actions takes long, as in Jericho; a search may need
        only the first ones.
        """
        return iter(self.admissible_actions())

    def expert_gave_up(self) -> str:
        """Return why ``expert_action`` is None in this state, or "" if it is not."""
        known = self.expert_action() is not None
        return "" if known else "the expert knows no way to success from here"

    def help(self) -> str:
        """Return the answer to ``check valid actions``: the actions or their format."""
        if self.protocol is not None:
            return self.protocol.help(self._game)
        return f"Valid actions: {', '.join(self.admissible_actions())}"

    def task_prompt(self) -> Prompt:
        """Return the prompt for a language model.

        By default it is made of the ``prompt.json`` next to the class's module, if
        there is one.
        """
        return prompt_of(type(self), self.prompt_example)

    def _draw(self) -> Drawing | None:
        """Return a picture of what the agent may know, or None.

        An override makes the render mode "rgb_array" available. If it needs something
        from earlier steps, ``_reset`` and ``_step`` keep that in ``self._memory``,
        which is part of a state.
        """
        return None

    def secrets(self) -> tuple[str, ...]:
        """Return texts that no observation may contain before the agent writes them."""
        return ()

    def secrets_left(self) -> int | None:
        """Return how many secrets agree with everything that the agent has seen.

        The secret itself is one of them, so 1 means that it is determined. None if
        they are not counted.
        """
        return None

    def solution(self) -> str:
        """Return the answer for a person who did not find it, or ""."""
        return ", ".join(self.secrets())

    def extra_info(self) -> dict[str, Any]:
        """Return a new dict of additional keys for info.

        The value of a key has the same type in every step and on reset, never None.
        """
        return {}

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether a constructor argument may come from an untrusted file.

        Such a value reads no file, runs no other engine and weakens no safeguard: a
        trajectory with any other argument is replayed only if the caller trusts it. By
        default these are numbers, bools and the values of a ``Literal``, by the
        annotation of the argument, and ``plain_arguments``.

        Args:
            name: The name of the argument.
            value: Its value, from JSON.
        """
        if name in SharedArguments.__annotations__ or name in cls.plain_arguments:
            return True
        return is_number_or_choice(cls.__init__, name, value)
