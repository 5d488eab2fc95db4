"""OpenEnv: a server for an environment, and a typed client.

With the extra ``openenv``::

    aq-gym serve aq/Mastermind-v0 --port 8000

serves it in OpenEnv's protocol. Any client of OpenEnv plays it; with the typed one::

    from aq_gym.integrations.openenv import TextAction, TextEnvClient

    with TextEnvClient(base_url="http://localhost:8000").sync() as env:
        result = env.reset(seed=0)
        result = env.step(TextAction(text="Guess: 1234"))

Importing this needs ``openenv``; the server also needs the requirements of OpenEnv's
own server.
"""

from __future__ import annotations

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.extras import pip_command

try:
    from aq_gym.integrations.openenv.client import (
        EpisodeState,
        TextAction,
        TextEnvClient,
        TextObservation,
    )
except ModuleNotFoundError as error:
    raise DependencyNotInstalled(
        f"{__name__} needs openenv: {pip_command('openenv')}"
    ) from error

__all__ = ["EpisodeState", "TextAction", "TextEnvClient", "TextObservation"]
