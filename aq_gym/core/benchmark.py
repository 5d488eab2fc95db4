"""What a benchmark's author writes: the methods of an env that are overridden."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from aq_gym.core.arguments import SharedArguments, is_number_or_choice
from aq_gym.core.drawing import Drawing
from aq_gym.core.help import HELP_ACTIONS
from aq_gym.core.prompt import Prompt, PublishedPrompt, prompt_of
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Start, Turn
from aq_gym.core.text import quote


class Benchmark(gym.Env[str, str], ABC):
    """The part of :class:`aq_gym.TextEnv` that a benchmark defines.

    Every benchmark defines ``_reset``, ``subgoals``, ``admissible_actions``,
    ``expert_action``, ``_get_state`` and ``_set_state``; and either a protocol, which
    reads and plays actions, or ``_read`` and ``_step``. Everything else in this class
    has a default. Nothing outside of it is overridden.

    Attributes:
        max_observation: The most characters of an observation.
        explains_by_default: Whether an observation contains ``info["feedback"]``; False
            where the wording of a published benchmark is kept.
        plain_arguments: The arguments that :meth:`is_plain_argument` accepts besides
            numbers and choices.
        shared_attributes: The attributes that copies of an env share, because they
            never change.
        prompt_example: The example of ``prompt.json`` that the prompt contains.
        help_actions: The texts that ask for help; empty in a published protocol that
            has none.
        parses_free_text: Whether actions are found anywhere in a text, as a published
            parser does.
        protocol: How actions are read and answered, None for a benchmark that defines
            ``_read`` and ``_step``.
    """

    # Gymnasium declares it without ClassVar, and an override must agree.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012
    max_observation: ClassVar[int] = 100_000
    explains_by_default: ClassVar[bool] = True
    plain_arguments: ClassVar[frozenset[str]] = frozenset()
    shared_attributes: ClassVar[frozenset[str]] = frozenset()
    prompt_example: str = ""
    help_actions: frozenset[str] = HELP_ACTIONS
    parses_free_text: bool = False
    protocol: Protocol[Any, Any] | None = None
    # The game that the protocol's methods are given.
    _game: Any = None
    # What the agent has seen, where pictures need it: an immutable value.
    _memory: Any = None

    # Every benchmark defines these.

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
    def expert_action(self) -> str:
        """Return the reference policy's next action."""

    @abstractmethod
    def _get_state(self) -> Any:
        """Return the benchmark's state as a small, picklable, comparable value."""

    @abstractmethod
    def _set_state(self, world: Any) -> None:
        """Restore a state that ``_get_state`` of an equal env returned."""

    # A benchmark without a protocol defines _read and _step. By default, all four call
    # the protocol.

    def _read(self, text: str) -> Any:
        """Return the action that a text means, None if it is not in the grammar.

        By default the protocol reads it. An override is cheap and changes
        nothing; it is called once a step, even if wrappers ask for the action too. It
        need not read the help actions, which TextEnv answers.
        """
        assert self.protocol is not None
        return self.protocol.read(self._game, text)

    def _write(self, action: Any) -> str:
        """Return the canonical text of an action that ``_read`` returned.

        It is an action too, with the same result.
        """
        if self.protocol is None:
            return str(action)
        return self.protocol.write(self._game, action)

    def _step(self, action: Any) -> Turn:
        """Carry out an action that ``_read`` returned; never raise because of it."""
        assert self.protocol is not None
        return self.protocol.play(self._game, action)

    def _refuse(self, text: str) -> Turn:
        """Explain why a text is not an action, and what would be one."""
        if self.protocol is None:
            return Turn.invalid(f"{quote(text)} is not an action. {self.help()}")
        return self.protocol.refuse(self._game, text)

    # A benchmark may override these.

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
        """Return an iterator over the admissible actions of the current state.

        A search that tries only some actions avoids listing all of them first, which is
        slow where each is found by trying commands (Jericho). By default it iterates
        over :meth:`admissible_actions`; the order is deterministic, but may differ from
        that of the list.
        """
        return iter(self.admissible_actions())

    def help(self) -> str:
        """Return the answer to ``check valid actions``: the actions or their format."""
        if self.protocol is not None:
            return self.protocol.help(self._game)
        return f"Valid actions: {', '.join(self.admissible_actions())}"

    def task_prompt(self) -> Prompt:
        """Return the prompt for a language model.

        By default it is that of the ``prompt.json`` beside the class's module, with the
        example that ``prompt_example`` names, and an empty one where there is no file.
        """
        return prompt_of(type(self), self.prompt_example)

    def published_prompt(self) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent for the episode that has just begun.

        Returns:
            None if the protocol is not a paper's, or the files with its prompts, which
            are the user's, are not there.
        """
        return None if self.protocol is None else self.protocol.prompt(self._game)

    def _draw(self) -> Drawing | None:
        """Return a picture of what the agent may know; None, as by default, for none.

        An override makes the render mode "rgb_array" available. What it needs of the
        steps before the present state is kept in ``self._memory``, an immutable value
        that ``_reset`` and ``_step`` set and that states include.
        """
        return None

    def _pixels(self) -> npt.NDArray[np.uint8]:
        """Return the picture as an array of 480 x 640 x 3 numbers.

        An override returns an image that is not made from ``_draw``.
        """
        drawing = self._draw()
        if drawing is None:
            raise ValueError(f"{type(self).__name__} has no pictures")
        # Only pixels need it.
        from aq_gym.core.raster import pixels

        return pixels(drawing)

    def secrets(self) -> tuple[str, ...]:
        """Return texts that no observation may contain before the agent writes them."""
        return ()

    def solution(self) -> str:
        """Return the answer for a person who did not find it: by default the secrets.

        It is for the end of an episode, and for people only; "" if there is nothing to
        tell.
        """
        return ", ".join(self.secrets())

    def extra_info(self) -> dict[str, Any]:
        """Return a new dict of additional keys for info.

        Each key must have one fixed type, never None, on reset and on step. The keys
        that this class defines take precedence.
        """
        return {}

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether a constructor argument may come from an untrusted file.

        Such a value reads no file, runs no other engine and weakens no safeguard. By
        default, this applies to the shared arguments, to arguments that are annotated
        as a number, a bool or a ``Literal``, and to those whose names are in
        ``plain_arguments``, such as a text that names no file. Override it if it
        depends on the value. A trajectory with any other argument is only replayed if
        the caller trusts it.

        Args:
            name: The name of the argument.
            value: Its value, from JSON.
        """
        if name in SharedArguments.__annotations__ or name in cls.plain_arguments:
            return True
        return is_number_or_choice(cls.__init__, name, value)
