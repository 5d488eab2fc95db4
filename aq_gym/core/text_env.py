"""The base class of every text environment."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from threading import get_ident
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from aq_gym.core.arguments import (
    SharedArguments,
    bound_arguments,
    check_arguments,
    signature_with,
)
from aq_gym.core.benchmark import Benchmark
from aq_gym.core.drawing import Drawing
from aq_gym.core.help import HELP, wants_help
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import EnvState, Start, Turn
from aq_gym.core.spaces import FreeText
from aq_gym.core.text import plural

_OPTIONS = ("task_id",)
_IMMUTABLE = frozenset({bool, int, float, str, type(None), frozenset})
# They never change after construction.
_SHARED = frozenset({"_arguments", "_identity", "protocol", "spec"})


class TextEnv(Benchmark):
    """A Gymnasium environment whose observations and actions are text.

    What a benchmark defines, and what it may override, is in
    :class:`aq_gym.core.benchmark.Benchmark`.

    The reward is the increase of ``best_progress``, so an episode's return is its final
    progress rate. ``info`` holds, on reset and step, ``progress`` (AgentQuest's
    PR_t, 0.0 to 1.0), ``best_progress`` (AgentBoard's r_t), ``subgoals`` and
    ``success``; on reset ``goal``, ``task_id``, ``difficulty``, ``source`` and, where
    instances have some, ``labels``; on step ``action_valid`` and ``feedback``; with
    ``list_actions``, ``admissible_actions``; and ``error`` on the step at which an
    engine failed.

    A benchmark's own constructor arguments are recorded automatically: they are checked
    against the annotations of its ``__init__``, and a state is accepted only by an env
    of the same class and arguments. They must be JSON-serializable, or paths.

    Args:
        render_mode: None, "ansi" for the last observation as text or, where there is
            something to see, "rgb_array" for the picture as an array.
        instructions: Whether the first observation explains the task and the
            actions; with False it contains only the engine's own text.
        list_actions: Whether info lists the admissible actions.
        explain: Whether the observation after an invalid action contains
            ``info["feedback"]``; None for the benchmark's default, which is False only
            where it keeps the wording of a published benchmark.

    Raises:
        TypeError: If an argument has the wrong type, or the benchmark does not define
            every abstract method.
        ValueError: If ``render_mode`` is not supported, or an argument is not one of
            its choices.
    """

    # The last text that was read, and the action that it means.
    _last_read: tuple[str, Any] | None = None
    _arguments: dict[str, Any]

    def __init_subclass__(cls) -> None:
        """Include the shared arguments in the signature of each benchmark."""
        super().__init_subclass__()
        if cls._draw is not TextEnv._draw:
            modes = dict.fromkeys([*cls.metadata["render_modes"], "rgb_array"])
            cls.metadata = {**cls.metadata, "render_modes": [*modes]}
        # inspect.signature looks for this attribute, but type checkers do not know it.
        cls.__signature__ = signature_with(cls.__init__, TextEnv.__init__)  # type: ignore[attr-defined]

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
        self._identity = (name, json.dumps(own, sort_keys=True, default=str))
        self._action_limit = self.action_space.max_length
        # A paper's protocol reads what the paper's code reads.
        published = own.get("protocol", "aq") != "aq"
        self._reads_statements = not (published or hasattr(self, "stated_answer"))
        self._best_progress = 0.0
        self._observation: str | None = None
        self._over = True
        self._restored: np.random.Generator | None = None
        # Name-mangled, because benchmarks have attributes of their own.
        self.__one_thread = _OneThread(f"this {type(self).__name__}")

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
        options = {} if options is None else options
        _check_options(options)
        with self.__one_thread:
            super().reset(seed=seed)
            self._over = True
            self._memory = None
            self._last_read = None
            start = self._reset(options)
            if not isinstance(start, Start):
                raise TypeError(
                    f"_reset returned {start!r:.80}: it must return a Start"
                )
            if not self.subgoals():
                raise RuntimeError("subgoals() must return at least one subgoal")
            if self.success() or self.progress() != 0.0:
                raise RuntimeError(f"task_id={start.task_id!r} begins with progress")
            self._best_progress = 0.0
            self._observation = start.observation
            self._over = False
            info = self._info(progress=0.0, success=False)
        info["goal"] = start.goal
        info["task_id"] = start.task_id
        info["difficulty"] = start.difficulty
        info["source"] = self.source
        if start.labels:
            info["labels"] = dict(start.labels)
        return start.observation, info

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
        if self._over:
            raise ResetNeeded("step() needs a running episode: call reset() first")
        with self.__one_thread:
            text, valid, terminated, truncated, feedback, error = self._answer(action)
            self._last_read = None
            if self.explain and feedback and feedback not in text:
                text = f"{text}\n{feedback}"
            success = self.success()
            progress = 1.0 if success else self.progress()
            reward = 0.0
            if progress > self._best_progress:
                reward = progress - self._best_progress
                self._best_progress = progress
            terminated = terminated or success
            truncated = truncated or bool(error)
            self._over = terminated or truncated
            self._observation = text
            info = self._info(progress, success)
        info["action_valid"] = valid
        info["feedback"] = feedback
        if error:
            info["error"] = error
        return text, reward, terminated, truncated, info

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the last observation in mode "ansi", and None without a mode.

        In mode "rgb_array" it returns the picture as an array of 480 x 640 x 3 numbers.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
            gymnasium.error.DependencyNotInstalled: If the extra ``pictures``, which
                "rgb_array" needs, is missing.
        """
        if self._observation is None:
            raise ResetNeeded("render() needs an episode: call reset() first")
        if self.render_mode == "rgb_array":
            return self.image()
        return self._observation if self.render_mode == "ansi" else None

    def image(self) -> npt.NDArray[np.uint8]:
        """Return the picture of :meth:`drawing` as an array of 480 x 640 x 3 numbers.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
            gymnasium.error.DependencyNotInstalled: If the extra ``pictures`` is
                missing.
            ValueError: If the environment has no pictures.
        """
        drawing = self.drawing()
        if drawing is None:
            raise ValueError(f"{type(self).__name__} has no pictures")
        # Imported here, because only pixels need it.
        from aq_gym.core.raster import pixels

        return pixels(drawing)

    def drawing(self) -> Drawing | None:
        """Return the current state as shapes, or None without a picture.

        It shows only what the agent may know, and changes nothing.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
        """
        if self._observation is None:
            raise ResetNeeded("drawing() needs an episode: call reset() first")
        return self._draw()

    def understands(self, action: str) -> bool:
        """Return whether a text is in the grammar of actions, whatever the state.

        It changes nothing, and takes any text. The help actions are understood, and
        every text that the benchmark reads.
        """
        return self._canonical(action) is not None

    def canonical_action(self, action: str) -> str:
        """Return the canonical form of an understood action, and other text unchanged.

        Two texts with the same canonical form are the same action: ``guess: 1 2 3 4``
        and ``Guess: 1234``. :class:`aq_gym.wrappers.RepetitionRate` compares them.
        """
        canonical = self._canonical(action)
        return action if canonical is None else canonical

    def said(self, action: str) -> str:
        """Return the part of an understood action that can differ: ``1234``.

        It is the canonical form without the words that every action has, such as
        ``Guess:``, and other text unchanged. The similarity of two actions is that of
        these texts.
        """
        canonical = self._canonical(action, self._said)
        return action if canonical is None else canonical

    def published_action(self, completion: str) -> str | None:
        """Return the action in a model's answer as a paper's own parser finds it.

        Returns:
            None if the protocol has no parser of its own:
            :class:`aq_gym.wrappers.ExtractAction` then searches the answer.
        """
        return self.canonical_action(completion) if self.parses_free_text else None

    def published_prompt(self) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent for the episode that has just begun.

        Returns:
            None if the protocol is not a paper's, or the user's files do not include
            the paper's prompts.
        """
        return None if self.protocol is None else self.protocol.prompt(self._game)

    def get_state(self) -> EnvState:
        """Return everything that determines the rest of the episode as a small value.

        The value can be pickled and compared.

        Raises:
            gymnasium.error.ResetNeeded: If called before the first ``reset``.
        """
        if self._observation is None:
            raise ResetNeeded("get_state() needs an episode: call reset() first")
        return EnvState(
            self._identity,
            (self.np_random.bit_generator.state, self.np_random_seed),
            self._best_progress,
            self._over,
            self._get_state(),
            self._observation,
            self._memory,
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
        if state.identity != self._identity:
            raise ValueError(
                f"state of {' '.join(state.identity)} does not fit "
                f"{' '.join(self._identity)}: make the env with the same arguments"
            )
        # Called first: if it fails, nothing else has changed.
        self._set_state(state.world)
        self._last_read = None
        bits, seed = state.random
        self._np_random = self._restored = _restore(bits, self._reusable_generator())
        self._np_random_seed = seed
        self._best_progress = state.best_progress
        self._over = state.over
        self._observation = state.observation
        self._memory = state.memory

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the env; its ``shared_attributes`` and arguments are shared."""
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        shared = _SHARED | self.shared_attributes
        for name, value in self.__dict__.items():
            if isinstance(value, np.random.Generator) and id(value) not in memo:
                memo[id(value)] = _restore(value.bit_generator.state)
            kept = name in shared or type(value) in _IMMUTABLE
            copied.__dict__[name] = value if kept else copy.deepcopy(value, memo)
        return copied

    def _set_protocol(self, protocol: Protocol[Any, Any]) -> None:
        """Use a protocol, and its help actions."""
        self.protocol = protocol
        self.help_actions = protocol.help_actions
        self.parses_free_text = protocol.parses_free_text

    def _parsed(self, text: str) -> Any:
        """Read a text once: wrappers ask just before a step reads it again."""
        last = self._last_read
        if last is None or last[0] != text:
            known = len(text) <= self._action_limit
            parsed = self._read(text) if known else None
            if parsed is None and known and self._reads_statements:
                parsed = self._stated(text)
            last = (text, parsed)
            self._last_read = last
        return last[1]

    def _stated(self, text: str) -> Any:
        """Read the last action that a text states as its answer or puts in a box."""
        # Imported late, because most actions need no search.
        from aq_gym.answers import cleaned, statements

        for statement in statements(text):
            for answer in (statement.answer, cleaned(statement.answer)):
                if (parsed := self._read(answer)) is not None:
                    return parsed
        return None

    def _canonical(
        self, action: str, write: Callable[[Any], str] | None = None
    ) -> str | None:
        if wants_help(action, self.help_actions):
            return HELP if HELP in self.help_actions else min(self.help_actions)
        parsed = self._parsed(action)
        return None if parsed is None else (write or self._write)(parsed)

    def _answer(self, action: str) -> Turn:
        if not isinstance(action, str):
            raise TypeError(
                f"action={action!r:.200} must be a str, not {type(action).__name__}"
            )
        if wants_help(action, self.help_actions):
            return Turn(self.help())
        if len(action) > self._action_limit:
            why = (
                f"That action has {plural(len(action), 'character')}; "
                f"at most {self._action_limit} are read."
            )
            return Turn.invalid(why)
        parsed = self._parsed(action)
        return self._refuse(action) if parsed is None else self._step(parsed)

    def _info(self, progress: float, success: bool) -> dict[str, Any]:
        """Return the keys of info that ``reset`` and ``step`` have in common."""
        info = self.extra_info()
        info["progress"] = progress
        info["best_progress"] = self._best_progress
        info["subgoals"] = self.subgoals()
        info["success"] = success
        if self.list_actions:
            info["admissible_actions"] = self.admissible_actions()
        return info

    def _reusable_generator(self) -> np.random.Generator | None:
        # A generator that set_state made belongs to this env, unless it was replaced
        # since.
        return self._restored if self._np_random is self._restored else None


def _check_options(options: object) -> None:
    if not isinstance(options, Mapping):
        raise TypeError(f"options={options!r} must be a dict or None")
    unknown = sorted(map(str, set(options) - set(_OPTIONS)))
    if unknown:
        raise ValueError(
            f"options has {', '.join(map(repr, unknown))}: choose from {[*_OPTIONS]}"
        )


def _restore(
    bits: Mapping[str, Any], generator: np.random.Generator | None = None
) -> np.random.Generator:
    """Return a generator with a state; reusing the given one is faster."""
    kind = bits["bit_generator"]
    if generator is None or type(generator.bit_generator).__name__ != kind:
        generator = np.random.Generator(getattr(np.random, kind)(0))
    generator.bit_generator.state = bits
    return generator


class _OneThread:
    """A guard that only one thread can hold, with a ``with`` statement.

    It is not a lock: a second thread does not wait but gets an error, because waiting
    would hide that two threads share one object by mistake. The thread that holds it
    can take it again, so that an interrupt (Ctrl-C) at any moment leaves it usable. A
    copy starts free.
    """

    def __init__(self, owner: str) -> None:
        """Create a free guard."""
        self._owner = owner
        self._holder: dict[str, int] = {}

    def __enter__(self) -> None:
        """Take the guard.

        Raises:
            RuntimeError: If another thread holds it.
        """
        own = get_ident()
        # A single call of a method of dict is atomic.
        if self._holder.setdefault("thread", own) != own:
            raise RuntimeError(
                f"{self._owner} is used by two threads at once: make one for each"
            )

    def __exit__(self, *error: object) -> None:
        self._holder.clear()

    def __reduce__(self) -> tuple[type[_OneThread], tuple[str]]:
        """Copy and pickle as a new guard."""
        return _OneThread, (self._owner,)
