"""Dispatching jobs to workers, and retrying those of a worker that died."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing
from typing import NamedTuple

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.execution.executors import make_executor, stop, worker_died
from aq_gym.evaluation.execution.jobs import STOP, Job, Played, play_batch

__all__ = ["dispatch"]

_ATTEMPTS = 3
_BATCH_SECONDS = 0.25
_LEAST_SECONDS = 0.02
_LARGEST_BATCH = 256
_DIED = f"its worker died {_ATTEMPTS} times"


class _Try(NamedTuple):
    job: Job
    attempt: int


def dispatch(
    jobs: Iterable[Job],
    executor: str,
    workers: int,
    before_retry: Callable[[Job], None],
) -> Generator[Episode, None, None]:
    """Play jobs and yield their episodes as they end.

    When a worker dies its episode is lost, and in a process pool so are those of the
    other workers. Each is retried, up to three attempts in all, before it counts as an
    error. The third attempt is played alone, so that no other episode can cause the
    failure.

    Args:
        jobs: The jobs to play.
        executor: See :func:`make_executor`.
        workers: The number of episodes played at once.
        before_retry: Called before a job is retried; removes partly written files.
    """
    waiting = deque(_Try(job, 1) for job in jobs)
    try:
        while waiting:
            with closing(_play(waiting, executor, workers)) as played:
                for ended in played:
                    if isinstance(ended, Episode):
                        yield ended
                    elif ended.attempt < _ATTEMPTS:
                        before_retry(ended.job)
                        waiting.append(ended._replace(attempt=ended.attempt + 1))
                    else:
                        yield Episode.of_task(ended.job.task, error=_DIED)
    finally:
        STOP.clear()


def _play(
    waiting: deque[_Try], executor: str, workers: int
) -> Generator[Episode | _Try, None, None]:
    # A process finds its next batch in the queue when it has ended one.
    room = workers * 2 if executor == "processes" else workers
    batches = Batches(room) if executor == "processes" else None
    lost: list[_Try] = []
    with make_executor(executor, workers) as pool:
        for ended in _drain(pool, waiting, room, batches):
            if isinstance(ended, Episode):
                yield ended
            else:
                lost.append(ended)
    # Not before all workers have ended: one could write a file that was just removed.
    yield from lost


class Batches:
    """Chooses how many jobs a process gets at once, by the time that they take.

    Short episodes take less time than their way to a process and back.

    Args:
        room: The number of batches that are handed out at a time.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._seconds = 0.0
        self._episodes = 0.0

    def measured(self, episodes: int, seconds: float) -> None:
        """Add the time that a process took for some episodes.

        Earlier ones count for less and less: a process makes its environments in the
        first ones, and the episodes of another benchmark may take longer.

        Args:
            episodes: Their number, at least 1.
            seconds: The time, in seconds.
        """
        self._episodes = self._episodes / 2 + episodes
        self._seconds = self._seconds / 2 + seconds

    def size(self, waiting: int) -> int:
        """Return the number of jobs of the next batch.

        Args:
            waiting: The number of jobs that are not handed out, at least 1.
        """
        if not self._episodes:
            return 1
        each = max(self._seconds / self._episodes, _BATCH_SECONDS / _LARGEST_BATCH)
        # The last batches are small, so that all processes end at the same time, but
        # not so small that handing them out takes longer than that saves.
        share = max(waiting // (2 * self._room), int(_LEAST_SECONDS / each))
        return max(1, min(int(_BATCH_SECONDS / each), share, waiting))


def _drain(
    executor: Executor, waiting: deque[_Try], room: int, batches: Batches | None
) -> Generator[Episode | _Try, None, None]:
    """Yield episodes and, once a worker has died, the lost attempts too; then end."""
    flying: dict[Future[Played], list[_Try]] = {}
    lost = False
    try:
        while flying or (waiting and not lost):
            while not lost and _may_start(waiting, flying.values(), room):
                batch = _next_batch(waiting, batches)
                try:
                    jobs = [tried.job for tried in batch]
                    flying[executor.submit(play_batch, jobs)] = batch
                except BrokenExecutor:
                    waiting.extendleft(reversed(batch))
                    lost = True
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                batch = flying.pop(future)
                error = future.exception()
                if error is None:
                    played = future.result()
                    if batches:
                        batches.measured(len(batch), played.seconds)
                    yield from played.episodes
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


def _next_batch(waiting: deque[_Try], batches: Batches | None) -> list[_Try]:
    batch = [waiting.popleft()]
    size = batches.size(len(waiting)) if batches and batch[0].attempt == 1 else 1
    while len(batch) < size and waiting and waiting[0].attempt == 1:
        batch.append(waiting.popleft())
    return batch


def _may_start(waiting: deque[_Try], flying: Collection[list[_Try]], room: int) -> bool:
    if not waiting or any(batch[0].attempt == _ATTEMPTS for batch in flying):
        return False
    return len(flying) < (1 if waiting[0].attempt == _ATTEMPTS else room)
