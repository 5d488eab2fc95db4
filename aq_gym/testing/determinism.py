"""Check that equal seeds and actions give equal episodes, also in copies."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from aq_gym import trajectory
from aq_gym.core import TextEnv
from aq_gym.support.process import search_path
from aq_gym.testing.case import (
    Case,
    ContractError,
    Policy,
    at,
    begin,
    contract_check,
    deterministic_only,
    expect,
    expect_raises,
    expect_same,
    generator,
    inner,
    into_episode,
    mixed,
    proceed,
    rollout,
    rows,
)
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    SuccessReward,
    TrajectoryLogger,
)

_NEVER = r"(?!)"


def never(
    observation: object, reward: float, terminated: bool, info: dict[str, object]
) -> bool:
    """Return False: the subgoal is never reached."""
    return False


def full_stack(env: gym.Env[str, str], directory: str) -> gym.Env[str, str]:
    """Wrap an environment in every wrapper; only its reward is replaced."""
    names = ("progress", "best_progress", "subgoals", "success")
    env = SubgoalProgress(
        env,
        {"text": _NEVER, "call": {"function": f"{__name__}:never"}},
        keys={name: f"never_{name}" for name in names},
    )
    env = RepetitionRate(SuccessReward(env), threshold=0.8)
    env = StepCap(env, max_steps=50, max_invalid=20, max_repeated=30)
    return TrajectoryLogger(ExtractAction(env), directory)


# The rows of a rollout, and the key of its last state.
_Transcript: TypeAlias = tuple[list[list[str]], str]

_SEED = 7
_STEPS = 25


@contract_check
@deterministic_only
def check_two_envs(case: Case, policy: Policy = mixed) -> None:
    """Check that two environments give equal episodes, with info in equal order.

    Args:
        case: The environment.
        policy: Chooses the actions.
    """
    first, second = case.make(), case.make()
    for seed in range(3):
        expected, got = (rows(rollout(env, seed, policy)) for env in (first, second))
        expect_same(expected, got, f"seed {seed}: two envs differ")


@contract_check
@deterministic_only
def check_same_again(case: Case, policy: Policy = mixed) -> None:
    """Check that an environment repeats an episode, whatever it played before.

    Args:
        case: The environment.
        policy: Chooses the actions.
    """
    env = case.make()
    seeds = (0, 1, 0, 2, 1)
    played: dict[int, list[list[str]]] = {}
    for seed in seeds:
        got = rows(rollout(env, seed, policy, steps=_STEPS))
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

    The states at the end of the episodes have equal keys, too. The same applies to the
    environment in every wrapper of the package.
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
        [sys.executable, "-c", f"import {__name__} as this; this.answer_specs()"],
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


def answer_specs() -> None:
    """Write the transcripts of the specs on stdin: the other process calls it."""
    envs = [gym.make(EnvSpec.from_json(spec)) for spec in json.load(sys.stdin)]
    sys.stdout.write(json.dumps([transcript(env) for env in envs]))
    for env in envs:
        env.close()


def transcript(env: gym.Env[str, str]) -> _Transcript:
    """Return what two processes compare: the rows of a rollout and a state's key."""
    played = rows(rollout(env, _SEED, steps=_STEPS))
    return played, inner(env).get_state().key


_REPLAYED_SEED = 11
_STEPS = 25


@contract_check
def check_replay(case: Case) -> None:
    """Check that replaying a logged episode gives the same records.

    This is not checked if the environment does not promise to be replayable.
    """
    if not case.expectations.replayable:
        return
    with TemporaryDirectory() as directory:
        env = TrajectoryLogger(ExtractAction(RepetitionRate(case.make())), directory)
        rollout(env, _REPLAYED_SEED, mixed, _STEPS)
        env.close()
        (path,) = Path(directory).iterdir()
        # Trusted, because the caller has named the environment and its arguments.
        report = trajectory.replay(path, trust=True)
    expect(report.identical, f"seed {_REPLAYED_SEED}: replayed: {report.difference}")


_COPIED_SEED = 3
_BEFORE = 4
_AFTER = 12


@contract_check
@deterministic_only
def check_state(case: Case) -> None:
    """Check that an env continues after ``set_state`` as the original did.

    A state can be pickled, and set any number of times. Equal states have equal keys,
    whether they were hashed, pickled or compared.
    """
    text_env = inner(case.make())
    into_episode(text_env, _COPIED_SEED, _BEFORE)
    state = text_env.get_state()
    kept = pickle.dumps(state)
    expected = _continue(text_env)
    before = pickle.loads(kept)
    expect(
        state == before,
        f"seed {_COPIED_SEED}: continuing changed the state from {before!r:.400} to "
        f"{state!r:.400}",
    )
    for name, successor in (("same", text_env), ("same", text_env), ("new", None)):
        target = successor or inner(case.make())
        target.set_state(pickle.loads(kept))
        again = target.get_state()
        where = f"seed {_COPIED_SEED}: set_state in the {name} env"
        expect(again == state, f"{where}: {again!r:.400}, not {state!r:.400}")
        expect(hash(again) == hash(state), f"{where}: the hash is another one")
        keys = [one.key for one in (state, before, again, pickle.loads(kept))]
        expect(len({*keys}) == 1, f"{where}: equal states have the keys {keys}")
        expect_same(expected, _continue(target), where)
    _rejects_foreign_states(text_env)


def _rejects_foreign_states(text_env: TextEnv) -> None:
    begin(text_env, 0)
    name, arguments = text_env.get_state().identity
    for identity in (("another:Env", arguments), (name, '{"another": "argument"}')):
        foreign = dataclasses.replace(text_env.get_state(), identity=identity)
        expect_raises(
            ValueError,
            lambda foreign=foreign: text_env.set_state(foreign),  # type: ignore[misc]
            f"set_state() with a state of {identity}",
        )


@contract_check
@deterministic_only
def check_copies(case: Case) -> None:
    """Check that deep copies and pickles continue identically, also wrapped."""
    for duplicate in (copy.deepcopy, _through_pickle):
        with TemporaryDirectory() as directory:
            for env in (case.make(), full_stack(case.make(), directory)):
                into_episode(env, _COPIED_SEED, _BEFORE)
                where = f"seed {_COPIED_SEED}: {duplicate.__name__.strip('_')} of {env}"
                twin = _twin(duplicate, env, where)
                expect_same(_continue(env), _continue(twin), where)
                expected, got = (rows(rollout(e, 5, steps=3)) for e in (env, twin))
                expect_same(expected, got, f"{where}, the next episode")
                env.close()
                twin.close()


def _twin(
    duplicate: Callable[[gym.Env[str, str]], gym.Env[str, str]],
    env: gym.Env[str, str],
    where: str,
) -> gym.Env[str, str]:
    try:
        return duplicate(env)
    except Exception as error:
        raise ContractError(f"{where} raised {error!r}") from error


def _continue(env: gym.Env[str, str]) -> list[list[str]]:
    rng = generator(2)
    moments = proceed(env, mixed, rng, _AFTER)
    # The next, unseeded episode must follow from the same random state too.
    return rows([*moments, begin(env), *proceed(env, mixed, rng, 3)])


def _through_pickle(env: gym.Env[str, str]) -> gym.Env[str, str]:
    copied: gym.Env[str, str] = pickle.loads(pickle.dumps(env))
    return copied
