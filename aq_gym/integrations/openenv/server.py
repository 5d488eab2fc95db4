"""The application of ``aq-gym serve``."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig, ServerMode

from aq_gym.evaluation.task import Task
from aq_gym.integrations import listening
from aq_gym.integrations.access import LOCAL_NAMES
from aq_gym.integrations.openenv.environment import Served, SessionEnvironment
from aq_gym.integrations.openenv.gate import Gate
from aq_gym.integrations.openenv.models import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.openenv.session import Limits
from aq_gym.selection import parse_env

__all__ = ["Limits", "Served", "make_app", "make_space", "serve_space"]

_LIMITS = Limits()


def make_app(
    served: Served, limits: Limits, token: str = "", host: str | None = None
) -> Gate:
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


def make_space(settings: Sequence[str], limits: Limits = _LIMITS) -> Gate:
    """Return the ASGI application of a Space, which anyone can reach.

    It has OpenEnv's page at ``/web``, and ``reset`` takes ``env``, one of the ids, and
    ``arguments`` of its constructor that name no file and no code.

    Args:
        settings: Environments with arguments, ``ID?key=value``; the first is the one
            of a reset without ``env``.
        limits: The limits of a session.
    """
    # It needs gradio, which the server of a trainer does not.
    from openenv.core.env_server.web_interface import create_web_interface_app

    chosen = map(parse_env, settings)
    tasks = [Task(env_id, 0, kwargs) for env_id, kwargs in chosen]
    served = Served(tasks[0], choices=tasks)
    app = create_web_interface_app(
        functools.partial(SessionEnvironment, served),
        TextAction,
        TextObservation,
        env_name="aq_gym",
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=limits.sessions),
        state_cls=EpisodeState,
        mode=ServerMode.SIMULATION,
    )
    return Gate(app, limits, web=True)


def serve_space(app: Gate, limits: Limits = _LIMITS) -> None:
    """Serve a Space to everyone until SIGTERM, as ``aq-gym serve`` does.

    The port is that of the environment variable ``PORT``, by default 8000.

    Args:
        app: What :func:`make_space` returned.
        limits: The limits that it was given.
    """
    bound = listening.bind("0.0.0.0", int(os.environ.get("PORT") or 8000))

    def announce() -> None:
        sys.stdout.write(f"{listening.address(bound)}\n")
        sys.stdout.flush()

    message = limits.message
    listening.serve(app, bound, limits.sessions, announce, longest_message=message)
