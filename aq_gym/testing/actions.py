"""Check the actions that are listed, sampled and understood, and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aq_gym.core import TextEnv
from aq_gym.core.results import EnvState
from aq_gym.testing.case import (
    GARBAGE,
    HELP,
    Case,
    at,
    begin,
    contract_check,
    deterministic_only,
    difference,
    expect,
    expert,
    generator,
    inner,
    into_episode,
    mixed,
    rollout,
    sample,
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
    # The help action, or an invalid one, does not change the state that info describes.
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


_CANONICAL_MOMENTS = ((0, 0), (1, 5), (2, 12))
_CANONICAL_TRIED = 6
_SPELLINGS = ("{}", ' "{}" ', "{}.", "`{}`", "{}\n", " {} . ")


@contract_check
@deterministic_only
def check_canonical_actions(case: Case) -> None:
    """Check that an action and its canonical form have the same result.

    The canonical form of an understood text is understood and its own canonical form;
    every other text is returned unchanged. Neither changes the state.
    """
    env = case.make()
    text_env = inner(env)
    for seed, steps in _CANONICAL_MOMENTS:
        into_episode(text_env, seed, steps)
        state = text_env.get_state()
        for text in sorted({*_texts(text_env, seed)}):
            with at(f"seed {seed}, up to {steps} steps: {text!a:.100}"):
                _check_text(text_env, state, text)
    env.close()


def _texts(text_env: TextEnv, seed: int) -> Iterator[str]:
    """Yield actions in several spellings, and other text."""
    actions = [HELP, text_env.expert_action() or HELP, *_listed(text_env)]
    actions += [sample(text_env, generator(seed + k)) for k in range(_CANONICAL_TRIED)]
    for action in actions:
        yield from (spelling.format(action) for spelling in _SPELLINGS)
        for text in (action.upper(), action.replace(" ", "  ")):
            yield from (spelling.format(text) for spelling in _SPELLINGS[:2])
    yield from GARBAGE


def _listed(text_env: TextEnv) -> list[str]:
    try:
        listed = text_env.admissible_actions()
    except ValueError:
        return []
    picks = generator(len(listed)).permutation(len(listed))[:_CANONICAL_TRIED]
    return [listed[pick] for pick in picks]


def _check_text(text_env: TextEnv, state: EnvState, text: str) -> None:
    canonical = text_env.canonical_action(text)
    expect(
        type(canonical) is str, f"canonical_action() returns {canonical!r}, not a str"
    )
    if not text_env.understands(text):
        expect(canonical == text, f"not understood, but becomes {canonical!r:.100}")
    if canonical == text:
        return
    expect(
        text_env.understands(canonical),
        f"understood, but not its canonical form {canonical!r:.100}",
    )
    again = text_env.canonical_action(canonical)
    expect(
        again == canonical,
        f"its canonical form {canonical!r:.100} has another one: {again!r:.100}",
    )
    expect(
        text_env.said(text) == text_env.said(canonical),
        f"said() differs from that of its canonical form {canonical!r:.100}",
    )
    expect(text_env.get_state() == state, "canonical_action() changed the state")
    _expect_same_result(text_env, state, text, canonical)


def _expect_same_result(
    text_env: TextEnv, state: EnvState, text: str, canonical: str
) -> None:
    results = []
    for action in (text, canonical):
        text_env.set_state(state)
        moment = take(text_env, action)
        # The feedback may quote the action.
        info = {**moment.info, "feedback": ""}
        result = ascii((*moment._replace(action=None, info=info),))
        results.append((result, text_env.get_state()))
    text_env.set_state(state)
    (one, after), (other, after_other) = results
    expect(
        one == other and after == after_other,
        f"the result differs from that of its canonical form {canonical!r:.100}: "
        f"{difference(one, other)}",
    )


_SEEDS = range(2)
_STEPS = 20
_UNDERSTOOD_SAMPLES = 10


@contract_check
def check_understands(case: Case) -> None:
    """Check that ``understands`` accepts help and valid actions, without effect."""
    env = case.make()
    text_env = inner(env)
    begin(env, 0)
    for action in sorted(text_env.help_actions):
        _expect_understood(text_env, action)
        _expect_understood(text_env, f'  "{action.upper()}." ')
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
    samples = [sample(text_env, generator(i)) for i in range(_UNDERSTOOD_SAMPLES)]
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
