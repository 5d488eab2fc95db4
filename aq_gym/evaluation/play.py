"""Play one task, in an environment that is kept for further tasks."""

from __future__ import annotations

import os
import threading
import traceback
import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

import gymnasium as gym

from aq_gym.agents import AgentFactory, attempt_params, load
from aq_gym.agents.agent import ContinuationError
from aq_gym.agents.view import Seated, seat
from aq_gym.evaluation.episode import EpisodeRecorder, EpisodeResult
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.support.redaction import recordable, redact
from aq_gym.trajectory.reader import find

# Stops the other threads that play, because Ctrl-C reaches only the main thread.
STOP = threading.Event()


class Job(NamedTuple):
    """One task with everything that a worker needs to play it.

    Attributes:
        task: The task.
        agent: The agent's name, as :func:`aq_gym.agents.load` takes it.
        agent_params: The agent's parameters, JSON-safe.
        directory: The directory of the trajectory.
        parent: The trajectory that is continued; "" for a new episode.
        resumed: Whether it is an interrupted attempt at the same episode, which is
            played from its start if it cannot be continued.
    """

    task: Task
    agent: str
    agent_params: Mapping[str, Any]
    directory: str | os.PathLike[str]
    parent: str | os.PathLike[str] = ""
    resumed: bool = False

    @property
    def params(self) -> Mapping[str, Any]:
        """The agent's parameters, with the seed of this attempt."""
        return attempt_params(self.agent, self.agent_params, self.task.attempt)

    @property
    def use(self) -> tuple[str, str, str]:
        """The wrappers that the job needs around its environment."""
        return os.fspath(self.directory), self.agent, repr(self.params)


def play_batch(jobs: Sequence[Job]) -> list[EpisodeResult]:
    """Play tasks one after another; see :func:`play_episode`."""
    return [play_episode(job) for job in jobs]


