"""Check that progress, reward, success and subgoals are consistent."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from aq_gym.core import TextEnv
from aq_gym.testing.assertions import at, expect
from aq_gym.testing.case import (
    GARBAGE,
    HELP,
    Case,
    StepResult,
    begin,
    contract_check,
    expert,
    generator,
    inner,
    mixed,
    mostly_sampled,
    rollout,
    take,
)

_SEEDS = range(3)
_EXPERT_SEEDS = 10
_EXPERT_SECONDS = 5.0
# More than the step cap of any id, so that the cap ends the episode.
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
    """Return the probability of at least so many failures among independent trials."""
    return sum(
        math.comb(count, k) * (1.0 - success) ** k * success ** (count - k)
        for k in range(failures, count + 1)
    )


@contract_check
def check_secrets(case: Case) -> None:
    """Check that no text for the agent contains a secret.

    The texts are observation, feedback, goal and the names of subgoals. Texts that an
    instance with other secrets shows too, at its start or as help, reveal nothing.
    """
    env, other = inner(case.make()), inner(case.make())
    for seed in _SEEDS:
        moment, said, rng = begin(env, seed), "", generator(seed)
        plain = _boilerplate(other, env.secrets(), seed)
        for step in range(_STEPS):
            said += f"\n{moment.action or ''}"
            with at(f"seed {seed}: step {step}"):
                _keeps_secrets(env, moment, said, plain)
            if moment.over:
                break
            moment = take(env, mostly_sampled(env, rng))


def _keeps_secrets(env: TextEnv, moment: StepResult, said: str, plain: str) -> None:
    for name, text in _shown(moment):
        for secret in env.secrets():
            kept = secret not in text or secret in said or secret in plain
            expect(kept, f"{name} {text!r:.300} holds the secret {secret!r}")


def _shown(moment: StepResult) -> Iterator[tuple[str, str]]:
    yield "observation", moment.observation
    yield "feedback", moment.info.get("feedback", "")
    yield "goal", moment.info.get("goal", "")
    for name in moment.info["subgoals"]:
        yield "subgoal", name


def _boilerplate(env: TextEnv, secrets: tuple[str, ...], seed: int) -> str:
    """Return the texts of an instance with different secrets, if there is one."""
    for other in range(seed + 1, seed + 11):
        moments = [begin(env, other)]
        if not set(env.secrets()) & set(secrets):
            break
    moments += [take(env, action) for action in (HELP, *GARBAGE)]
    return "\n".join(text for moment in moments for _, text in _shown(moment))
