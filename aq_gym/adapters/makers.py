"""Make an environment of another package by its name there."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

import gymnasium as gym
from gymnasium.error import DependencyNotInstalled

__all__ = ["MAKERS"]

_JAVA_OPTIONS = "JDK_JAVA_OPTIONS"
_INSERTION_ORDER = "-Xmx1g -XX:+UnlockExperimentalVMOptions -XX:hashCode=2"
# The name of each package for pip.
_PIP = {
    "textarena": "textarena",
    "gem": "gem-llm",
    "skyrl_gym": "skyrl-gym",
    "textworld": "textworld",
    "scienceworld": "scienceworld",
}


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # BrowserGym's families are packages of their own, such as browsergym-webarena.
        project = _PIP.get(name, name.replace(".", "-"))
        raise DependencyNotInstalled(
            f"{name} cannot be imported ({error}): pip install {project}"
        ) from error


def _make_textarena(name: str, arguments: dict[str, Any]) -> Any:
    return _package("textarena").make(name, **arguments)


def _make_gem(name: str, arguments: dict[str, Any]) -> Any:
    return _package("gem").make(name, **arguments)


def _make_skyrl(name: str, arguments: dict[str, Any]) -> Any:
    return _package("skyrl_gym").make(name, **arguments)


def _make_textworld(path: str, arguments: dict[str, Any]) -> Any:
    textworld = _package("textworld")
    games = importlib.import_module("textworld.gym")
    wanted = {"max_score": True, "won": True, "lost": True, "admissible_commands": True}
    infos = textworld.EnvInfos(**wanted)
    return games.make(games.register_game(path, infos, **arguments))


def _make_scienceworld(task: str, arguments: dict[str, Any]) -> Any:
    package = _package("scienceworld")
    others = {**arguments}
    variation = others.pop("variation", 0)
    simplifications = others.pop("simplifications", "")
    before = os.environ.get(_JAVA_OPTIONS)
    # It orders objects by their hashes, which the virtual machine otherwise draws.
    os.environ[_JAVA_OPTIONS] = f"{before or ''} {_INSERTION_ORDER}"
    try:
        made = package.ScienceWorldEnv("", **others)
    finally:
        del os.environ[_JAVA_OPTIONS]
        os.environ.update({} if before is None else {_JAVA_OPTIONS: before})
    made.load(task, variation, simplifications)
    return made


def _make_browsergym(name: str, arguments: dict[str, Any]) -> Any:
    _package("browsergym.core")
    family = name.partition(".")[0]
    if "." in name:
        _package(f"browsergym.{family}")
    return gym.make(f"browsergym/{name}", **arguments)


MAKERS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "textarena": _make_textarena,
    "gem": _make_gem,
    "skyrl": _make_skyrl,
    "textworld": _make_textworld,
    "scienceworld": _make_scienceworld,
    "browsergym": _make_browsergym,
}
