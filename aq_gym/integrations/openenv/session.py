"""Limit the time and the messages of a session."""

from __future__ import annotations

import asyncio
import json
from typing import NamedTuple

from aq_gym.integrations.guard import App, Message, Receive, Scope, Send
from aq_gym.integrations.openenv.messages import Problem, problem_of

# The status of a WebSocket that an endpoint closes because it goes away.
_GOING_AWAY = 1001
# The seconds in which a client must receive an answer.
_REPLY = 30.0


class Limits(NamedTuple):
    """The limits of a server.

    Attributes:
        sessions: The largest number of sessions at a time.
        idle: The seconds after which a session without a message ends.
        age: The seconds after which a session ends, after the step that is running.
        message: The longest message from a client, in bytes.
    """

    sessions: int = 32
    idle: float = 1800.0
    age: float = 86400.0
    message: int = 16 * 1024 * 1024


async def bound(
    app: App, limits: Limits, scope: Scope, receive: Receive, send: Send
) -> None:
    """Serve a WebSocket under the limits.

    Args:
        app: The application that plays the session.
        limits: The limits.
        scope: The connection, as ASGI describes it.
        receive: Returns the next event of the connection.
        send: Sends an event.
    """
    session = _Session(limits, receive, send)
    try:
        await app(scope, session.receive, session.send)
    except RuntimeError:
        # OpenEnv tries to send the error to a client that is gone.
        if not session.ended:
            raise


class _Session:
    """The events that the application receives and sends in a session.

    Attributes:
        ended: Whether the time is over, or the client is gone.
    """

    def __init__(self, limits: Limits, receive: Receive, send: Send) -> None:
        self._limits = limits
        self._receive, self._send = receive, send
        self._end = asyncio.get_running_loop().time() + limits.age
        self.ended = False

    async def receive(self) -> Message:
        """Return the next event, skipping invalid messages.

        The client gets an error for each of these. When the time is up, the client is
        told and the connection is closed.
        """
        while True:
            left = self._end - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(max(0.0, min(left, self._limits.idle))):
                    message = await self._receive()
            except TimeoutError:
                return await self._expire(left)
            problem = None
            if message["type"] == "websocket.receive":
                problem = problem_of(message.get("text"))
            if problem is None:
                return message
            await self._report(problem)

    async def send(self, message: Message) -> None:
        """Send an event.

        Raises:
            OSError: If the client does not take it in time, or is gone.
        """
        if self.ended:
            return
        try:
            async with asyncio.timeout(_REPLY):
                await self._send(message)
        except OSError:
            self.ended = True
            raise

    async def _expire(self, left: float) -> Message:
        limits = self._limits
        problem = f"the session was idle for {limits.idle:g} seconds and has ended"
        if left <= limits.idle:
            problem = f"the session has ended after {limits.age:g} seconds"
        closing: Message = {"type": "websocket.close", "code": _GOING_AWAY}
        try:
            await self._report(Problem("SESSION_ERROR", f"{problem}: connect again"))
            await self.send({**closing, "reason": problem})
        except OSError:
            # The client is gone, or does not read.
            pass
        self.ended = True
        return {"type": "websocket.disconnect", "code": _GOING_AWAY}

    async def _report(self, problem: Problem) -> None:
        error = {"type": "error", "data": problem._asdict()}
        await self.send({"type": "websocket.send", "text": json.dumps(error)})
