"""Decide whether a recorded spec may be used without the caller's consent.

A spec names code to import and call, and a file can name anything. A spec is trusted if
this process has registered its environment, the environment declares the arguments
plain, and the wrappers are in :data:`_WRAPPERS`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec, WrapperSpec, load_env_creator

from aq_gym.support.arguments import names_module
from aq_gym.trajectory.codec import canonical, shown


class UntrustedError(ValueError):
    """Raised if a recorded spec may run code or read files, and is not trusted.

    Attributes:
        problem: The file and the part of its spec, as the beginning of a sentence.
        registered: Whether the environment is registered in this process.
    """

    def __init__(self, problem: str, registered: bool) -> None:
        """Describe what to do in Python."""
        super().__init__(
            f"{problem} and is not trusted to: give the environment (env=...) or, if "
            "you know who wrote the file, trust=True"
        )
        self.problem = problem
        self.registered = registered


# They write no files and take little memory. A pattern that a file gives to two of them
# has no time limit, as docs/security.md says.
_WRAPPERS = frozenset(
    {
        "aq_gym.adapters.text_adapter:TextAdapter",
        "aq_gym.wrappers.action_extraction:ExtractAction",
        "aq_gym.wrappers.repetition_rate:RepetitionRate",
        "aq_gym.wrappers.step_cap:StepCap",
        "aq_gym.wrappers.steps_to_go:StepsToGo",
        "aq_gym.wrappers.subgoal_progress:SubgoalProgress",
        "aq_gym.wrappers.success_reward:SuccessReward",
        "gymnasium.wrappers.common:OrderEnforcing",
        "gymnasium.wrappers.common:PassiveEnvChecker",
        "gymnasium.wrappers.common:RecordEpisodeStatistics",
        "gymnasium.wrappers.common:TimeLimit",
    }
)


def untrusted(spec: EnvSpec) -> str:
    """Return a description of the first untrusted part of a spec, or ""."""
    registered = gym.registry.get(spec.id)
    if registered is None:
        return f"the environment {spec.id!r}, which is not registered here,"
    if spec.entry_point != registered.entry_point:
        return (
            f"the entry point {spec.entry_point!r} for {spec.id!r}, which is "
            f"registered here with {registered.entry_point!r},"
        )
    return _untrusted_argument(spec, registered) or _untrusted_wrapper(spec, registered)


def _untrusted_argument(spec: EnvSpec, registered: EnvSpec) -> str:
    creator: Any = registered.entry_point
    if isinstance(creator, str):
        creator = load_env_creator(creator)
    parameters = inspect.signature(creator).parameters
    for name, value in spec.kwargs.items():
        known = [registered.kwargs[name]] if name in registered.kwargs else []
        if name in parameters:
            known.append(parameters[name].default)
        if canonical(value) not in map(canonical, known):
            found = _untrusted_value(creator, name, value)
            if found:
                return f"{found} for {spec.id}({name}=...)"
    return ""


def _untrusted_value(creator: Any, name: str, value: object) -> str:
    is_plain = getattr(creator, "is_plain_argument", None)
    if callable(is_plain):
        return "" if is_plain(name, value) else f"the argument {shown(value)}"
    # Other packages' environments do not declare their arguments.
    for reference in _references(value):
        return f"the function {reference!r}"
    for text in _texts(value):
        if os.sep in text or "/" in text or _exists(text):
            return f"the file {text!r:.200}"
    return ""


def _untrusted_wrapper(spec: EnvSpec, registered: EnvSpec) -> str:
    for wrapper in spec.additional_wrappers:
        if not any(_same(wrapper, known) for known in registered.additional_wrappers):
            found = _untrusted_in(wrapper)
            if found:
                return found
    return ""


def _same(wrapper: WrapperSpec, known: WrapperSpec) -> bool:
    """Return whether two wrapper specs are equal, up to omitted default arguments."""
    if (wrapper.name, wrapper.entry_point) != (known.name, known.entry_point):
        return False
    parameters = inspect.signature(load_env_creator(known.entry_point)).parameters
    defaults = {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.default is not parameter.empty
    }
    was, registered = ({**defaults, **(one.kwargs or {})} for one in (wrapper, known))
    return canonical(was) == canonical(registered)


def _untrusted_in(wrapper: WrapperSpec) -> str:
    if wrapper.entry_point not in _WRAPPERS:
        return f"the wrapper {wrapper.entry_point!r:.200}"
    for reference in _references(wrapper.kwargs):
        return f"the function {reference!r} for the wrapper {wrapper.name}"
    return ""


def _references(value: object) -> Iterator[str]:
    # A reference into aq_gym counts: "aq_gym.trajectory.replay:os.system" is os.system.
    return filter(names_module, _texts(value))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _exists(text: str) -> bool:
    try:
        return os.path.exists(text)
    except ValueError:  # The name contains a null character.
        return False
