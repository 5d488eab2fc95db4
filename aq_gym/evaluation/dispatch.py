"""Keeping the workers busy, and going on when one of them dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import NamedTuple

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.executors import make_executor, worker_died
from aq_gym.evaluation.rollout import STOP, Work, play_episode

__all__ = ["dispatch"]

_ATTEMPTS = 3


class _Try(NamedTuple):
    work: Work
    attempt: int


def dispatch(
    works: Iterable[Work],
    engine: str,
    workers: int,
    before_retry: Callable[[Work], None],
) -> Iterator[Episode]:
    """Play works and yield their episodes as they end.

    A worker that dies takes its episode with it, and in a process pool those of the
    others too: each is tried anew, three times in all, before it counts as an error.

    Args:
        works: What is played.
        engine: See :func:`make_executor`.
        workers: How many are played at once.
        before_retry: Called before a work is tried again: clears what is half-written.
    """
    STOP.clear()
    waiting = deque(_Try(work, 1) for work in works)
    while waiting:
        with make_executor(engine, workers) as executor:
            for ended in _drain(executor, waiting, workers):
                if isinstance(ended, Episode):
                    yield ended
                elif ended.attempt < _ATTEMPTS:
                    before_retry(ended.work)
                    waiting.append(ended._replace(attempt=ended.attempt + 1))
                else:
                    yield Episode.of_task(
                        ended.work.task, error=f"its worker died {_ATTEMPTS} times"
                    )


def _drain(
    executor: Executor, waiting: deque[_Try], workers: int
) -> Iterator[Episode | _Try]:
    """Yield episodes; once a worker died, what it took along, and then end."""
    flying: dict[Future[Episode], _Try] = {}
    lost = False
    try:
        while flying or (waiting and not lost):
            while waiting and len(flying) < workers and not lost:
                tried = waiting.popleft()
                flying[executor.submit(play_episode, tried.work)] = tried
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                tried = flying.pop(future)
                error = future.exception()
                if error is None:
                    yield future.result()
                elif worker_died(error):
                    lost = True
                    yield tried
                else:
                    raise error
    except KeyboardInterrupt:
        STOP.set()
        raise
    finally:
        for future in flying:
            future.cancel()
