"""Functions that several integrations share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from aq_gym.episode import Episode

__all__ = ["begin_episode", "in_thread", "number_metrics"]

_NUMBERS = ("success", "progress_rate", "repetition_rate", "grounding", "steps")
_P = ParamSpec("_P")
_T = TypeVar("_T")


def begin_episode(record: Mapping[str, Any], **how: Any) -> Episode:
    """Begin the episode of a task.

    Args:
        record: The task as :meth:`aq_gym.evaluation.Task.to_record` returns it.
        **how: Further arguments of :class:`aq_gym.Episode`, such as ``prompting``.
    """
    return Episode(
        record["id"],
        record["kwargs"],
        record["seed"],
        record["max_steps"],
        progress=record.get("progress", "progress"),
        max_invalid=record.get("max_invalid"),
        **how,
    )


def number_metrics(episode: Episode) -> dict[str, float]:
    """Return the metrics of an episode that are numbers."""
    metrics = episode.metrics
    return {
        name: float(metrics[name]) for name in _NUMBERS if metrics[name] is not None
    }


async def in_thread(
    function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Call a function in a thread, and wait until it returns even if cancelled.

    An environment must not be closed while a thread is still inside its step, so a
    cancellation is raised only afterwards.

    Args:
        function: The function.
        *args: Its arguments.
        **kwargs: Its keyword arguments.

    Returns:
        The result of the function.
    """
    call = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    cancelled: asyncio.CancelledError | None = None
    while not call.done():
        try:
            await asyncio.wait([call])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return call.result()
