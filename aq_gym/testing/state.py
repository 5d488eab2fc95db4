"""Check that states, deep copies and pickles continue as the original does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from tempfile import TemporaryDirectory

import gymnasium as gym

from aq_gym.core import TextEnv
from aq_gym.testing.assertions import ContractError, expect, expect_raises
from aq_gym.testing.case import (
    Case,
    begin,
    contract_check,
    deterministic_only,
    expect_same,
    generator,
    inner,
    into_episode,
    mixed,
    proceed,
    rollout,
    rows,
)
from aq_gym.testing.stack import full_stack

_SEED = 3
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
    into_episode(text_env, _SEED, _BEFORE)
    state = text_env.get_state()
    kept = pickle.dumps(state)
    expected = _continue(text_env)
    before = pickle.loads(kept)
    expect(
        state == before,
        f"seed {_SEED}: continuing changed the state from {before!r:.400} to "
        f"{state!r:.400}",
    )
    for name, successor in (("same", text_env), ("same", text_env), ("new", None)):
        target = successor or inner(case.make())
        target.set_state(pickle.loads(kept))
        again = target.get_state()
        where = f"seed {_SEED}: set_state in the {name} env"
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
                into_episode(env, _SEED, _BEFORE)
                where = f"seed {_SEED}: {duplicate.__name__.strip('_')} of {env}"
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
