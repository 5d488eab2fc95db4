"""Check that seeds, task ids and splits select instances."""

from __future__ import annotations

import inspect
from typing import cast

import gymnasium as gym

from aq_gym.testing.assertions import at, expect, expect_raises
from aq_gym.testing.case import (
    Case,
    StepResult,
    begin,
    contract_check,
    deterministic_only,
    expect_same,
    generator,
    inner,
    mixed,
    proceed,
    rows,
    take,
)

_SEEDS = range(30)
_STEPS = 40
_FEW = 20
_REFUSED = 3


@contract_check
@deterministic_only
def check_task_id(case: Case) -> None:
    """Check that ``task_id`` selects the same instance, whatever the seed.

    Its hidden parts are the same too: with the same random numbers, the same actions
    give the same results.
    """
    env, named = case.make(), case.make()
    for seed in (1, 2):
        first = begin(env, seed)
        task_id = first.info["task_id"]
        again = begin(named, seed + 100, task_id=task_id)
        where = f"seed {seed}: by seed and by task_id={task_id!r}"
        expect_same(rows([first]), rows([again]), where)
        # Generating an instance draws more random numbers than selecting it.
        inner(env).np_random = generator(seed)
        inner(named).np_random = generator(seed)
        moments = proceed(env, mixed, generator(seed), _STEPS)
        replayed: list[StepResult] = []
        for moment in moments:
            replayed.append(take(named, cast(str, moment.action)))
            if replayed[-1].over:
                break
        expect_same(rows([first, *moments]), rows([again, *replayed]), where)


@contract_check
def check_seeds(case: Case) -> None:
    """Check that different seeds give more than one instance.

    This is not checked if constructor arguments are given, which may fix the instance.
    """
    env = case.make()
    if case.kwargs or (env.spec is not None and env.spec.kwargs):
        return
    ids = _task_ids(env)
    expect(len(set(ids)) > 1, f"seeds 0 to {len(ids) - 1} give one task_id, {ids[0]!r}")


@contract_check
def check_splits(case: Case) -> None:
    """Check that splits are disjoint and reject instances of other splits.

    This is checked only if the constructor has ``split="all"``, as for generated
    instances, and its other arguments allow many instances. A constructor may refuse to
    split too few instances.
    """
    parameters = inspect.signature(type(inner(case.make())).__init__).parameters
    if "split" not in parameters or parameters["split"].default != "all":
        return
    whole = case.make(split="all")
    distinct = len(set(_task_ids(whole)))
    if distinct < _FEW:
        return
    try:
        train, test = case.make(split="train"), case.make(split="test")
    except ValueError as error:
        expect("split=" in str(error), f"{error} must name the argument split")
        return
    ids = {"train": _task_ids(train), "test": _task_ids(test)}
    common = sorted(set(ids["train"]) & set(ids["test"]))
    expect(not common, f"seeds 0 to {_SEEDS[-1]}: train and test both have {common}")
    for name, env, other in (("train", train, "test"), ("test", test, "train")):
        for task_id in ids[other][:_REFUSED]:
            expect_raises(
                ValueError,
                lambda env=env, task_id=task_id: begin(env, task_id=task_id),  # type: ignore[misc]
                f"split={name!r}: task_id={task_id!r} of split={other!r}",
            )
        for task_id in ids[name][:_REFUSED]:
            with at(f"split={name!r}"):
                for env_of_it in (env, whole):
                    got = begin(env_of_it, task_id=task_id).info["task_id"]
                    expect(got == task_id, f"task_id={task_id!r} makes {got!r}")


def _task_ids(env: gym.Env[str, str]) -> list[str]:
    return [begin(env, seed).info["task_id"] for seed in _SEEDS]
