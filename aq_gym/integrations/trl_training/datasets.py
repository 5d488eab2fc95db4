"""Tasks as a dataset of prompts, and the rewards of their episodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

from datasets import Dataset

from aq_gym.evaluation import Suite, Task
from aq_gym.selection import check_id, check_names

_TASK = "aq_gym_task"
_LOGGED = ("success", "progress_rate", "repetition_rate", "steps", "cut")


def env_tasks(
    id: str,  # noqa: A002 (as in Task and gymnasium.make)
    seeds: Iterable[int],
    max_steps: int | None = None,
    **kwargs: Any,
) -> Dataset:
    """Return the tasks of an environment as a dataset for ``GRPOTrainer``.

    Args:
        id: The id that ``gymnasium.make`` takes.
        seeds: The seeds of the resets, each from 0.
        max_steps: The step cap, from 1; None for the id's own.
        **kwargs: Constructor arguments, JSON-safe, such as ``split="train"``.

    Returns:
        A dataset with a row for each seed; see :func:`suite_tasks`.

    Raises:
        TypeError: If a seed or ``max_steps`` is not an int, or one of ``kwargs`` is
            not JSON-safe.
        ValueError: If there is no such id, its environment does not have one of
            ``kwargs``, there are no seeds, or a seed or ``max_steps`` is out of its
            range.
    """
    check_id(id)
    check_names(id, kwargs)
    for name, value in kwargs.items():
        _check_json(name, value)
    if max_steps is not None:
        max_steps = _at_least(1, "max_steps", max_steps)
    if not isinstance(seeds, Iterable):
        raise TypeError(f"seeds={seeds!r:.200} must be several ints: give [{seeds!r}]")
    numbers = [_at_least(0, "seeds", seed) for seed in seeds]
    if not numbers:
        raise ValueError("seeds is empty: give at least one")
    return _dataset([Task(id, seed, kwargs, max_steps) for seed in numbers])


def suite_tasks(suite: str | Suite) -> Dataset:
    """Return the tasks of a suite as a dataset for ``GRPOTrainer``.

    Args:
        suite: A suite, the name of a packaged suite, or the path of a suite's file.

    Returns:
        A dataset with a row for each task: ``id``, ``kwargs`` (JSON), ``seed``,
        ``max_steps`` (0 for the id's own), ``split`` ("" where none is given) and
        ``prompt``, an empty user message whose ``name`` identifies the task.

    Raises:
        ValueError: If there is no such suite, or it has no tasks.
    """
    loaded = suite if isinstance(suite, Suite) else Suite.load(suite)
    if not loaded.tasks:
        raise ValueError(f"the suite {loaded.name!r} has no tasks")
    return _dataset(loaded.tasks)


def sampled_tasks(count: int) -> Dataset:
    """Return rows for ``Rollouts(sampler=...)``, whose tasks are drawn when played.

    Args:
        count: The number of rows, from 1.
    """
    rows = range(_at_least(1, "count", count))
    return Dataset.from_list([_named(f"row {row}") for row in rows])


def task_of(prompt: Sequence[Mapping[str, Any]]) -> Task:
    """Return the task of a row.

    Args:
        prompt: The row's ``prompt``.

    Raises:
        ValueError: If the dataset was not made by :func:`env_tasks` or
            :func:`suite_tasks`.
    """
    row = row_of(prompt)
    if row.startswith("row "):
        raise ValueError("rows of sampled_tasks are for Rollouts(sampler=...)")
    return Task(**json.loads(row))


def row_of(prompt: Sequence[Mapping[str, Any]]) -> str:
    """Return the text that names a row's task, which is the same for all of a group.

    Raises:
        ValueError: If the dataset was not made by this module.
    """
    last = prompt[-1] if prompt else None
    if not isinstance(last, Mapping) or _TASK not in last:
        raise ValueError(
            f"prompt={prompt!r:.200} does not name a task: make the dataset with "
            "env_tasks or suite_tasks"
        )
    return str(last[_TASK])


def _at_least(least: int, name: str, value: Any) -> int:
    # NumPy's integers are accepted too.
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: {value!r:.200} must be an int")
    number = index(value)
    if number < least:
        raise ValueError(f"{name}: {number} must be at least {least}")
    return number


def _check_json(name: str, value: Any) -> None:
    try:
        json.dumps(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}={value!r:.200} must be JSON-safe: {error}") from None


def _dataset(tasks: Sequence[Task]) -> Dataset:
    return Dataset.from_list([_row(task) for task in tasks])


def _row(task: Task) -> dict[str, Any]:
    # The prompt has to name the task, because a trainer passes only prompts to a
    # rollout function, and the first messages of two tasks can be equal.
    record = json.dumps(task.to_record())
    return _named(record) | {
        "id": task.id,
        "kwargs": json.dumps(dict(task.kwargs)),
        "seed": task.seed,
        "max_steps": task.max_steps or 0,
        "split": str(task.kwargs.get("split", "")),
    }


def _named(row: str) -> dict[str, Any]:
    return {"prompt": [{"role": "user", "content": "", _TASK: row}]}


def progress_reward(**columns: Any) -> list[float | None]:
    """Return the progress rates of the episodes, from 0.0 to 1.0.

    They are measured by the rules of the suite; without a suite, they are the returns
    of the episodes.

    It scores the episodes of :class:`Rollouts` and of :class:`ActEnv`. It logs their
    mean success, progress rate, repetition rate and number of steps, and the share of
    episodes that were cut, as ``episode/...``.

    Args:
        **columns: The columns that the trainer passes.

    Returns:
        A reward for each completion; None, which the trainer ignores, if the
        environment's own engine failed.

    Raises:
        ValueError: If the trainer uses neither :class:`Rollouts` nor :class:`ActEnv`.
    """
    return _rewards(columns, "progress_rate")


def success_reward(**columns: Any) -> list[float | None]:
    """Return whether the episodes were solved: 1.0 or 0.0.

    Args:
        **columns: The columns that the trainer passes.

    Returns:
        As for :func:`progress_reward`.
    """
    return _rewards(columns, "success")


def _rewards(columns: dict[str, Any], name: str) -> list[float | None]:
    played = columns.get("episode")
    if played is None and "environments" in columns:
        played = [one.metrics for one in columns["environments"]]
    if played is None:
        raise ValueError(
            "no episodes were played: give GRPOTrainer rollout_func=Rollouts() or "
            "environment_factory=ActEnv"
        )
    log = columns.get("log_metric")
    scored = [one for one in played if not one["error"]]
    if log is not None and scored:
        for key in _LOGGED:
            log(f"episode/{key}", sum(one[key] for one in scored) / len(scored))
    return [None if one["error"] else float(one[name]) for one in played]