def play_episode(job: Job) -> EpisodeResult:
    """Play a task once and write its trajectory to a file with the task's name.

    Any exception of the environment or the agent becomes an episode with an error, so
    that one broken episode does not end a long run. It is unfinished if the exception
    has an attribute ``stops_run`` that is True, as the exception for a wrong key does.

    Raises:
        FileExistsError: If the task has a trajectory in the directory.
    """
    make_agent = load(job.agent, job.params)
    if job.parent:
        # Imported here, because it imports the clients of models, which takes long.
        from aq_gym.agents.recorded import ContinuedAgent

        make_agent = partial(ContinuedAgent, agent=make_agent, path=job.parent)
    recorder: EpisodeRecorder | None = None
    try:
        with _ending_forks():
            env = POOL.lend(job.task, job.use)
            recorder = env if isinstance(env, EpisodeRecorder) else _record(job, env)
            recorder.name_next(job.task.name)
            recorder.progress_key = job.task.progress
            play_in(recorder, make_agent, job.task.seed)
        values = recorder.fields()
    except ContinuationError as error:
        if not job.resumed:
            return _broken(job, recorder, error)
        _discard(job, recorder)
        return play_episode(job._replace(parent="", resumed=False))
    # SystemExit from an agent ends its episode, not the run.
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 (recorded as the episode's error)
        if isinstance(error, FileExistsError):
            _check_new(job, recorder)
        return _broken(job, recorder, error)
    except BaseException:
        if recorder is not None:
            close(recorder)
        raise
    if values["error"]:
        # The engine reported a failure; another reset may not repair it.
        close(recorder)
    else:
        POOL.give_back(job.task, recorder, job.use)
    return EpisodeResult.of_task(job.task, **values)


@contextmanager
def _ending_forks() -> Iterator[None]:
    """End a process that was forked inside the block when it leaves the block.

    Such a process would otherwise record its episode again, and play on.
    """
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(1)


def _broken(
    job: Job, recorder: EpisodeRecorder | None, error: BaseException
) -> EpisodeResult:
    """Return the episode of a job that raised an exception."""
    values: dict[str, Any] = {}
    if recorder is not None:
        close(recorder)
        values = recorder.fields()
    # Masked here, because this process may know keys that the writing process does not.
    values["error"] = redact(f"{type(error).__name__}: {error}")
    values["ended"] = "error"
    values["unfinished"] = getattr(error, "stops_run", False) is True
    values["traceback"] = redact("".join(traceback.format_exception(error)))
    return EpisodeResult.of_task(job.task, **values)


def _discard(job: Job, recorder: EpisodeRecorder | None) -> None:
    """Remove the trajectory of an attempt that could not be continued."""
    if recorder is not None:
        close(recorder)
    with suppress(FileNotFoundError):
        find(job.directory, job.task.name).unlink()


def _check_new(job: Job, recorder: EpisodeRecorder | None) -> None:
    """Raise FileExistsError if the job's trajectory already exists."""
    if recorder is None or recorder.stats is not None:
        return
    with suppress(FileNotFoundError):
        # The logger has removed its own file if the reset raised the error.
        path = find(job.directory, job.task.name)
        close(recorder)
        raise FileExistsError(f"{path} exists")


def _record(job: Job, env: gym.Env[Any, Any]) -> EpisodeRecorder:
    return EpisodeRecorder(
        wrap_env(
            env,
            job.directory,
            agent=job.agent,
            agent_params=recordable(job.params),
        )
    )


def play_in(env: gym.Env[Any, Any], make_agent: AgentFactory, seed: int | None) -> None:
    """Play one episode; the agent gets a view of the environment.

    Raises:
        KeyboardInterrupt: If the run was interrupted.
    """
    play_seated(env, seat(env, make_agent), seed)


def play_seated(env: gym.Env[Any, Any], seated: Seated, seed: int | None) -> None:
    """Play one episode with an agent that was made; see :func:`play_in`."""
    process = os.getpid()
    agent, public = seated
    observation, info = env.reset(seed=seed)
    info = public(info)
    agent.reset(observation, info)
    over = False
    while not over:
        if STOP.is_set():
            raise KeyboardInterrupt
        action = agent.act(observation, info)
        if os.getpid() != process:
            # A process that the agent forked would play on.
            os._exit(1)
        observation, _, terminated, truncated, info = env.step(action)
        info, over = public(info), terminated or truncated


_MOST_IDLE = 256

_Env: TypeAlias = gym.Env[Any, Any]


class EnvPool:
    """Lends environments, and keeps returned ones while the pool is in use.

    An environment is lent to one borrower at a time. At most 256 idle environments are
    kept; those of the earliest settings are closed first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._idle: dict[tuple[Hashable, Hashable], list[_Env]] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep environments until the end of the outermost block."""
        self.open()
        try:
            yield
        finally:
            self.close()

    def open(self) -> None:
        """Start keeping environments; must be followed by :meth:`close`."""
        with self._lock:
            self._users += 1

    def close(self) -> None:
        """Close the environments, if this ends the last use."""
        with self._lock:
            self._users -= 1
        self._shrink(_MOST_IDLE if self._users else 0)

    def lend(self, task: Task, use: Hashable = None) -> _Env:
        """Return an environment of the task's setting, which must be reset.

        Args:
            task: The task.
            use: The use of the environment. If one was given back after the same use,
                it is returned with its wrappers; else the environment has none.
        """
        with self._lock:
            for place in ((task.env_key, use), (task.env_key, None)):
                if self._idle.get(place):
                    return self._idle[place].pop()
        return task.make()

    def give_back(self, task: Task, env: _Env, use: Hashable = None) -> None:
        """Take back an environment that can be reset."""
        with self._lock:
            self._idle.setdefault((task.env_key, use), []).append(env)
        self._shrink(_MOST_IDLE if self._users else 0)

    def _shrink(self, most: int) -> None:
        with self._lock:
            surplus = sum(map(len, self._idle.values())) - most
            closed: list[_Env] = []
            for place in list(self._idle) if surplus > 0 else ():
                while self._idle[place] and len(closed) < surplus:
                    closed.append(self._idle[place].pop(0))
                if not self._idle[place]:
                    del self._idle[place]
        for env in closed:
            close(env)


def close(env: _Env) -> None:
    """Close an environment; a failure becomes a warning.

    The episodes that were played in it are finished even if it cannot be closed.
    """
    try:
        env.close()
    except Exception as error:  # noqa: BLE001 (an environment raises anything)
        warnings.warn(f"{env} could not be closed: {error!r}", stacklevel=2)


# One pool per process: a job is sent to its worker and cannot hold an environment.
POOL = EnvPool()
