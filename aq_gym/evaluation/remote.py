"""Episodes on a Ray cluster, whose machines need not share the folder of the run.

A worker that sees the folder writes there, so that an interrupted episode is kept;
another one sends its file when the episode has ended.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.play import POOL, Job, play_episode
from aq_gym.support.escaping import protect_output
from aq_gym.support.extras import load
from aq_gym.trajectory.packed import SUFFIX

_CLEANUP = ExitStack()
_FOLDER = ""


class SentEpisode(NamedTuple):
    """An episode that a remote worker sends to the folder of the run.

    Attributes:
        episode: The episode.
        trajectory: Its trajectory file; None if the episode did not begin, or if the
            worker wrote the file to the folder of the run.
    """

    episode: EpisodeResult
    trajectory: bytes | None


def begin_remote() -> None:
    """Prepare this process: make a folder for it, and keep environments."""
    global _FOLDER
    protect_output()
    _CLEANUP.enter_context(POOL.kept())
    _FOLDER = _CLEANUP.enter_context(tempfile.TemporaryDirectory(prefix="aq_gym-"))


def end_remote() -> None:
    """Remove the folder and close the environments."""
    _CLEANUP.close()


def play_remote(jobs: Sequence[Job], mark: tuple[int, int] | None) -> list[SentEpisode]:
    """Play tasks in the folder of the run, or else in that of this process.

    Args:
        jobs: The tasks.
        mark: What :func:`mark_of` returned for the folder of the run.

    Returns:
        The episodes, with the files that are not in the folder of the run.
    """
    return [_play(job, mark is not None and mark == mark_of(job)) for job in jobs]


def mark_of(job: Job) -> tuple[int, int] | None:
    """Return what shows that machines see the same folder of a run, None without one.

    A copy of ``run.json`` on another machine has another number or time.
    """
    try:
        found = Path(job.directory).with_name("run.json").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _play(job: Job, shared: bool) -> SentEpisode:
    if shared:
        return SentEpisode(play_episode(job), None)
    job = job._replace(directory=_FOLDER)
    file = _file(job)
    try:
        episode = play_episode(job)
        return SentEpisode(episode, file.read_bytes() if file.exists() else None)
    finally:
        file.unlink(missing_ok=True)


def receive(
    jobs: Sequence[Job], played: Sequence[SentEpisode]
) -> Iterator[EpisodeResult]:
    """Write the trajectories that came back, and yield their episodes.

    Raises:
        FileExistsError: If a task has a trajectory in its directory.
        OSError: If a file cannot be written; it may then be incomplete.
    """
    for job, (episode, trajectory) in zip(jobs, played, strict=True):
        if trajectory is not None:
            with _file(job).open("xb") as file:
                file.write(trajectory)
        yield episode


def _file(job: Job) -> Path:
    return Path(job.directory, job.task.name + SUFFIX)


_SECONDS_TO_END = 10.0
_SECONDS_TO_REACH = 4.0
# The seconds after which the head is tried, how often, and how many seconds apart: the
# loss of the cluster is noticed within 30 seconds.
_SECONDS_OF_SILENCE, _TRIES, _SECONDS_BETWEEN = 10.0, 3, 3.0


# `ray start` uses a token that it finds, but with an address a driver doesn't.
_TOKEN = (
    "If the head was started with a token, as after an earlier run on its machine, set "
    "RAY_AUTH_MODE=token, and the token as RAY_AUTH_TOKEN or in ~/.ray/auth_token"
)


class ClusterLostError(ConnectionError):
    """Raised if the head of the cluster cannot be reached any more."""


class RayExecutor(ThreadPoolExecutor):
    """Calls functions on a Ray cluster, which is started here if none is running.

    There is a process for each processor of the cluster, and with more workers than
    processors each process makes several calls at once, in threads. A thread of this
    executor waits for each call.

    Args:
        workers: The number of calls at once, and of the processors of the cluster if it
            is started here.

    Raises:
        ConnectionError: If the cluster that RAY_ADDRESS names cannot be reached.
        gymnasium.error.DependencyNotInstalled: If Ray is not installed.
    """

    def __init__(self, workers: int) -> None:
        address = os.environ.get("RAY_ADDRESS") or None
        _check_reachable(address or "")
        told = os.environ.get("RAY_USAGE_STATS_ENABLED")
        os.environ["RAY_USAGE_STATS_ENABLED"] = told or "0"
        self._ray: Any = load("ray", "the executor 'ray'", "ray")
        self._own = not self._ray.is_initialized()
        if self._own:
            size: dict[str, Any] = (
                {} if address else {"num_cpus": workers, "include_dashboard": False}
            )
            # Prevents Ray from putting the current folder first in its workers' path,
            # where a file could replace a package.
            config = self._ray.job_config.JobConfig(_client_job=True)
            try:
                self._ray.init(
                    address=address, log_to_driver=False, job_config=config, **size
                )
            except ConnectionError as error:
                raise ConnectionError(f"{error}. {_TOKEN}") from error
        gcs = self._ray.get_runtime_context().gcs_address
        self._head = address if address and "://" in address else gcs
        self._lost = False
        self._players = self._start_players(workers)
        threads = -(-workers // len(self._players))
        self._places = iter(self._players * threads)
        self._mine = threading.local()
        super().__init__(workers, initializer=self._take_place)

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Send the call to a worker."""
        return super().submit(self._call, pickle.dumps((fn, args, kwargs)))

    def stop(self) -> None:
        """End the calls at once, with their processes."""
        # Without its head, Ray would wait for minutes.
        for player, _ in [] if self._lost else self._players:
            self._ray.kill(player)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the idle processes, and a cluster started here."""
        if self._lost:
            super().shutdown(wait=False, cancel_futures=True)
            return
        firsts = {first: player for player, first in self._players}
        begun, _ = self._ray.wait(list(firsts), num_returns=len(firsts), timeout=0)
        for last in [_send(firsts[first], end_remote) for first in begun]:
            self._ray.wait([last], timeout=_SECONDS_TO_END)
        self.stop()
        super().shutdown(wait, cancel_futures=cancel_futures)
        if self._own:
            self._ray.shutdown()

    def _start_players(self, workers: int) -> list[tuple[Any, Any]]:
        """Start processes; return each with a reference to its first call."""
        processors = int(self._ray.cluster_resources().get("CPU", 1))
        count = max(1, min(workers, processors))
        made = self._ray.remote(
            num_cpus=1,
            scheduling_strategy="SPREAD",
            max_concurrency=-(-workers // count),
        )(_player_by_value())
        players = [made.remote() for _ in range(count)]
        return [(player, _send(player, begin_remote)) for player in players]

    def _take_place(self) -> None:
        """Give this thread a process, and wait until it has started.

        Until then, other threads take the calls; if it cannot start, they get the
        reason.
        """
        self._mine.player, begun = next(self._places)
        with suppress(self._ray.exceptions.RayError, ClusterLostError):
            self._result(begun)

    def _call(self, pickled: bytes) -> Any:
        return self._result(self._mine.player.call.remote(pickled))

    def _result(self, call: Any) -> Any:
        """Wait for the result of a call.

        Raises:
            ClusterLostError: If the head dies in the meantime.
        """
        try:
            while not self._ray.wait([call], timeout=_SECONDS_OF_SILENCE)[0]:
                self._check_head()
            return self._ray.get(call)
        except self._ray.exceptions.RayError:
            self._check_head()
            raise

    def _check_head(self) -> None:
        for tried in range(1, _TRIES + 1):
            try:
                return _check_reachable(self._head)
            except ConnectionError as error:
                if self._lost or tried == _TRIES:
                    self._lost = True
                    raise ClusterLostError(f"the cluster is lost: {error}") from error
                time.sleep(_SECONDS_BETWEEN)


def _check_reachable(address: str) -> None:
    """Raise if nothing listens at an address, for which Ray would wait for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        # A name of Ray's own, such as "auto".
        return
    try:
        place = host.strip("[]"), int(port)
        socket.create_connection(place, _SECONDS_TO_REACH).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(
            f"Ray's head at {address!r:.200} cannot be reached: {error}"
        ) from error


def _send(player: Any, function: Callable[[], None]) -> Any:
    return player.call.remote(pickle.dumps((function, (), {})))


def _player_by_value() -> type:
    """Return a class whose instances make pickled calls in a worker.

    Ray sends a local class by value, so that the current folder can be added to the
    path, at its end as here, before anything is imported.
    """
    folder = os.getcwd()
    last = [folder] if folder in sys.path else []

    class Player:
        def __init__(self) -> None:
            import sys

            sys.path[:] = [path for path in sys.path if path not in ("", folder)] + last

        def call(self, pickled: bytes) -> Any:
            import pickle

            function, args, kwargs = pickle.loads(pickled)
            return function(*args, **kwargs)

    return Player
