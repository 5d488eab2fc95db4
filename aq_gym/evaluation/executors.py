"""Where episodes are played: here, in threads, in processes, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from typing import Any

from gymnasium.error import DependencyNotInstalled

__all__ = ["ENGINES", "InlineExecutor", "RayExecutor", "make_executor", "worker_died"]


class InlineExecutor(Executor):
    """Plays at once, in this process."""

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Call the function now; what it raises goes into the future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (an executor hands on what was raised)
            future.set_exception(error)
        return future


class RayExecutor(Executor):
    """Plays on a Ray cluster: the one that runs, or else one on this machine.

    Args:
        workers: How many processes a cluster of our own has.

    Raises:
        gymnasium.error.DependencyNotInstalled: Without Ray.
    """

    def __init__(self, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError as error:
            raise DependencyNotInstalled("pip install 'aq-gym[ray]'") from error
        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own:
            address = os.environ.get("RAY_ADDRESS")
            size: dict[str, Any] = (
                {} if address else {"num_cpus": workers, "include_dashboard": False}
            )
            ray.init(address=address, log_to_driver=False, **size)

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Send the call to a worker; one that dies is not retried by Ray."""
        remote = self._ray.remote(num_cpus=1, max_retries=0)(fn)
        future: Future[Any] = remote.remote(*args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop the cluster if it is ours."""
        if self._own:
            self._ray.shutdown()


def make_executor(engine: str, workers: int) -> Executor:
    """Make the executor of an engine.

    Args:
        engine: "inline", "threads", "processes" or "ray".
        workers: How many episodes are played at once, at least 1.

    Raises:
        ValueError: If there is no such engine, or no worker.
    """
    if workers < 1:
        raise ValueError(f"workers={workers} must be at least 1")
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r}: choose one of {', '.join(ENGINES)}")
    return ENGINES[engine](workers)


def worker_died(error: BaseException) -> bool:
    """Tell the death of a worker from what a call in it raised.

    Args:
        error: What a future raised.
    """
    ray = sys.modules.get("ray")
    if ray is not None and isinstance(error, ray.exceptions.RayError):
        return not isinstance(error, ray.exceptions.RayTaskError)
    return isinstance(error, BrokenExecutor)


def _processes(workers: int) -> Executor:
    # Spawned, because forking a process that has threads can deadlock.
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare_worker,
    )


def _prepare_worker() -> None:
    # The parent answers Ctrl-C for all.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """End this process when its parent is killed; a pool's worker would wait on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


ENGINES: dict[str, Callable[[int], Executor]] = {
    "inline": lambda workers: InlineExecutor(),
    "threads": ThreadPoolExecutor,
    "processes": _processes,
    "ray": RayExecutor,
}
