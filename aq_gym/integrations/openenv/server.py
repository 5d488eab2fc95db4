"""The application of ``aq-gym serve``, and the application of a Space."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig, ServerMode

from aq_gym.evaluation.task import Task
from aq_gym.integrations.openenv.client import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.openenv.environment import Served, SessionEnvironment
from aq_gym.selection import parse_env
from aq_gym.server import asgi
from aq_gym.server.access import Access

__all__ = ["Limits", "Served", "make_app", "make_space", "serve_space"]

# The status code "going away" of a closed WebSocket.
_GOING_AWAY = 1001
# The routes that the page of a Space uses; other routes of gradio would write files.
_PAGE_WRITES = ("/web/reset", "/web/step", "/web/gradio_api/queue/join")


_NO_TOOLS = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {
        "code": -32601,
        "message": "this server has no MCP tools: `aq-gym mcp` serves them",
    },
}


class Limits(NamedTuple):
    """The limits of a server.

    Attributes:
        sessions: The largest number of sessions at a time.
        idle: The seconds after which a session without a message ends.
    """

    sessions: int = 32
    idle: float = 1800.0


_LIMITS = Limits()


def make_app(served: Served, access: Access, limits: Limits = _LIMITS) -> asgi.Guard:
    """Return the guarded ASGI application.

    ``/health``, which says only that the server runs, needs no token. Episodes are
    played over the WebSocket, one session for each connection. Over HTTP there are no
    sessions, so POST is refused, except at ``/mcp``.

    Args:
        served: The environment that it serves.
        access: Which requests are allowed.
        limits: The limits.
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
    app = _without_mcp(_ending_idle(app, limits.idle))
    return asgi.Guard(app, access, public="/health", writes=("/mcp",))


def make_space(settings: Sequence[str]) -> asgi.Guard:
    """Return the ASGI application of a Space, which anyone can reach.

    It has OpenEnv's page at ``/web``, and ``reset`` takes ``env``, one of the settings.

    Args:
        settings: Environments with arguments, ``ID?key=value``; a reset without ``env``
            uses the first.
    """
    # Imported here because it needs gradio, which a trainer's server does not.
    from openenv.core.env_server.web_interface import create_web_interface_app

    chosen = map(parse_env, settings)
    tasks = [Task(env_id, 0, kwargs) for env_id, kwargs in chosen]
    served = Served(tasks[0], choices=tasks)
    app = create_web_interface_app(
        functools.partial(SessionEnvironment, served),
        TextAction,
        TextObservation,
        env_name="aq_gym",
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=_LIMITS.sessions),
        state_cls=EpisodeState,
        mode=ServerMode.SIMULATION,
    )
    access = Access("", None, own_pages=True)
    return asgi.Guard(_ending_idle(app, _LIMITS.idle), access, writes=_PAGE_WRITES)


def serve_space(app: asgi.Guard) -> None:
    """Serve a Space to everyone until SIGTERM, as ``aq-gym serve`` does.

    The port is read from the environment variable ``PORT``; the default is 8000.

    Args:
        app: The application that :func:`make_space` returned.
    """
    bound = asgi.bind("0.0.0.0", int(os.environ.get("PORT") or 8000))

    def announce() -> None:
        sys.stdout.write(f"{asgi.address(bound)}\n")
        sys.stdout.flush()

    asgi.serve(app, bound, _LIMITS.sessions, announce)


def _without_mcp(app: asgi.App) -> asgi.App:
    """Return an application whose ``/mcp`` lists no tools and opens no sessions.

    OpenEnv's validation requires an answer at that route, but sessions there would
    never end.
    """

    async def refusing(
        scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send
    ) -> None:
        if scope["type"] == "http" and scope["path"] == "/mcp":
            await asgi.send_json(scope, send, HTTPStatus.OK, _NO_TOOLS)
        else:
            await app(scope, receive, send)

    return refusing


def _ending_idle(app: asgi.App, idle: float) -> asgi.App:
    """Return an application that ends a session after too long without a message."""

    async def ending(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        async def receive_in_time() -> asgi.Message:
            try:
                async with asyncio.timeout(idle):
                    return await receive()
            except TimeoutError:
                reason = f"no message for {idle:g} seconds: connect again"
                close = {"type": "websocket.close", "code": _GOING_AWAY}
                await send({**close, "reason": reason})
                return {"type": "websocket.disconnect", "code": _GOING_AWAY}

        in_time = receive_in_time if scope["type"] == "websocket" else receive
        await app(scope, in_time, send)

    return ending
