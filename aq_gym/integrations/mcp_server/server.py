"""The server of ``aq-gym mcp``: tools, a resource and a prompt, over two transports."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from aq_gym._version import __version__
from aq_gym.integrations.access import LOCAL_NAMES, Refusal
from aq_gym.integrations.guard import App, Guard, Receive, Scope, Send, send_json
from aq_gym.integrations.listening import serve
from aq_gym.integrations.mcp_server.episode import Answer, ServedEpisode
from aq_gym.integrations.mcp_server.sessions import Sessions

__all__ = ["make_app", "make_server", "serve_http", "serve_stdio"]

PATH = "/mcp"
_TASK = "aq-gym://task"
_PROMPT = "instructions"
_INSTRUCTIONS = "This server is one episode of a task. Call read_task first."
_SESSION = b"mcp-session-id"
_VERSION = b"mcp-protocol-version"
_MOST_BYTES = 4 * 1024 * 1024


def make_server(sessions: Sessions) -> Server[Any]:
    """Return a server whose sessions each play one episode.

    Args:
        sessions: The episodes.
    """

    @contextlib.asynccontextmanager
    async def lifespan(server: Server[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await sessions.close_all()

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        tools = await sessions.use(_session(ctx), ServedEpisode.tools)
        listed = [types.Tool.model_validate(tool) for tool in tools]
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        def call(episode: ServedEpisode) -> Answer:
            return episode.call(params.name, params.arguments or {})

        answer = await sessions.use(_session(ctx), call)
        text = types.TextContent(type="text", text=_encodable(answer.text))
        return types.CallToolResult(content=[text], is_error=not answer.valid)

    async def list_resources(ctx: Any, params: Any) -> types.ListResourcesResult:
        task = types.Resource(uri=_TASK, name="task", mime_type="text/plain")
        return types.ListResourcesResult(resources=[task])

    async def read_resource(
        ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        if str(params.uri) != _TASK:
            raise ValueError(f"uri={str(params.uri)!r:.200} must be {_TASK}")
        text = await sessions.use(_session(ctx), lambda one: one.task_text)
        content = types.TextResourceContents(
            uri=_TASK, text=_encodable(text), mime_type="text/plain"
        )
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(ctx: Any, params: Any) -> types.ListPromptsResult:
        prompt = types.Prompt(name=_PROMPT, description="How to play, and the task.")
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(
        ctx: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name != _PROMPT:
            raise ValueError(f"name={params.name!r:.200} must be {_PROMPT}")
        text = await sessions.use(_session(ctx), lambda one: one.task_text)
        content = types.TextContent(type="text", text=_encodable(text))
        message = types.PromptMessage(role="user", content=content)
        return types.GetPromptResult(messages=[message])

    return Server(
        "aq-gym",
        version=__version__,
        instructions=_INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one session over standard input and output, until the input ends.

    Args:
        server: The server.
    """
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def make_app(
    server: Server[Any],
    sessions: Sessions,
    token: str,
    *,
    most: int = 32,
    idle: float = 1800.0,
    host: str | None = "127.0.0.1",
) -> Guard:
    """Return the ASGI application for streamable HTTP.

    Args:
        server: The server.
        sessions: Its episodes.
        token: The token that each request needs.
        most: The largest number of sessions at a time.
        idle: The seconds after which a session without a request ends.
        host: The host that requests must name, besides those of this machine; None for
            any.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        max_request_body_size=_MOST_BYTES,
        session_idle_timeout=idle,
        max_sessions=most,
        host="",  # The guard has checked it.
    )
    hosts = None if host is None else (*LOCAL_NAMES, host)
    return SessionGuard(app, sessions, token, hosts)


def serve_http(
    app: Guard, bound: socket.socket, most: int, announce: Callable[[], None]
) -> None:
    """Serve sessions over streamable HTTP until SIGINT or SIGTERM.

    Args:
        app: The application.
        bound: The socket.
        most: The most sessions at a time.
        announce: Called when connections are accepted.
    """
    serve(app, bound, most, announce)


class SessionGuard(Guard):
    """Forwards requests of sessions, and closes the episode of a session that ends.

    The newest revision of the protocol has no sessions over HTTP, and an episode needs
    one: its requests get the error that makes clients fall back to the previous
    revision.

    Args:
        app: The application.
        sessions: The episodes.
        token: The token.
        hosts: The hosts that a request may name, without port; None for any.
    """

    def __init__(
        self,
        app: App,
        sessions: Sessions,
        token: str,
        hosts: tuple[str, ...] | None,
    ) -> None:
        super().__init__(app, token, hosts)
        self._sessions = sessions

    def refuse_route(self, scope: Scope) -> Refusal | None:
        """Return the refusal of a route that the server lacks, or None."""
        if scope["type"] == "http" and scope["path"] == PATH:
            return None
        return Refusal(HTTPStatus.NOT_FOUND, f"sessions are at {PATH}, over HTTP")

    async def forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        version = headers.get(_VERSION, b"").decode("latin-1")
        if version and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await send_json(scope, send, HTTPStatus.BAD_REQUEST, _unsupported(version))
            return
        await self.app(scope, receive, send)
        if scope["method"] == "DELETE":
            await self._sessions.close(headers.get(_SESSION, b"").decode("latin-1"))


def _unsupported(version: str) -> dict[str, Any]:
    error = types.UnsupportedProtocolVersionErrorData(
        supported=list(HANDSHAKE_PROTOCOL_VERSIONS), requested=version
    )
    return {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": types.UNSUPPORTED_PROTOCOL_VERSION,
            "message": "Unsupported protocol version",
            "data": error.model_dump(by_alias=True),
        },
    }


def _session(ctx: Any) -> str:
    """Return the id of the session of a request, "" where there is only one."""
    request = ctx.request
    return "" if request is None else str(request.headers.get("mcp-session-id", ""))


def _encodable(text: str) -> str:
    """Return a text without lone surrogates, which JSON cannot carry as UTF-8."""
    return text.encode(errors="replace").decode()
