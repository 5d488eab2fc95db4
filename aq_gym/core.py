"""The base class of every text environment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium.error import ResetNeeded

from aq_gym.arguments import (
    SharedArguments,
    bound_arguments,
    check_arguments,
    signature_with,
)
from aq_gym.benchmark import check_complete
from aq_gym.help_actions import help_initials, wants_help
from aq_gym.restorable import Restorable
from aq_gym.spaces import FreeText
from aq_gym.step_results import ResetParts, Start, StepParts, Turn
from aq_gym.text import plural
from aq_gym.threads import OneThread

__all__ = ["SharedArguments", "TextEnv"]


class TextEnv(Restorable):
    """A Gymnasium environment whose observations and actions are text.

    A benchmark writes ``_reset``, ``_step``, ``_get_state``, ``_set_state``,
    ``subgoals``, ``admissible_actions`` and ``expert_action``; ``progress``,
    ``success``, ``sample_action``, ``understands``, ``help``, ``task_prompt``,
    ``secrets`` and ``extra_info`` have defaults.

    The reward is the rise of ``best_progress``, so an episode's return is its final
    progress rate. ``info`` holds, on reset and step, ``progress`` (AgentQuest's
    PR_t, 0.0 to 1.0), ``best_progress`` (AgentBoard's r_t), ``subgoals`` and
    ``success``; on reset ``goal``, ``task_id`` and ``difficulty``; on step
    ``action_valid`` and ``feedback``; with ``list_actions``, ``admissible_actions``;
    and ``error`` on the step at which an engine failed.

    A benchmark's own constructor arguments are recorded automatically: they are checked
    against the annotations of its ``__init__``, and a state is accepted only by an env
    of the same class and arguments. They must be JSON-serializable, or paths.

    Args:
        render_mode: None, or "ansi" for the last observation as text.
        instructions: Whether the first observation explains the task and the
            actions; with False it contains only the engine's own text.
        list_actions: Whether info lists the admissible actions.
        explain: Whether the observation after an invalid action contains
            ``info["feedback"]``; None for the benchmark's default, which is False only
            where it keeps the wording of a published benchmark.

    Raises:
        TypeError: If an argument has another type, or the benchmark does not define
            every abstract method.
        ValueError: If ``render_mode`` is not supported, or an argument is not one of
            its choices.
    """

    # Gymnasium declares it without ClassVar, and an override must agree.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012
    # The method with which the class's ``_subgoal_parts`` agrees.
    _subgoals_in_parts: ClassVar[Callable[..., Any] | None] = None
    _arguments: dict[str, Any]

    def __init_subclass__(cls) -> None:
        """Include the shared arguments in the signature of each benchmark."""
        super().__init_subclass__()
        # Not an attribute that Python declares; inspect.signature looks for it.
        cls.__signature__ = signature_with(cls.__init__, TextEnv.__init__)  # type: ignore[attr-defined]
        if "subgoals" in vars(cls):
            has_parts = "_subgoal_parts" in vars(cls)
            cls._subgoals_in_parts = cls.subgoals if has_parts else None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Create an env and record the arguments of its constructor."""
        env = super().__new__(cls)
        env._arguments = bound_arguments(cls.__init__, args, kwargs)
        return env

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        instructions: bool = True,
        list_actions: bool = False,
        explain: bool | None = None,
    ) -> None:
        check_complete(type(self))
        shared = SharedArguments.__annotations__
        own = {k: v for k, v in self._arguments.items() if k not in shared}
        check_arguments(type(self).__init__, own)
        flags = {
            "instructions": instructions,
            "list_actions": list_actions,
            "explain": explain,
        }
        check_arguments(TextEnv.__init__, flags)
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode={render_mode!r}: choose None or {modes}")
        self.render_mode = render_mode
        self.instructions = instructions
        self.list_actions = list_actions
        self.explain = self.explains_by_default if explain is None else explain
        self.observation_space = FreeText(self.max_observation)
        self.action_space = FreeText()
        name = f"{type(self).__module__}:{type(self).__qualname__}"
        self._maker = (name, json.dumps(own, sort_keys=True, default=str))
        self._action_limit = self.action_space.max_length
        self._help_initials = help_initials(self.help_actions)
        self._best_progress = 0.0
        self._observation: str | None = None
        self._over = True
        self._restored: np.random.Generator | None = None
        # Mangled, as benchmarks have attributes of their own.
        self.__one_thread = OneThread(f"this {type(self).__name__}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start a new episode.

        Args:
            seed: The seed of ``np_random``; the same seed and options give the same
                episode.
            options: ``{"task_id": ...}`` selects an instance by its name.

        Returns:
            The first observation and info.

        Raises:
            ValueError: If an option is unknown or does not name an instance.
            RuntimeError: If the instance is already solved or its progress is not 0, or
                if another thread is using this env.
            TypeError: If the benchmark's ``_reset`` does not return a :class:`Start`.
        """
        start, info, subgoals = self._reset_parts(seed, options)
        info["progress"] = info["best_progress"] = 0.0
        info["subgoals"] = subgoals
        info["success"] = False
        if self.list_actions:
            info["admissible_actions"] = self.admissible_actions()
        info["goal"] = start.goal
        info["task_id"] = start.task_id
        info["difficulty"] = start.difficulty
        return start.observation, info

    def _reset_parts(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        split: bool = False,
    ) -> ResetParts:
        """Start a new episode, and return the parts of what ``reset`` returns.

        Vector environments call it instead of ``reset``, as they need no info dict.

        Args:
            seed: The seed.
            options: The options.
            split: Whether to return the subgoals as names and bytes, not as a dict.
        """
        if options is None:
            options = {}
        elif options or type(options) is not dict:
            self._check_options(options)
        guard = self.__one_thread
        # A with statement takes twice the time of these calls.
        try:
            guard.take()
        except IndexError:
            raise guard.error() from None
        except BaseException:
            # An interrupt can arrive just after it is taken.
            guard.release(True)
            raise
        try:
            super().reset(seed=seed)
            self._over = True
            start = self._reset(options)
            if not isinstance(start, Start):
                raise TypeError(
                    f"_reset returned {start!r:.80}: it must return a Start"
                )
            subgoals = self._subgoal_parts() if split else self.subgoals()
            if not (subgoals[0] if isinstance(subgoals, tuple) else subgoals):
                raise RuntimeError("subgoals() must return at least one subgoal")
            if self.success() or self.progress() != 0.0:
                raise RuntimeError(f"task_id={start.task_id!r} begins with progress")
            self._best_progress = 0.0
            self._observation = start.observation
            self._over = False
            return start, self.extra_info(), subgoals
        finally:
            guard.release(True)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out an action.

        Args:
            action: Any text. An invalid action changes nothing, and the reason is
                explained in ``info["feedback"]``.

        Returns:
            The observation, the reward (the increase of ``best_progress``), whether
            the episode is terminated, whether it is truncated, and info.

        Raises:
            gymnasium.error.ResetNeeded: If called before ``reset`` or after the episode
                ended.
            RuntimeError: If another thread is using this env.
            TypeError: If ``action`` is not a ``str``.
        """
        (
            text,
            reward,
            ended,
            cut,
            progress,
            best,
            success,
            valid,
            feedback,
            error,
            info,
            subgoals,
        ) = self._step_parts(action)
        info["progress"] = progress
        info["best_progress"] = best
        info["subgoals"] = subgoals
        info["success"] = success
        if self.list_actions:
            info["admissible_actions"] = self.admissible_actions()
        info["action_valid"] = valid
        info["feedback"] = feedback
        if error:
            info["error"] = error
        return text, reward, ended, cut, info

    def _step_parts(self, action: str, split: bool = False) -> StepParts:
        """Carry out an action, and return the parts of what ``step`` returns.

        Vector environments call it instead of ``step``, as they need no info dict.

        Args:
            action: The action.
            split: Whether to return the subgoals as names and bytes, not as a dict.
        """
        if self._over:
            raise ResetNeeded("step() needs a running episode: call reset() first")
        guard = self.__one_thread
        try:
            guard.take()
        except IndexError:
            raise guard.error() from None
        except BaseException:
            # An interrupt can arrive just after it is taken.
            guard.release(True)
            raise
        try:
            text, valid, terminated, truncated, feedback, error = self._answer(action)
            if self.explain and feedback and feedback not in text:
                text = f"{text}\n{feedback}"
            success = self.success()
            progress = 1.0 if success else self.progress()
            reward = 0.0
            best = self._best_progress
            if progress > best:
                reward = progress - best
                self._best_progress = best = progress
            ended = terminated or success
            cut = truncated or bool(error)
            self._over = ended or cut
            self._observation = text
            return (
                text,
                reward,
                ended,
                cut,
                progress,
                best,
                success,
                valid,
                feedback,
                error,
                self.extra_info(),
                self._subgoal_parts() if split else self.subgoals(),
            )
        finally:
            guard.release(True)

    def render(self) -> str | None:
        """Return the last observation in mode "ansi", and None without a mode.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
        """
        if self._observation is None:
            raise ResetNeeded("render() needs an episode: call reset() first")
        return self._observation if self.render_mode == "ansi" else None

    def _answer(self, action: str) -> Turn:
        if not isinstance(action, str):
            raise TypeError(
                f"action={action!r:.200} must be a str, not {type(action).__name__}"
            )
        if action[:1] in self._help_initials and wants_help(action, self.help_actions):
            return Turn(self.help())
        if len(action) > self._action_limit:
            why = (
                f"That action has {plural(len(action), 'character')}; "
                f"at most {self._action_limit} are read."
            )
            return Turn.invalid(why)
        return self._step(action)

    def _check_options(self, options: Mapping[str, Any]) -> None:
        if not isinstance(options, Mapping):
            raise TypeError(f"options={options!r} must be a dict or None")
        unknown = sorted(map(str, set(options) - self.reset_options))
        if unknown:
            raise ValueError(
                f"options has {', '.join(map(repr, unknown))}: "
                f"choose from {sorted(self.reset_options)}"
            )
