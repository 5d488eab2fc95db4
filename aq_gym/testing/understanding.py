"""Check that ``understands`` accepts every valid action and has no effect."""

from __future__ import annotations

from aq_gym.core import TextEnv
from aq_gym.testing.assertions import at, expect
from aq_gym.testing.case import (
    GARBAGE,
    Case,
    begin,
    contract_check,
    expert,
    generator,
    inner,
    into_episode,
    mixed,
    rollout,
    sample,
)

_SEEDS = range(2)
_STEPS = 20
_SAMPLES = 10


@contract_check
def check_understands(case: Case) -> None:
    """Check that ``understands`` accepts help and valid actions, without effect.

    Where a benchmark leaves ``_read_action`` as it is, only help actions are.
    """
    env = case.make()
    text_env = inner(env)
    begin(env, 0)
    for action in sorted(text_env.help_actions):
        _expect_understood(text_env, action)
        _expect_understood(text_env, f'  "{action.upper()}." ')
    kind = type(text_env)
    own = kind.understands, kind._read_action
    if own != (TextEnv.understands, TextEnv._read_action):
        for seed in _SEEDS:
            with at(f"seed {seed}"):
                _valid_is_understood(text_env, seed)
    _has_no_effect(text_env)
    env.close()


def _valid_is_understood(text_env: TextEnv, seed: int) -> None:
    for policy in (mixed, expert):
        for moment in rollout(text_env, seed, policy, steps=_STEPS)[1:]:
            if moment.info["action_valid"]:
                _expect_understood(text_env, moment.action or "")


def _expect_understood(text_env: TextEnv, action: str) -> None:
    understood = text_env.understands(action)
    expect(
        understood is True,
        f"{action!a:.100} is valid, but understands() returns {understood!r}",
    )


def _has_no_effect(text_env: TextEnv) -> None:
    into_episode(text_env, 0, 2)
    state = text_env.get_state()
    samples = [sample(text_env, generator(i)) for i in range(_SAMPLES)]
    for text in (*GARBAGE, *samples):
        understood = text_env.understands(text)
        expect(
            type(understood) is bool,
            f"understands({text!a:.100}) returns {understood!r}, not a bool",
        )
    now = text_env.get_state()
    expect(
        now == state,
        f"understands() changed the state from {state!r:.400} to {now!r:.400}",
    )
