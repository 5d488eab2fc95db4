"""The application of ``aq-gym serve``."""

from __future__ import annotations

import functools

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig, ServerMode

from aq_gym.integrations.access import LOCAL_NAMES
from aq_gym.integrations.guard import App
from aq_gym.integrations.openenv.environment import Served, SessionEnvironment
from aq_gym.integrations.openenv.gate import Gate
from aq_gym.integrations.openenv.models import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.openenv.session import Limits

__all__ = ["Limits", "Served", "make_app"]


def make_app(
    served: Served, limits: Limits, token: str = "", host: str | None = None
) -> App:
    """Return the ASGI application.

    Args:
        served: What it serves.
        limits: The limits.
        token: The token that each request needs, "" for none.
        host: The host that requests must name, for a server that can be reached only
            from this machine; None for any name.
    """
    app = create_fastapi_app(
        functools.partial(SessionEnvironment, served),
        TextAction,
        TextObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=limits.sessions),
        env_name=served.task.id.rpartition("/")[2],
        state_cls=EpisodeState,
        mode=ServerMode.SIMULATION,
    )
    hosts = None if host is None else (*LOCAL_NAMES, host)
    return Gate(app, limits, token, hosts)
