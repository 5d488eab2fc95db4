"""Check that equal ids, arguments, seeds and actions give equal episodes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import TypeAlias

import gymnasium as gym

from aq_gym.support.imports import search_path
from aq_gym.testing.assertions import ContractError, at, expect
from aq_gym.testing.case import (
    Case,
    begin,
    contract_check,
    deterministic_only,
    expect_same,
    generator,
    inner,
    mixed,
    proceed,
    rollout,
    rows,
)
from aq_gym.testing.stack import full_stack

# The rows of a rollout, and the key of the state at its end.
_Transcript: TypeAlias = tuple[list[list[str]], str]

_SEED = 7
_STEPS = 25


@contract_check
@deterministic_only
def check_two_envs(case: Case) -> None:
    """Check that two environments give equal episodes, with info in equal order."""
    first, second = case.make(), case.make()
    for seed in range(3):
        expected, got = rows(rollout(first, seed)), rows(rollout(second, seed))
        expect_same(expected, got, f"seed {seed}: two envs differ")


@contract_check
@deterministic_only
def check_same_again(case: Case) -> None:
    """Check that an environment repeats an episode, whatever it played before."""
    env = case.make()
    seeds = (0, 1, 0, 2, 1)
    played: dict[int, list[list[str]]] = {}
    for seed in seeds:
        got = rows(rollout(env, seed, steps=_STEPS))
        expect_same(played.setdefault(seed, got), got, f"seed {seed}: played again")
    env.close()


@contract_check
@deterministic_only
def check_interleaved(case: Case) -> None:
    """Check that interleaved steps of another environment have no effect."""
    alone = rollout(case.make(), _SEED, steps=_STEPS)
    env, other = case.make(), case.make()
    moments = [begin(env, _SEED)]
    begin(other, _SEED + 1)
    rng, other_rng = generator(_SEED), generator(0)
    while len(moments) < len(alone) and not moments[-1].over:
        moments += proceed(env, mixed, rng, 1)
        if proceed(other, mixed, other_rng, 1)[-1].over:
            begin(other)
    where = f"seed {_SEED}: alone and beside another env"
    expect_same(rows(alone), rows(moments), where)


@contract_check
@deterministic_only
def check_other_process(case: Case) -> None:
    """Check that another process with another hash seed gives equal episodes.

    At their ends the keys of the states are equal, too.

    The same applies to the environment in every wrapper of the package.
    """
    with TemporaryDirectory() as directory:
        envs = {
            "bare": case.make(),
            "wrapped": full_stack(case.make(), directory),
        }
        answer = _in_other_process([_spec(env) for env in envs.values()])
        for (name, env), (got, other_key) in zip(envs.items(), answer, strict=True):
            where = f"{name}, seed {_SEED}: here and in another process"
            expected, key = transcript(env)
            expect_same(expected, got, where)
            expect(key == other_key, f"{where}: the state's keys {key} and {other_key}")
            env.close()


def _spec(env: gym.Env[str, str]) -> str:
    if env.spec is None:
        raise ContractError(f"{env} has no spec")
    try:
        return env.spec.to_json()
    except TypeError as error:
        raise ContractError(f"the spec of {env} is not JSON: {error}") from error


def _other_hash_seed() -> str:
    """Return a hash seed that differs from that of this process."""
    return "54321" if os.environ.get("PYTHONHASHSEED") == "12345" else "12345"


def _in_other_process(specs: list[str]) -> list[_Transcript]:
    environ = {
        **os.environ,
        "PYTHONHASHSEED": _other_hash_seed(),
        "PYTHONPATH": search_path(),
    }
    child = subprocess.run(
        [sys.executable, "-m", "aq_gym.testing.other_process"],
        input=json.dumps(specs),
        capture_output=True,
        text=True,
        env=environ,
        timeout=600,
        check=False,
    )
    with at("another process"):
        expect(child.returncode == 0, child.stderr)
    answer: list[_Transcript] = json.loads(child.stdout)
    return answer


def transcript(env: gym.Env[str, str]) -> _Transcript:
    """Return what two processes compare: the rows of a rollout and a state's key."""
    played = rows(rollout(env, _SEED, steps=_STEPS))
    return played, inner(env).get_state().key
