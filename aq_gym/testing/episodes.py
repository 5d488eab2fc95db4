"""Check the instances that seeds and task ids select, and progress and experts."""

from __future__ import annotations

import inspect
import math
import time
from typing import cast

import gymnasium as gym

from aq_gym.testing.case import (
    Case,
    StepResult,
    at,
    begin,
    contract_check,
    deterministic_only,
    expect,
    expect_raises,
    expect_same,
    expert,
    generator,
    inner,
    mixed,
    proceed,
    rollout,
    rows,
    take,
)

_INSTANCE_SEEDS = range(30)
_COMPARED_STEPS = 40
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
        # Reseeded, because generating an instance draws more random numbers than
        # selecting it.
        inner(env).np_random = generator(seed)
        inner(named).np_random = generator(seed)
        moments = proceed(env, mixed, generator(seed), _COMPARED_STEPS)
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
    parameters = inspect.signature(type(case.make().unwrapped).__init__).parameters
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
    expect(
        not common,
        f"seeds 0 to {_INSTANCE_SEEDS[-1]}: train and test both have {common}",
    )
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
    return [begin(env, seed).info["task_id"] for seed in _INSTANCE_SEEDS]


_SEEDS = range(3)
_EXPERT_SEEDS = 10
_EXPERT_SECONDS = 5.0
# More than any id's step cap, so that the cap ends the episode.
_EXPERT_STEPS = 100_000
_LEAST_CHANCE = 0.001
_STEPS = 60


@contract_check
def check_progress(case: Case) -> None:
    """Check that progress starts at 0.0 and its best is 1.0 only with success."""
    env = case.make()
    for seed in _SEEDS:
        for policy in (mixed, expert):
            with at(f"seed {seed}, {policy.__name__}"):
                _follow(rollout(env, seed, policy))
    env.close()


def _follow(moments: list[StepResult]) -> None:
    start = moments[0].info
    for key, value in (("progress", 0.0), ("best_progress", 0.0), ("success", False)):
        expect(start[key] == value, f"at reset {key} is {start[key]}, not {value}")
    best = total = 0.0
    for step, moment in enumerate(moments[1:], 1):
        total += moment.reward
        best = max(best, moment.info["progress"])
        with at(f"step {step}"):
            _agrees(moment, best, total)
            names, were = list(moment.info["subgoals"]), list(start["subgoals"])
            expect(names == were, f"subgoals are {names}, were {were}")


def _agrees(moment: StepResult, best: float, total: float) -> None:
    info = moment.info
    progress, reported = info["progress"], info["best_progress"]
    expect(0.0 <= progress <= 1.0, f"progress={progress} is outside 0.0 to 1.0")
    expect(
        reported == best,
        f"best_progress is {reported}, the highest progress is {best}",
    )
    expect(
        math.isclose(total, best, abs_tol=1e-9),
        f"the return is {total}, best_progress is {best}",
    )
    success = info["success"]
    expect(success == (best == 1.0), f"success={success} with best_progress={best}")
    if success:
        unmet = [name for name, holds in info["subgoals"].items() if not holds]
        expect(not unmet, f"solved with unmet subgoals: {unmet}")
        expect(moment.terminated, "solved, but not terminated")


@contract_check
def check_expert(case: Case, seeds: int = _EXPERT_SEEDS) -> None:
    """Check that the expert solves the promised share with valid actions only.

    If the promised share is 1.0, every instance must be solved within the step cap.
    Otherwise the check fails if the number of failures has a probability below 0.001.

    Args:
        case: The environment.
        seeds: The number of instances; fewer, but at least three, are played if they
            take more than five seconds.
    """
    env = case.make()
    deadline = time.monotonic() + _EXPERT_SECONDS
    failures: list[str] = []
    for seed in range(seeds):
        if seed >= len(_SEEDS) and time.monotonic() > deadline:
            break
        moments = rollout(env, seed, expert, _EXPERT_STEPS)
        failures += _expert_failure(seed, moments)
        share = case.expectations.expert_success
        expect(
            _chance(seed + 1, len(failures), share) >= _LEAST_CHANCE,
            f"{'; '.join(failures)}; a share of {share} is promised",
        )
    env.close()


def _expert_failure(seed: int, moments: list[StepResult]) -> list[str]:
    with at(f"seed {seed}"):
        for moment in moments[1:]:
            why = moment.info["feedback"]
            valid = moment.info["action_valid"]
            expect(valid, f"the expert's {moment.action!r} is invalid: {why}")
    last = moments[-1].info
    if last["success"]:
        return []
    count = f"{len(moments) - 1} steps and progress {last['progress']}"
    return [f"seed {seed}: not solved after {count}"]


def _chance(count: int, failures: int, success: float) -> float:
    """Return the probability of at least a number of failures in independent trials."""
    return sum(
        math.comb(count, k) * (1.0 - success) ** k * success ** (count - k)
        for k in range(failures, count + 1)
    )
