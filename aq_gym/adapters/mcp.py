"""Servers of the Model Context Protocol as environments with third-party tools."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import Any, NamedTuple

from aq_gym.adapters.foreign import ForeignEnv, Reply
from aq_gym.core.text import quote
from aq_gym.support.arguments import check_type
from aq_gym.support.extras import load
from aq_gym.tools import (
    NO_DEFAULT,
    Call,
    Parameter,
    Tool,
    Toolbox,
    Unreadable,
    read_calls,
)

TOKEN = "AQ_GYM_MCP_TOKEN"
_SECONDS = 60.0


class McpStep(NamedTuple):
    """A call and its result, for a judge.

    Attributes:
        name: The tool.
        arguments: The arguments.
        result: The texts of the result.
        valid: False if the result is an error.
    """

    name: str
    arguments: dict[str, Any]
    result: str
    valid: bool


class McpEnv(ForeignEnv):
    """The tools of an MCP server, with your goal and your judge.

    Each episode has its own session; a server command is started for each episode. An
    action is a call in any form that :func:`aq_gym.tools.read_calls` reads; the first
    one is carried out. Servers may ignore the seed, so the environment is not declared
    deterministic.

    Added to info on reset and step: ``action_valid: bool``, and with a judge
    ``progress: float``, ``best_progress: float``, both from 0.0 to 1.0, and
    ``success: bool``. The reward is the rise of the best progress; progress 1.0 ends
    the episode.

    Args:
        server: A command, or the URL of streamable HTTP, whose token is read from the
            environment variable ``AQ_GYM_MCP_TOKEN``.
        goal: The task, in the first observation.
        judge: Returns the progress after the calls so far, 0.0 to 1.0; None for an
            environment without progress, which a step cap ends.

    Attributes:
        tools: The server's tools, after a reset.

    Raises:
        TypeError: If an argument has another type.
        gymnasium.error.DependencyNotInstalled: If the package mcp is not installed.
        ConnectionError: From ``reset``, if the server cannot be started or reached. If
            the server is lost or takes longer than a minute during a step, the episode
            ends with an error.
    """

    deterministic = False

    def __init__(
        self,
        server: str,
        goal: str = "",
        judge: Callable[[Sequence[McpStep]], float] | None = None,
    ) -> None:
        super().__init__()
        check_type("goal", goal, str, "a str")
        if judge is not None and not callable(judge):
            raise TypeError(f"judge={judge!r:.200} must be a function of the calls")
        load("mcp_types", "an MCP server", "mcp")
        self._server, self._goal, self._judge = server, goal, judge
        self._connection: _Connection | None = None
        self.tools = Toolbox([])

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self.close()
        self._connection = _Connection(self._server)
        self.tools = Toolbox(self._connection.tools())
        self._steps: list[McpStep] = []
        self._best = 0.0
        described = "\n".join(_described(one) for one in self.tools)
        text = f"{self._goal}\n\nThe tools are:\n{described}".lstrip()
        return text, self._info(True, self._progress())

    def _play(self, action: str) -> Reply:
        calls = read_calls(action)
        call = calls if isinstance(calls, Unreadable) else calls[0]
        if isinstance(call, Unreadable):
            reason = call.reason or "That is not a call of a tool."
            return self._reply(f"{reason} The tools are {', '.join(self._names())}.")
        tool = self.tools.find(call.name)
        if tool is None:
            known = ", ".join(self._names())
            return self._reply(f"There is no tool {quote(call.name)}: {known}.")
        assert self._connection is not None
        arguments = _named(tool, call)
        text, valid = self._connection.call(tool.name, arguments)
        self._steps.append(McpStep(tool.name, arguments, text, valid))
        return self._reply(text, valid)

    def _reply(self, text: str, valid: bool = False) -> Reply:
        before, progress = self._best, self._progress()
        info = self._info(valid, progress)
        return Reply(text, self._best - before, progress >= 1.0, False, info)

    def _progress(self) -> float:
        if self._judge is None:
            return 0.0
        progress = float(self._judge(self._steps))
        if not 0.0 <= progress <= 1.0:
            raise ValueError(f"judge returned {progress}: it must be from 0.0 to 1.0")
        self._best = max(self._best, progress)
        return progress

    def _info(self, valid: bool, progress: float) -> dict[str, Any]:
        info: dict[str, Any] = {"action_valid": valid}
        if self._judge is not None:
            info |= {"progress": progress, "best_progress": self._best}
            info["success"] = progress >= 1.0
        return info

    def _names(self) -> list[str]:
        return [one.name for one in self.tools]

    def close(self) -> None:
        """End the session."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class _ServersTool(Tool):
    """A tool with the schema that its server lists."""

    schema: dict[str, Any]

    def input_schema(self) -> dict[str, Any]:
        return self.schema


class _Connection:
    """A session with a server, in a thread with an event loop."""

    def __init__(self, server: str) -> None:
        try:
            self._open(server)
        except Exception as error:  # The transports raise anything.
            causes: BaseException = error
            while isinstance(causes, BaseExceptionGroup):
                causes = causes.exceptions[0]
            raise ConnectionError(
                f"the MCP server {server!r:.200} cannot be started or reached: {causes}"
            ) from error

    def _open(self, server: str) -> None:
        from anyio.from_thread import start_blocking_portal

        with ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal())
            session = self._portal.wrap_async_context_manager(_session(server))
            self._client = stack.enter_context(session)
            self._stack = stack.pop_all()

    def tools(self) -> list[Tool]:
        """Return the server's tools."""
        listed = self._portal.call(self._client.list_tools).tools
        return [_tool(one) for one in listed]

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """Return the text of a call's result, and False if it is an error."""
        from mcp import MCPError
        from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        try:
            result = self._portal.call(self._client.call_tool, name, arguments)
        except MCPError as error:
            if error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT):
                raise
            return str(error), False
        texts = (getattr(one, "text", f"[{one.type}]") for one in result.content)
        return "\n".join(texts), not result.is_error

    def close(self) -> None:
        """End the session, and the server process if a command started it."""
        self._stack.close()


@asynccontextmanager
async def _session(server: str) -> AsyncIterator[Any]:
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    if not server.startswith(("http://", "https://")):
        command, *rest = shlex.split(server)
        started = StdioServerParameters(command=command, args=rest)
        async with Client(started, read_timeout_seconds=_SECONDS) as client:
            yield client
        return
    token = os.environ.get(TOKEN, "")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=_SECONDS) as http:
        transport = streamable_http_client(server, http_client=http)
        async with Client(transport, read_timeout_seconds=_SECONDS) as client:
            yield client


def _tool(listed: Any) -> Tool:
    schema = dict(listed.input_schema)
    needed = schema.get("required", ())
    parameters = tuple(
        Parameter(name, Any, "", NO_DEFAULT if name in needed else None)
        for name in schema.get("properties", {})
    )
    made = _ServersTool(listed.name, listed.description or "", parameters, _never)
    made.schema = schema
    return made


def _never(world: object, **arguments: Any) -> None:
    raise NotImplementedError("a server's tool is called through its session")


def _described(tool: Tool) -> str:
    return f"{tool.name}: {tool.description}\n  {json.dumps(tool.input_schema())}"


def _named(tool: Tool, call: Call) -> dict[str, Any]:
    """Return the arguments by name; the server checks them."""
    names = (parameter.name for parameter in tool.parameters)
    return {**dict(zip(names, call.positional, strict=False)), **call.arguments}
