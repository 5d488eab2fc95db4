"""Count the steps to go in the states of played episodes, by replaying them."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.executors import make_executor
from aq_gym.registration import row_of
from aq_gym.trajectory.reader import find
from aq_gym.trajectory.replay import visit
from aq_gym.trajectory.trust import UntrustedError
from aq_gym.trajectory.writer import distribution_of, versions_of
from aq_gym.wrappers.steps_to_go import INFINITE, ExpertFork


def with_steps_to_go(
    run: Path, episodes: Sequence[EpisodeResult], workers: int, trust: bool
) -> list[EpisodeResult]:
    """Return the episodes of a run with their steps to go.

    An episode that cannot be replayed, or whose environment has no expert, has none; a
    warning names the first and counts them.

    Args:
        run: The run's directory.
        episodes: Some of its episodes.
        workers: The number of processes that replay episodes.
        trust: Whether a trajectory may name any environment and arguments.

    Raises:
        UntrustedError: If an environment is not trusted.
    """
    for env_id in {episode.env for episode in episodes}:
        _import(env_id)
    jobs = [_Job(find(run / "trajectories", e.task), e.env, trust) for e in episodes]
    executor = "processes" if workers > 1 else "inline"
    with make_executor(executor, workers) as pool:
        counts = list(pool.map(_count, jobs))
    problems = [found for found in counts if isinstance(found, str)]
    if problems:
        warnings.warn(
            f"{len(problems)} of {len(jobs)} episodes have no steps to go, the first "
            f"because of {problems[0]}",
            stacklevel=2,
        )
    return [
        replace(episode, **(_NONE if isinstance(found, str) else found))
        for episode, found in zip(episodes, counts, strict=True)
    ]


_NONE: dict[str, Any] = {"steps_to_go": [], "secrets_left": [], "expert": ""}


class _Job(NamedTuple):
    path: Path
    env: str
    trust: bool


def _count(job: _Job) -> dict[str, Any] | str:
    """Return the values of an episode's attributes, or why it has none."""
    _import(job.env)
    if row_of(job.env).expert.steps_to_go == "none":
        return _NONE
    counts = Counts()
    try:
        difference = visit(job.path, counts.add, trust=job.trust).difference
    except UntrustedError:
        raise
    except (RuntimeError, ValueError) as error:
        why = str(error)
        return why if str(job.path) in why else f"{job.path}: {why}"
    finally:
        counts.close()
    if difference is not None:
        return f"{job.path}: {difference}"
    return counts.fields()


class Counts:
    """The counts in the states of an episode that is replayed."""

    def __init__(self) -> None:
        self._fork: ExpertFork | None = None
        self._steps: list[int] = []
        self._secrets: list[int | None] = []
        self._expert = ""

    def add(self, env: gym.Env[Any, Any], last: Mapping[str, Any]) -> None:
        """Add the current state."""
        if self._fork is None:
            self._fork = ExpertFork(env)
            name = distribution_of(env)
            self._expert = f"{name} {versions_of(env).get(name, '')}".strip()
        over = last.get("terminated", False)
        self._steps.append(self._fork.steps_to_go(last["info"], over))
        counts = env.has_wrapper_attr("secrets_left")
        left = env.get_wrapper_attr("secrets_left")() if counts else None
        self._secrets.append(left)

    def fields(self) -> dict[str, Any]:
        """Return the counts, by the names of an EpisodeResult's attributes."""
        secrets = [] if None in self._secrets else self._secrets
        return {
            "steps_to_go": self._steps,
            "secrets_left": secrets,
            "expert": self._expert,
        }

    def close(self) -> None:
        """Close the copy of the environment."""
        if self._fork is not None:
            self._fork.close()


def first_bad_step(episode: EpisodeResult) -> int | None:
    """Return the first step with a positive regret, or that left the expert no way.

    Args:
        episode: The episode.

    Returns:
        The step, counted from 1; 0 if there is none. None if this is not known: if the
        steps to go were not counted, the expert found no way from the start, knows more
        than the agent, or depends on luck.
    """
    steps, expert = episode.steps_to_go, row_of(episode.env).expert
    sure = expert.steps_to_go in ("optimal", "upper bound") and not expert.privileged
    if not sure or episode.error or steps[:1] in ([], [INFINITE]):
        return None
    for step, (before, after) in enumerate(pairwise(steps), 1):
        if after == INFINITE or after + 1 > before:
            return step
    return 0


def _import(env_id: str) -> None:
    module = env_id.rpartition(":")[0]
    if module:
        importlib.import_module(module)
