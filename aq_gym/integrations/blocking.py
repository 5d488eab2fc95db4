"""Calls that block, from coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["in_thread"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def in_thread(
    function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Call a function in a thread, and wait until it returns even if cancelled.

    An environment must not be closed while a thread is still inside of its step, so the
    cancellation is raised only afterwards.

    Args:
        function: The function.
        *args: Its arguments.
        **kwargs: Its keyword arguments.

    Returns:
        What the function returns.
    """
    loop = asyncio.get_running_loop()
    # A future and not a task: a loop that is closed cancels all of its tasks.
    running = loop.run_in_executor(None, lambda: function(*args, **kwargs))
    cancelled: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait([running])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        # So that it counts as retrieved.
        running.exception()
        raise cancelled
    return running.result()
