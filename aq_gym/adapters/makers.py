"""Make an environment of another package by its name there."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.error import DependencyNotInstalled

__all__ = ["MAKERS"]

# The name of each package for pip.
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


MAKERS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "textarena": _make_textarena,
    "gem": _make_gem,
    "skyrl": _make_skyrl,
    "textworld": _make_textworld,
    "browsergym": _make_browsergym,
}
