"""Make blocking calls from coroutines."""

from __future__ import annotations

import _thread
import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
# Seconds between two checks of a thread after a cancellation.
_PAUSE = 0.05


async def in_thread(
    function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Call a function in a thread, and wait until it returns even if cancelled.

    An environment must not be closed while a thread is still inside its step, so the
    cancellation is raised only afterwards.

    Args:
        function: The function.
        *args: Its arguments.
        **kwargs: Its keyword arguments.

    Returns:
        The result of the function.
    """
    loop = asyncio.get_running_loop()
    returned: list[_T] = []
    raised: list[BaseException] = []
    ended = loop.create_future()

    def call() -> None:
        try:
            returned.append(function(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 (raised where it is awaited)
            raised.append(error)
        with suppress(RuntimeError):  # The loop may be closed.
            loop.call_soon_threadsafe(_end, ended)

    # A KeyboardInterrupt in the main thread can leave a lock of `threading` and of its
    # executors locked forever, and the cleanup that follows would wait for it.
    _thread.start_new_thread(call, ())
    cancelled: asyncio.CancelledError | None = None
    while not (returned or raised):
        try:
            # An interrupt may have lost the notice of the end, so the thread is
            # checked.
            await asyncio.wait([ended], timeout=_PAUSE if cancelled else None)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    if raised:
        raise raised[0]
    return returned[0]


def _end(ended: asyncio.Future[None]) -> None:
    if not ended.done():
        ended.set_result(None)
