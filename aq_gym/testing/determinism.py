"""Same id, arguments, seed and actions give the same bytes, anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import gymnasium as gym
import numpy as np

from aq_gym.testing.case import Case, begin, mixed, proceed, rollout

_SEED = 7
_STEPS = 25


def check_two_envs(case: Case) -> None:
    """Two environments agree on whole rollouts, info and order of keys included."""
    first, second = case.make(), case.make()
    for seed in range(3):
        # Keys in another order would be other bytes, so texts are compared.
        assert repr(rollout(first, seed)) == repr(rollout(second, seed))


def check_interleaved(case: Case) -> None:
    """Another environment that steps in between changes nothing."""
    alone = rollout(case.make(), _SEED, steps=_STEPS)
    env, other = case.make(), case.make()
    moments = [begin(env, _SEED)]
    begin(other, _SEED + 1)
    rng, other_rng = np.random.default_rng(_SEED), np.random.default_rng(0)
    while len(moments) < len(alone):
        moments += proceed(env, mixed, rng, 1)
        if proceed(other, mixed, other_rng, 1)[-1].over:
            begin(other)
    assert repr(moments) == repr(alone)


def check_other_process(case: Case) -> None:
    """A fresh process with other hashes, given the spec as JSON, agrees."""
    env = case.make()
    assert env.spec is not None
    environ = {
        **os.environ,
        "PYTHONHASHSEED": "12345",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    child = subprocess.run(
        [sys.executable, "-m", "aq_gym.testing.other_process"],
        input=env.spec.to_json(),
        capture_output=True,
        text=True,
        env=environ,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    assert json.loads(child.stdout) == transcript(env)


def transcript(env: gym.Env[str, str]) -> str:
    """Play the rollout that two processes compare."""
    return ascii(rollout(env, _SEED, steps=_STEPS))
