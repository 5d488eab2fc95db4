"""Check the actions that an environment lists and samples, and its help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aq_gym.core import TextEnv
from aq_gym.core.results import EnvState
from aq_gym.testing.assertions import at, expect
from aq_gym.testing.case import (
    Case,
    begin,
    contract_check,
    generator,
    inner,
    into_episode,
    take,
)

_MOMENTS = ((0, 0), (0, 3), (1, 6), (2, 12))
_TRIED = 10
_SAMPLES = 50


@contract_check
def check_listed_actions(case: Case) -> None:
    """Check that every action that ``list_actions`` lists is valid.

    This is not checked if the constructor or reset raises ``ValueError`` because of
    ``list_actions=True``, as it does if there are too many actions to list.
    """
    begin(case.make(), 0)
    try:
        begin(case.make(list_actions=True), 0)
    except ValueError:
        return
    for place, text_env in _envs_in_states(case, list_actions=True):
        with at(place):
            _can_be_carried_out(text_env)


def _can_be_carried_out(text_env: TextEnv) -> None:
    # The help action, or an invalid one, changes nothing: info is of the same state.
    info = take(text_env, min(text_env.help_actions, default="")).info
    listed: Any = info.get("admissible_actions")
    expect(type(listed) is tuple, f"admissible_actions={listed!r:.100} is not a tuple")
    expect(len(set(listed)) == len(listed), f"duplicates in the list: {listed!r:.200}")
    again = text_env.admissible_actions()
    expect(again == listed, f"listed {listed!r:.200}, then {again!r:.200}")
    state = text_env.get_state()
    for index in generator(len(listed)).permutation(len(listed))[:_TRIED]:
        action = listed[index]
        text_env.set_state(state)
        info = take(text_env, action).info
        expect(info["action_valid"], f"{action!r} is listed, but: {info['feedback']}")


@contract_check
def check_sample_action(case: Case) -> None:
    """Check that at least one in fifty sampled actions is valid.

    This is not checked in a state without admissible actions.
    """
    for place, text_env in _envs_in_states(case):
        with at(place):
            if _can_act(text_env):
                _can_be_tried(text_env)


def _can_be_tried(text_env: TextEnv) -> None:
    state, rng = text_env.get_state(), generator(0)
    samples = [text_env.sample_action(rng) for _ in range(_SAMPLES)]
    for action in samples:
        expect(
            text_env.action_space.contains(action),
            f"sample_action() gives {action!r:.100}, not in {text_env.action_space}",
        )
    expect(
        any(_is_valid(text_env, state, action) for action in samples),
        f"none of {_SAMPLES} samples is valid: {samples[:3]!r:.300}, ...",
    )


@contract_check
def check_help(case: Case) -> None:
    """Check that every spelling of the help action is valid and changes nothing."""
    env = case.make()
    begin(env, 0)
    text_env = inner(env)
    state = text_env.get_state()
    for action in sorted(text_env.help_actions):
        for spelling in (action, f'  "{action.upper()}." '):
            with at(f"seed 0: {spelling!r}"):
                moment = take(text_env, spelling)
                expect(moment.info["action_valid"], f"invalid: {moment.info!r:.200}")
                expect(moment.observation, "the observation is empty")
                now = text_env.get_state()
                expect(now == state, f"state was {state!r:.400}, is {now!r:.400}")
    env.close()


def _envs_in_states(case: Case, **more: object) -> Iterator[tuple[str, TextEnv]]:
    """Yield the environment in several states of several episodes."""
    env = case.make(**more)
    text_env = inner(env)
    for seed, steps in _MOMENTS:
        into_episode(text_env, seed, steps)
        yield f"seed {seed}, up to {steps} steps", text_env
    env.close()


def _can_act(text_env: TextEnv) -> bool:
    try:
        return bool(text_env.admissible_actions())
    except ValueError:
        return True


def _is_valid(text_env: TextEnv, state: EnvState, action: str) -> bool:
    text_env.set_state(state)
    return bool(take(text_env, action).info["action_valid"])
