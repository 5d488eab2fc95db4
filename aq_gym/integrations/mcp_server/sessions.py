"""The episodes of a server's sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from aq_gym.integrations.blocking import in_thread
from aq_gym.integrations.mcp_server.episode import ServedEpisode

_T = TypeVar("_T")


class _Session:
    """An episode, made on the session's first request, and its lock."""

    def __init__(self) -> None:
        self.episode: ServedEpisode | None = None
        self.lock = asyncio.Lock()
        self.used = 0.0


class Sessions:
    """An episode for each session, by the session's id.

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
        """Close the episode of a session; there may be none."""
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
