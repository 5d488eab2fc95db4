"""Executors, in this process, in threads, in processes or on Ray, and their jobs."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.play import POOL, STOP, Job, play_batch
from aq_gym.evaluation.remote import RayExecutor, mark_of, play_remote, receive
from aq_gym.support.escaping import protect_output
from aq_gym.support.process import exit_despite_threads


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
        # All workers see that the pipe is closed.
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
    multiprocessing.util.Finalize(
        None, exit_despite_threads, args=(0,), exitpriority=-1
    )


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


_ATTEMPTS = 3
# Batches, because sending a short episode to a process takes longer than playing it.
_LARGEST_BATCH = 16
_DIED = f"its worker died {_ATTEMPTS} times"


class _Try(NamedTuple):
    job: Job
    attempt: int


def dispatch(
    jobs: Iterable[Job],
    executor: str,
    workers: int,
    before_retry: Callable[[Job], Job],
) -> Generator[EpisodeResult, None, None]:
    """Play jobs and yield their episodes as they end.

    When a worker dies, its episode is lost; in a process pool, the other workers'
    episodes are lost too. Each is retried, up to three attempts in all, before it
    counts as an error. The third attempt is played alone, so that no other episode can
    cause the failure. ``before_retry`` removes what a lost attempt has written, and
    returns the job to play.
    """
    waiting = deque(_Try(job, 1) for job in jobs)
    try:
        while waiting:
            with closing(_play(waiting, executor, workers)) as played:
                for ended in played:
                    if isinstance(ended, EpisodeResult):
                        yield ended
                    elif ended.attempt < _ATTEMPTS:
                        job = before_retry(ended.job)
                        waiting.append(_Try(job, ended.attempt + 1))
                    else:
                        yield EpisodeResult.of_task(ended.job.task, error=_DIED)
    finally:
        STOP.clear()


def _play(
    waiting: deque[_Try], executor: str, workers: int
) -> Generator[EpisodeResult | _Try, None, None]:
    # Twice as many batches as workers, so that a process always finds its next one.
    room = workers * 2 if executor == "processes" else workers
    most = _LARGEST_BATCH if executor == "processes" else 1
    lost: list[_Try] = []
    with make_executor(executor, workers) as pool:
        for ended in _drain(pool, waiting, room, most, executor == "ray"):
            if isinstance(ended, EpisodeResult):
                yield ended
            else:
                lost.append(ended)
    # Only after all workers have ended, because one could still write a removed file.
    yield from lost


def _submit(executor: Executor, jobs: list[Job], remote: bool) -> Future[Any]:
    if remote:
        return executor.submit(play_remote, jobs, mark_of(jobs[0]))
    return executor.submit(play_batch, jobs)


def _drain(
    executor: Executor, waiting: deque[_Try], room: int, most: int, remote: bool
) -> Generator[EpisodeResult | _Try, None, None]:
    """Yield episodes and, if a worker has died, the lost attempts; then end."""
    flying: dict[Future[Any], list[_Try]] = {}
    lost = False
    try:
        while flying or (waiting and not lost):
            while not lost and _may_start(waiting, flying.values(), room):
                batch = _next_batch(waiting, room, most)
                try:
                    flying[_submit(executor, _jobs(batch), remote)] = batch
                except BrokenExecutor:
                    waiting.extendleft(reversed(batch))
                    lost = True
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                batch = flying.pop(future)
                error = future.exception()
                if error is None:
                    result = future.result()
                    yield from receive(_jobs(batch), result) if remote else result
                elif worker_died(error):
                    lost = True
                    yield from batch
                else:
                    raise error
    except BaseException:
        stop(executor)
        raise
    finally:
        for future in flying:
            future.cancel()


def _jobs(batch: list[_Try]) -> list[Job]:
    return [tried.job for tried in batch]


def _next_batch(waiting: deque[_Try], room: int, most: int) -> list[_Try]:
    batch = [waiting.popleft()]
    # The last batches are small, so that all processes end at the same time.
    size = min(most, len(waiting) // (2 * room)) if batch[0].attempt == 1 else 1
    while len(batch) < size and waiting[0].attempt == 1:
        batch.append(waiting.popleft())
    return batch


def _may_start(waiting: deque[_Try], flying: Collection[list[_Try]], room: int) -> bool:
    if not waiting or any(batch[0].attempt == _ATTEMPTS for batch in flying):
        return False
    return len(flying) < (1 if waiting[0].attempt == _ATTEMPTS else room)
