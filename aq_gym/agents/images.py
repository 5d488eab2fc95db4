"""Requests with the picture of the environment's current state."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Literal

import gymnasium as gym

from aq_gym.core.raster import png_file, require_rasteriser
from aq_gym.models.messages import Message, message

Observe = Literal["text", "image"]

_AFTER_CALLS = "The picture of the present state:"


def check_pictures(env: gym.Env[Any, Any]) -> None:
    """Raise an error if an environment cannot be drawn.

    Raises:
        ValueError: If the environment has no pictures.
        gymnasium.error.DependencyNotInstalled: If the extra ``pictures`` is missing.
    """
    modes = env.metadata.get("render_modes", ())
    if "rgb_array" not in modes or not env.has_wrapper_attr("image"):
        raise ValueError("observe='image': this environment has no pictures")
    require_rasteriser()


def with_picture(messages: Sequence[Message], env: gym.Env[Any, Any]) -> list[Message]:
    """Return messages that end with the picture of the current state.

    The result of a call can have no image, so a user's message follows it.

    Args:
        messages: The messages of a request.
        env: The environment.
    """
    file = png_file(env.get_wrapper_attr("image")())
    images = [f"data:image/png;base64,{base64.b64encode(file).decode()}"]
    last = messages[-1]
    if last["role"] == "tool":
        return [*messages, message("user", _AFTER_CALLS, images=images)]
    return [*messages[:-1], message(last["role"], last["content"], images=images)]
