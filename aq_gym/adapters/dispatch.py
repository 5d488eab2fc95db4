"""Make an environment of another package, or wrap one, with text spaces."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import DependencyNotInstalled

from aq_gym.adapters.browsergym import BrowserGymAdapter
from aq_gym.adapters.foreign import ForeignEnv
from aq_gym.adapters.mcp import McpEnv
from aq_gym.adapters.packages import GemEnv, SkyRLEnv, TextArenaEnv
from aq_gym.adapters.text_adapter import TextAdapter
from aq_gym.adapters.textworld import TextWorldEnv
from aq_gym.support.arguments import check_type, resolve

# The classes that identify each package's environments, by name, so that none is
# imported.
_BASES = {
    "textarena.core:Env": "textarena",
    "gem.core:Env": "gem",
    "skyrl_gym.core:Env": "skyrl",
    "textworld.gym.envs.textworld_batch:TextworldBatchGymEnv": "textworld",
    "browsergym.core.env:BrowserEnv": "browsergym",
}
_ADAPTERS: dict[str, Callable[[Any], ForeignEnv]] = {
    "textarena": TextArenaEnv,
    "gem": GemEnv,
    "textworld": TextWorldEnv,
    "browsergym": BrowserGymAdapter,
}


def adapt(
    env: Any,
    prompt: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    deterministic: bool | None = None,
) -> gym.Env[str, str]:
    """Wrap an environment of another package so that its observations are text.

    An environment of Gymnasium becomes a :class:`TextAdapter`, unless its observations
    and actions are text already; one of TextArena, GEM, SkyRL-gym, TextWorld
    or BrowserGym is recognized by its class.

    An environment given by name has a spec, so that its trajectories can be replayed.
    ``"aq_gym.adapters:adapt"`` can be the entry point of an id::

        gym.register(
            "arena/GuessTheNumber-v0",
            "aq_gym.adapters:adapt",
            kwargs={"env": "textarena:GuessTheNumber-v0"},
        )

    Args:
        env: The environment, or its name: ``"textarena:ID"``, ``"gem:ID"``,
            ``"skyrl:ID"``, ``"textworld:FILE"``, ``"browsergym:ID"``,
            ``"mcp:COMMAND"`` or ``"mcp:URL"`` with the arguments of :class:`McpEnv`
            (``judge`` can be ``"module:function"``), or an id of Gymnasium.
        prompt: The question of an environment of SkyRL-gym, and None for others.
        arguments: The arguments of the constructor of an environment given by name.
        deterministic: Whether the same seed and actions give the same episode; None for
            what the package's adapter declares. It becomes the environment's attribute
            ``deterministic`` and, negated, its spec's ``nondeterministic``; an
            environment that is not deterministic is not replayed. For an environment of
            Gymnasium this must be None, because its spec already says it.

    Raises:
        TypeError: If ``env`` is of a kind that is not recognized.
        ValueError: If ``prompt``, ``arguments`` or ``deterministic`` do not apply to
            ``env``.
        gymnasium.error.DependencyNotInstalled: If the package is not installed.
    """
    if isinstance(env, str):
        return _named(env, prompt, dict(arguments or {}), deterministic)
    if arguments:
        raise ValueError(f"arguments={arguments!r} need env to be given by name")
    if isinstance(env, gym.Env) and _kind(env) is None:
        _refuse_prompt(prompt, env)
        if deterministic is not None:
            raise ValueError(
                f"deterministic={deterministic!r} does not apply to {env}: register it "
                "with nondeterministic=..."
            )
        texts = isinstance(env.observation_space, gym.spaces.Text)
        texts = texts and isinstance(env.action_space, gym.spaces.Text)
        return env if texts else TextAdapter(env)
    return _declared(_wrapped(env, prompt), deterministic)


def _named(
    name: str,
    prompt: str | None,
    arguments: dict[str, Any],
    deterministic: bool | None,
) -> gym.Env[str, str]:
    kind, _, inner = name.partition(":")
    if kind not in MAKERS or not inner:
        return adapt(gym.make(name, **arguments), prompt, deterministic=deterministic)
    made = _wrapped(MAKERS[kind](inner, arguments), prompt)
    _declared(made, deterministic)
    kwargs: dict[str, Any] = {"env": name, "prompt": prompt, "arguments": arguments}
    if deterministic is not None:
        kwargs["deterministic"] = deterministic
    made.spec = EnvSpec(
        f"{kind}/{re.sub(r'[^A-Za-z0-9_.-]', '-', inner)}",
        entry_point="aq_gym.adapters:adapt",
        nondeterministic=not made.deterministic,
        kwargs=kwargs,
    )
    return made


def _declared(env: ForeignEnv, deterministic: bool | None) -> ForeignEnv:
    if deterministic is not None:
        check_type("deterministic", deterministic, bool, "a bool or None")
        env.deterministic = deterministic
    return env


def _kind(env: Any) -> str | None:
    """Return the package of an environment, or None if it is not supported."""
    base = env.unwrapped if isinstance(env, gym.Env) else env
    bases = [f"{cls.__module__}:{cls.__qualname__}" for cls in type(base).__mro__]
    return next((_BASES[base] for base in bases if base in _BASES), None)


def _wrapped(env: Any, prompt: str | None) -> ForeignEnv:
    kind = _kind(env)
    if kind == "skyrl":
        return SkyRLEnv(env, "" if prompt is None else prompt)
    _refuse_prompt(prompt, env)
    if isinstance(env, McpEnv):
        return env
    if kind is not None:
        return _ADAPTERS[kind](env)
    raise TypeError(
        f"env={env!r:.200} must be an environment of Gymnasium, TextArena, GEM, "
        "SkyRL-gym, TextWorld or BrowserGym, or a name"
    )


def _refuse_prompt(prompt: str | None, env: Any) -> None:
    if prompt is not None:
        raise ValueError(f"prompt={prompt!r:.200} does not apply to {env}")


# The name of each package on PyPI.
_PIP = {
    "textarena": "textarena",
    "gem": "gem-llm",
    "skyrl_gym": "skyrl-gym",
    "textworld": "textworld",
}


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # Each of BrowserGym's families is a package, such as browsergym-webarena.
        project = _PIP.get(name, name.replace(".", "-"))
        raise DependencyNotInstalled(
            f"{name} cannot be imported ({error}): pip install {project}"
        ) from error


def _make(package: str, name: str, arguments: dict[str, Any]) -> Any:
    return _package(package).make(name, **arguments)


def _make_textworld(path: str, arguments: dict[str, Any]) -> Any:
    textworld = _package("textworld")
    games = importlib.import_module("textworld.gym")
    wanted = {"max_score": True, "won": True, "lost": True, "admissible_commands": True}
    infos = textworld.EnvInfos(**wanted)
    if re.fullmatch(r"\.z[1-8]", Path(path).suffix):
        story = importlib.import_module("aq_gym.adapters.textworld_story")
        arguments = story.story_arguments(path, infos, arguments)
    return games.make(games.register_game(path, infos, **arguments))


def _make_browsergym(name: str, arguments: dict[str, Any]) -> Any:
    _package("browsergym.core")
    family = name.partition(".")[0]
    if "." in name:
        _package(f"browsergym.{family}")
    return gym.make(f"browsergym/{name}", **arguments)


def _make_mcp(server: str, arguments: dict[str, Any]) -> McpEnv:
    judge = arguments.get("judge")
    if isinstance(judge, str):
        arguments = {**arguments, "judge": resolve(judge, "judge")}
    return McpEnv(server, **arguments)


MAKERS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "textarena": partial(_make, "textarena"),
    "gem": partial(_make, "gem"),
    "skyrl": partial(_make, "skyrl_gym"),
    "textworld": _make_textworld,
    "browsergym": _make_browsergym,
    "mcp": _make_mcp,
}
