"""Dispatch jobs to workers, and retry those of workers that died."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing
from typing import Any, NamedTuple

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.execution.apart import play_apart, receive
from aq_gym.evaluation.execution.executors import make_executor, stop, worker_died
from aq_gym.evaluation.execution.jobs import STOP, Job, play_batch

_ATTEMPTS = 3
# A short episode takes less time than its way to a process and back.
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

    When a worker dies its episode is lost, and in a process pool so are those of the
    other workers. Each is retried, up to three attempts in all, before it counts as an
    error. The third attempt is played alone, so that no other episode can cause the
    failure. ``before_retry`` removes what a lost attempt has written, and returns the
    job to play.
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
    # A process finds its next batch in the queue when it has ended one.
    room = workers * 2 if executor == "processes" else workers
    most = _LARGEST_BATCH if executor == "processes" else 1
    lost: list[_Try] = []
    with make_executor(executor, workers) as pool:
        for ended in _drain(pool, waiting, room, most, executor == "ray"):
            if isinstance(ended, EpisodeResult):
                yield ended
            else:
                lost.append(ended)
    # Not before all workers have ended: one could write a file that was just removed.
    yield from lost


def _drain(
    executor: Executor, waiting: deque[_Try], room: int, most: int, apart: bool
) -> Generator[EpisodeResult | _Try, None, None]:
    """Yield episodes and, once a worker has died, the lost attempts too; then end."""
    flying: dict[Future[Any], list[_Try]] = {}
    play: Callable[[Sequence[Job]], object] = play_apart if apart else play_batch
    lost = False
    try:
        while flying or (waiting and not lost):
            while not lost and _may_start(waiting, flying.values(), room):
                batch = _next_batch(waiting, room, most)
                try:
                    flying[executor.submit(play, _jobs(batch))] = batch
                except BrokenExecutor:
                    waiting.extendleft(reversed(batch))
                    lost = True
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                batch = flying.pop(future)
                error = future.exception()
                if error is None:
                    result = future.result()
                    yield from receive(_jobs(batch), result) if apart else result
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
