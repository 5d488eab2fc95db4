"""The server of ``aq-gym mcp``: tools, a resource and a prompt, over two transports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from aq_gym._version import __version__
from aq_gym.integrations.mcp_episode import Answer, ServedEpisode
from aq_gym.integrations.shared import in_thread
from aq_gym.server.access import LARGEST_BODY, Access
from aq_gym.server.asgi import App, Guard, Receive, Scope, Send, send_json

__all__ = ["PATH", "Sessions", "make_app", "serve_stdio"]

PATH = "/mcp"
_TASK = "aq-gym://task"
_PROMPT = "instructions"
_INSTRUCTIONS = "This server is one episode of a task. Call read_task first."
_SESSION = b"mcp-session-id"
_VERSION = b"mcp-protocol-version"
_T = TypeVar("_T")


class _Session:
    """An episode, made on the session's first request, and its lock."""

    def __init__(self) -> None:
        self.episode: ServedEpisode | None = None
        self.lock = asyncio.Lock()
        self.used = 0.0


class Sessions:
    """The episode of each session, by the session's id.

    Args:
        make: Makes the episode of a new session.
        idle: The seconds after which the episode of an unused session is closed.
    """

    def __init__(self, make: Callable[[], ServedEpisode], idle: float) -> None:
        self._make = make
        self._idle = idle
        self._sessions: dict[str, _Session] = {}

    async def use(self, session_id: str, function: Callable[[ServedEpisode], _T]) -> _T:
        """Call a function with a session's episode, in a thread.

        Args:
            session_id: The session; "" for the only one.
            function: The function. Two calls of one session never overlap.
        """
        await self._close_idle()
        session = self._sessions.setdefault(session_id, _Session())
        async with session.lock:
            session.used = _now()
            if session.episode is None:
                session.episode = await in_thread(self._make)
            try:
                return await in_thread(function, session.episode)
            finally:
                session.used = _now()

    async def close(self, session_id: str) -> None:
        """Close the episode of a session, if there is one."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            async with session.lock:
                if session.episode is not None:
                    await in_thread(session.episode.close)

    async def close_all(self) -> None:
        """Close every episode."""
        await _each(self.close, list(self._sessions))

    async def _close_idle(self) -> None:
        before = _now() - self._idle
        unused = [
            name
            for name, session in self._sessions.items()
            if session.used < before and not session.lock.locked()
        ]
        await _each(self.close, unused)


async def _each(function: Callable[[str], Awaitable[Any]], names: list[str]) -> None:
    for name in names:
        await function(name)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _server(sessions: Sessions) -> Server[Any]:
    """Return a server whose sessions each play one episode."""

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
        meta = None if answer.info is None else {"info": answer.info}
        return types.CallToolResult(
            content=[text], is_error=not answer.valid, _meta=meta
        )

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


async def serve_stdio(sessions: Sessions) -> None:
    """Serve one session over standard input and output.

    It returns when the input has ended and every request in it has been answered.

    Args:
        sessions: The episodes.
    """
    server = _server(sessions)
    async with stdio_server() as (source, sink), anyio.create_task_group() as group:
        relay = _Relay()
        send_in, reading = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ]()
        writing, receive_out = anyio.create_memory_object_stream[SessionMessage]()
        group.start_soon(relay.requests, source, send_in)
        group.start_soon(relay.answers, receive_out, sink)
        await server.run(reading, writing, server.create_initialization_options())


class _Relay:
    """Passes messages on, and keeps the input open until every request is answered.

    When its input ends, the SDK's server cancels the requests it has not answered yet.
    """

    def __init__(self) -> None:
        self._open: set[Any] = set()
        self._answered = anyio.Event()

    async def requests(self, source: Any, target: Any) -> None:
        """Pass on the messages of the client."""
        async with target:
            async for item in source:
                message: Any = getattr(item, "message", None)
                if isinstance(message, types.JSONRPCRequest):
                    self._open.add(message.id)
                elif getattr(message, "method", "") == "notifications/cancelled":
                    # A cancelled request gets no answer.
                    self._open.discard((message.params or {}).get("requestId"))
                await target.send(item)
            while self._open:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def answers(self, source: Any, target: Any) -> None:
        """Pass on the answers of the server."""
        async with target:
            async for item in source:
                await target.send(item)
                self._open.discard(getattr(item.message, "id", None))
                self._answered.set()


def make_app(
    sessions: Sessions, access: Access, max_sessions: int, idle: float
) -> Guard:
    """Return the guarded ASGI application for streamable HTTP.

    Args:
        sessions: The episodes.
        access: Which requests are allowed.
        max_sessions: The largest number of sessions at a time.
        idle: The seconds after which a session without a request ends.
    """
    app = _server(sessions).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        max_request_body_size=LARGEST_BODY,
        session_idle_timeout=idle,
        max_sessions=max_sessions,
        host="",  # The guard has already checked the host.
    )
    return Guard(_EpisodesOverHttp(app, sessions), access, writes=(PATH,))


class _EpisodesOverHttp:
    """Closes the episode of a session that its client ends.

    An episode needs a session, which the newest revision of the protocol does not have
    over HTTP. Requests of that revision get the error that makes clients fall back to
    the previous one.
    """

    def __init__(self, app: App, sessions: Sessions) -> None:
        self._app, self._sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.lower(): value for name, value in scope.get("headers", ())}
        version = headers.get(_VERSION, b"").decode("latin-1")
        if version and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await send_json(scope, send, HTTPStatus.BAD_REQUEST, _unsupported(version))
            return
        await self._app(scope, receive, send)
        if scope.get("method") == "DELETE":
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
    """Return the session id of a request, or "" where there is only one session."""
    request = ctx.request
    return "" if request is None else str(request.headers.get("mcp-session-id", ""))


def _encodable(text: str) -> str:
    """Return a text without lone surrogates, which have no UTF-8 encoding."""
    return text.encode(errors="replace").decode()
