"""Play one task."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.agents import AgentFactory, load
from aq_gym.agents.continued import ContinuedAgent
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.execution.env_pool import POOL, close
from aq_gym.evaluation.execution.recorder import EpisodeRecorder
from aq_gym.evaluation.stack import wrap_env
from aq_gym.evaluation.task import Task
from aq_gym.support.redaction import redact
from aq_gym.trajectory.reader import find

# Ctrl-C reaches the main thread only; this stops the other threads that play.
STOP = threading.Event()


class Job(NamedTuple):
    """One task with everything that a worker needs to play it.

    Attributes:
        task: The task.
        agent: The agent's name, as :func:`aq_gym.agents.load` takes it.
        agent_params: The agent's parameters, JSON-safe.
        directory: The directory of the trajectory.
        parent: The trajectory that is continued; "" for a new episode.
    """

    task: Task
    agent: str
    agent_params: Mapping[str, Any]
    directory: str | os.PathLike[str]
    parent: str | os.PathLike[str] = ""

    @property
    def use(self) -> tuple[str, str, str, int]:
        """The wrappers that the job needs around its environment."""
        params = repr(self.agent_params)
        return os.fspath(self.directory), self.agent, params, self.task.trials


def play_batch(jobs: Sequence[Job]) -> list[EpisodeResult]:
    """Play tasks one after another; see :func:`play_episode`."""
    return [play_episode(job) for job in jobs]


def play_episode(job: Job) -> EpisodeResult:
    """Play a task once and write its trajectory to a file with the task's name.

    Whatever the environment or the agent raises becomes an episode with an error, so
    that one broken episode does not end a long run. It is unfinished if the exception
    has an attribute ``stops_run`` that is True, as the exception for a wrong key does.

    Raises:
        FileExistsError: If the task has a trajectory in the directory.
    """
    make_agent = load(job.agent, job.agent_params)
    if job.parent:
        make_agent = partial(ContinuedAgent, agent=make_agent, path=job.parent)
    recorder: EpisodeRecorder | None = None
    try:
        with _ending_forks():
            env = POOL.lend(job.task, job.use)
            recorder = env if isinstance(env, EpisodeRecorder) else _record(job, env)
            recorder.name_next(job.task.name)
            recorder.progress_key = job.task.progress
            play_in(recorder, make_agent, job.task.seed)
        assert recorder.stats is not None
        values = recorder.stats.fields()
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
    return EpisodeResult.of_task(job.task, ended=recorder.ended, **values)


@contextmanager
def _ending_forks() -> Iterator[None]:
    """End processes forked inside the block as they leave it.

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
        if recorder.stats is not None:
            values = recorder.stats.fields()
    # This process may know keys that the one which writes the row does not.
    values["error"] = redact(f"{type(error).__name__}: {error}")
    values["unfinished"] = getattr(error, "stops_run", False) is True
    values["traceback"] = redact("".join(traceback.format_exception(error)))
    return EpisodeResult.of_task(job.task, **values)


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
            agent_params=job.agent_params,
            trials=job.task.trials,
        )
    )


def play_in(env: gym.Env[Any, Any], make_agent: AgentFactory, seed: int | None) -> None:
    """Play one episode in an environment.

    Raises:
        KeyboardInterrupt: If the run was interrupted.
    """
    process = os.getpid()
    agent = make_agent(env)
    observation, info = env.reset(seed=seed)
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
        over = terminated or truncated
