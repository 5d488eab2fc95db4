"""Turn the observations and actions of any Gymnasium environment into text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from aq_gym.adapters.actions import ActionFormat, Custom, Named, Values, from_json
from aq_gym.adapters.words import Words, named, words_of
from aq_gym.core.help import HELP, wants_help
from aq_gym.core.spaces import FreeText
from aq_gym.support.arguments import check_type, resolve

_MOST_NUMBERS = 1_000


def check_observable(space: spaces.Space[Any], name: str = "observations") -> None:
    """Raise if observations of a space have no readable text by default.

    Raises:
        ValueError: If they have more than 1000 numbers, like pictures.
        TypeError: If the space is of another kind.
    """
    if isinstance(space, spaces.Dict):
        for key, part in space.items():
            check_observable(part, f"{name}[{key!r}]")
    elif isinstance(space, spaces.Tuple):
        for index, part in enumerate(space.spaces):
            check_observable(part, f"{name}[{index}]")
    elif isinstance(space, spaces.Box | spaces.MultiDiscrete | spaces.MultiBinary):
        count = int(np.prod(space.shape or ()))
        if count > _MOST_NUMBERS:
            raise ValueError(
                f"{name} have {count} numbers, too many to read: give "
                "observation_to_text"
            )
    elif not isinstance(space, spaces.Discrete | spaces.Text):
        raise TypeError(
            f"{name} in {space} have no default text: give observation_to_text"
        )


def observation_text(space: spaces.Space[Any], observation: Any) -> str:
    """Return the text of an observation.

    Numbers have at most six significant digits.
    """
    if isinstance(space, spaces.Dict):
        parts = [
            f"{key}: {_part(part, observation[key])}" for key, part in space.items()
        ]
        return "\n".join(parts)
    if isinstance(space, spaces.Tuple):
        return ", ".join(map(_part, space.spaces, observation))
    if isinstance(space, spaces.Text):
        return str(observation)
    if isinstance(space, spaces.Discrete):
        return str(int(observation))
    return _numbers(np.asarray(observation))


def _part(space: spaces.Space[Any], observation: Any) -> str:
    text = observation_text(space, observation)
    if isinstance(space, spaces.Dict):
        return "".join(f"\n  {line}" for line in text.split("\n"))
    return f"({text})" if isinstance(space, spaces.Tuple) else text


def _numbers(array: Any) -> str:
    if array.ndim == 0:
        return f"{array.item():.6g}" if array.dtype.kind == "f" else str(array.item())
    if array.ndim == 1:
        return f"[{', '.join(map(_numbers, array))}]"
    return "[" + "\n".join(map(_numbers, array)) + "]"


class TextAdapter(gym.Wrapper[str, str, Any, Any], RecordConstructorArgs):
    """Turns the observations and actions of a Gymnasium environment into text.

    FrozenLake, Taxi, CliffWalking, Blackjack and the environments of MiniGrid have
    texts of their own: maps, sentences and named actions. In other environments an
    action is a number, a list of numbers or JSON, and an observation is written as its
    numbers.

    A text that is not an action changes nothing: the environment is not stepped, the
    observation describes the format of actions, and the reward is 0.0. The same applies
    to ``check valid actions``, which is valid and lists the actions. These steps count:
    if the environment's spec has ``max_episode_steps``, the adapter truncates the
    episode after that many of its own steps.

    Added to info on step: ``action_valid: bool``, whether the text is an action (not
    whether the environment allows it), and ``feedback: str``, the problem with the
    text, "" for an action. On reset, ``goal: str`` is the mission in MiniGrid.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        observation_to_text: str | Callable[[Any], str] | None = None,
        text_to_action: str | Mapping[str, Any] | Callable[[str], Any] | None = None,
        instructions: bool = True,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            observation_to_text: A function that returns the text of an observation, or
                its name as ``"module:function"``; None for the default.
            text_to_action: A function of a text that returns the action, or raises
                ``ValueError`` with a description of what is wrong; or its name as
                ``"module:function"``; or a mapping of names to actions, each written
                as in JSON; None for the default.
            instructions: Whether the first observation of an episode begins with the
                task and the actions.

        Raises:
            TypeError: If an argument has another type, or a space has no text by
                default.
            ValueError: If an observation has too many numbers to be read, a function is
                not found, or a mapping is empty or contains a value that is not an
                action.
        """
        check_type("instructions", instructions, bool, "a bool")
        RecordConstructorArgs.__init__(
            self,
            observation_to_text=observation_to_text,
            text_to_action=text_to_action,
            instructions=instructions,
        )
        gym.Wrapper.__init__(self, env)
        self._words = words_of(env)
        self._observe = self._observer(observation_to_text)
        self._format = self._format_of(text_to_action)
        self._instructions = instructions
        self._cap = env.spec.max_episode_steps if env.spec else None
        self._steps = 0
        self.observation_space = FreeText()
        self.action_space = FreeText()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Reset the environment and return its first observation as text."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._steps = 0
        text = self._observe(observation)
        if self._instructions:
            text = "\n".join(filter(None, (self._introduction(), text)))
        if isinstance(observation, Mapping) and "mission" in observation:
            info = {"goal": str(observation["mission"]), **info}
        return text, info

    def step(
        self, action: str
    ) -> tuple[str, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment with the action that a text denotes.

        Raises:
            TypeError: If ``action`` is not a str, or ``text_to_action`` returns
                something that is not an action.
        """
        check_type("action", action, str, "a str")
        self._steps += 1
        if wants_help(action):
            return self._unchanged(self.help(), "")
        try:
            inner = self._format.read(action)
        except ValueError as error:
            why = f"{error}." if str(error)[-1:] not in (".", "!", "?") else str(error)
            why = " ".join(filter(None, (why, self.help())))
            return self._unchanged(why, why)
        observation, reward, terminated, truncated, info = self.env.step(inner)
        info = {**info, "action_valid": True, "feedback": ""}
        truncated = bool(truncated) or self._reached_cap()
        return self._observe(observation), reward, terminated, truncated, info

    def understands(self, action: str) -> bool:
        """Return whether a text is an action in any state."""
        if wants_help(action):
            return True
        try:
            self._format.read(action)
        except ValueError:
            return False
        return True

    def canonical_action(self, action: str) -> str:
        """Return one text for all texts of the same action; other texts unchanged."""
        if wants_help(action):
            return HELP
        try:
            return self._format.canonical(action)
        except ValueError:
            return action

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a random action as text.

        Raises:
            NotImplementedError: If ``text_to_action`` is a function.
        """
        return self._format.sample(rng)

    def help(self) -> str:
        """Return a sentence on the format of actions; "" if a function parses them."""
        description = self._format.description
        return f"An action is {description}." if description else ""

    def _unchanged(
        self, text: str, feedback: str
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        info = {"action_valid": not feedback, "feedback": feedback}
        return text, 0.0, False, self._reached_cap(), info

    def _reached_cap(self) -> bool:
        return self._cap is not None and self._steps >= self._cap

    def _introduction(self) -> str:
        return "\n".join(
            filter(None, (getattr(self._words, "introduction", ""), self.help()))
        )

    def _observer(
        self, given: str | Callable[[Any], str] | None
    ) -> Callable[[Any], str]:
        if given is not None:
            return resolve(given, "observation_to_text")
        if self._words is None:
            check_observable(self.env.observation_space)
            return _Observer(self.env.observation_space)
        return _WordsObserver(self._words, self.env)

    def _format_of(
        self, given: str | Mapping[str, Any] | Callable[[str], Any] | None
    ) -> ActionFormat:
        space = self.env.action_space
        if isinstance(given, Mapping):
            return _from_mapping(given, space)
        if given is not None:
            return Custom(resolve(given, "text_to_action"), space)
        if self._words is not None and isinstance(space, spaces.Discrete):
            return named(self._words, space)
        return Values(space)


class _Observer:
    """Formats observations of a space; unlike a closure, it can be pickled."""

    def __init__(self, space: spaces.Space[Any]) -> None:
        self._space = space

    def __call__(self, observation: Any) -> str:
        return observation_text(self._space, observation)


class _WordsObserver:
    """Formats observations of an environment that has its own words."""

    def __init__(self, words: Words, env: gym.Env[Any, Any]) -> None:
        self._words = words
        self._env = env

    def __call__(self, observation: Any) -> str:
        return self._words.observe(observation, self._env)


def _from_mapping(names: Mapping[str, Any], space: spaces.Space[Any]) -> Named:
    if not names:
        raise ValueError("text_to_action={} must name at least one action")
    actions = {}
    for name, value in names.items():
        check_type("text_to_action", name, str, "a mapping with names that are str")
        try:
            actions[name] = from_json(space, value)
        except ValueError as error:
            raise ValueError(f"text_to_action[{name!r}]: {error}") from error
    return Named(actions)
