"""Executors: in this process, in threads, in processes, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.util
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
from multiprocessing.connection import Connection
from typing import Any

from aq_gym.evaluation.execution.env_pool import POOL
from aq_gym.evaluation.execution.jobs import STOP
from aq_gym.evaluation.execution.ray import RayExecutor
from aq_gym.support.safe_output import protect_output


class InlineExecutor(Executor):
    """Calls each function at once, in this process."""

    def __init__(self, workers: int) -> None:
        pass

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Call the function now and return a finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (an executor passes on what was raised)
            future.set_exception(error)
        return future


class ProcessExecutor(ProcessPoolExecutor):
    """Calls functions in processes, whose episodes can be stopped."""

    def __init__(self, workers: int) -> None:
        stopped, self._stop = multiprocessing.Pipe(duplex=False)
        # Spawned, because forking a process that has threads can deadlock.
        super().__init__(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_prepare_worker,
            initargs=(stopped,),
        )

    def stop(self) -> None:
        """Stop the running episodes at their next step."""
        # All workers read the end of the pipe.
        self._stop.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the workers and close the pipe to them."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._stop.close()


def check_executor(executor: str, workers: int) -> None:
    """Check an executor's name and its number of workers.

    Args:
        executor: "inline", "threads", "processes" or "ray".
        workers: The number of episodes played at once, at least 1.

    Raises:
        ValueError: If there is no such executor, or ``workers`` is below 1.
    """
    if workers < 1:
        raise ValueError(f"workers={workers} must be at least 1")
    if executor not in EXECUTORS:
        raise ValueError(f"executor={executor!r}: choose one of {', '.join(EXECUTORS)}")


def make_executor(executor: str, workers: int) -> Executor:
    """Return an executor; the arguments are those of ``check_executor``."""
    check_executor(executor, workers)
    return EXECUTORS[executor](workers)


def worker_died(error: BaseException) -> bool:
    """Return whether an error means that a worker died."""
    ray = sys.modules.get("ray")
    if ray is not None and isinstance(error, ray.exceptions.RayError):
        return not isinstance(error, ray.exceptions.RayTaskError)
    return isinstance(error, BrokenExecutor)


def stop(executor: Executor) -> None:
    """Stop the episodes that an executor plays, at their next step."""
    STOP.set()
    if isinstance(executor, ProcessExecutor | RayExecutor):
        executor.stop()


def _prepare_worker(stopped: Connection) -> None:
    # The parent handles Ctrl-C for all workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None and parent.pid is not None
    die_with(parent.pid)
    threading.Thread(target=_listen, args=(stopped,), daemon=True).start()
    protect_output()
    POOL.open()
    multiprocessing.util.Finalize(None, POOL.close, exitpriority=0)


def _listen(stopped: Connection) -> None:
    """Stop the episode when the pipe closes, and this process when its parent dies.

    Otherwise the worker would wait forever for work.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    ready = multiprocessing.connection.wait([parent.sentinel, stopped])
    if parent.sentinel not in ready:
        STOP.set()
        multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


EXECUTORS: dict[str, Callable[[int], Executor]] = {
    "inline": InlineExecutor,
    "threads": ThreadPoolExecutor,
    "processes": ProcessExecutor,
    "ray": RayExecutor,
}


_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends, if the system supports it.

    Linux can. A thread that waits for the parent's end cannot replace this: it does not
    run while other code holds Python's lock.
    """
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
