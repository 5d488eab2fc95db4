"""Check Gymnasium's API, and the types of results and of info."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from aq_gym.core import TextEnv
from aq_gym.testing.case import (
    Case,
    ContractError,
    StepResult,
    at,
    begin,
    contract_check,
    deterministic_only,
    expect,
    expect_raises,
    expert,
    inner,
    mixed,
    rollout,
)

_SEEDS = 10


@contract_check
@deterministic_only
def check_gymnasium(case: Case) -> None:
    """Check that Gymnasium's ``check_env`` passes without a warning."""
    env = case.make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            # Pixels need an extra; check_picture looks at the picture itself.
            check_env(env.unwrapped, skip_render_check=find_spec("resvg_py") is None)
        except (AssertionError, Warning) as problem:
            raise ContractError(f"check_env failed:  {problem}") from problem
    env.close()


@contract_check
def check_misuse(case: Case) -> None:
    """Check that incorrect calls raise an error immediately."""
    text_env = inner(case.make())
    expect_raises(ResetNeeded, lambda: text_env.step("help"), "step() before reset()")
    expect_raises(ResetNeeded, text_env.get_state, "get_state() before reset()")
    expect_raises(ResetNeeded, text_env.render, "render() before reset()")
    # If no success is promised, the expert might never end an episode.
    if case.expectations.expert_success:
        _play_to_an_end(text_env)
        expect_raises(ResetNeeded, lambda: text_env.step("help"), "step() after an end")
    with at("seed 0"):
        begin(text_env, 0)
        five: object = 5
        expect_raises(TypeError, lambda: text_env.step(five), "step(5)")  # type: ignore[arg-type]
        for name, value in (("no_such_option", 1), ("task_id", "no such task")):
            options = {name: value}
            expect_raises(
                ValueError,
                lambda options=options: begin(text_env, 0, **options),  # type: ignore[misc]
                f"reset(options={options})",
            )


def _play_to_an_end(text_env: TextEnv) -> None:
    """Play the expert's episodes until one terminates."""
    ends = (rollout(text_env, seed, expert)[-1].terminated for seed in range(_SEEDS))
    expect(
        any(ends), f"no episode of the expert terminates for seeds 0 to {_SEEDS - 1}"
    )


_ALWAYS = {"progress": float, "best_progress": float, "subgoals": dict, "success": bool}
_ON_RESET = {"goal": str, "task_id": str, "difficulty": str, "source": str}
_ON_STEP = {"action_valid": bool, "feedback": str}
_STEP_RESULT = {
    "observation": str,
    "reward": float,
    "terminated": bool,
    "truncated": bool,
}


@contract_check
def check_step_results(case: Case) -> None:
    """Check that a step returns exactly a str, a float, two bools and a dict."""
    env = case.make()
    for seed, policy in ((0, mixed), (1, expert)):
        for step, moment in enumerate(rollout(env, seed, policy)):
            for name, kind in {**_STEP_RESULT, "info": dict}.items():
                value = getattr(moment, name)
                expect(
                    type(value) is kind,
                    f"seed {seed}: step {step}: {name}={value!r:.100} is a "
                    f"{type(value).__name__}, not a {kind.__name__}",
                )
    env.close()


@contract_check
def check_info(case: Case) -> None:
    """Check that info always has the same keys with the same types."""
    env = case.make()
    types: dict[str, type] = {}
    own: set[str] | None = None
    for seed in range(2):
        for step, moment in enumerate(rollout(env, seed)):
            with at(f"seed {seed}: step {step}"):
                of_moment = {**_ALWAYS, **(_ON_STEP if step else _ON_RESET)}
                _has(moment, of_moment)
                keys = set(moment.info) - set(of_moment) - {"error"}
                # These keys are only in the info of reset.
                keys -= set() if step else {"labels"}
                own = keys if own is None else own
                expect(keys == own, f"extra_info has {sorted(keys)}, was {sorted(own)}")
                _keeps_types(moment.info, types)
    env.close()


def _has(moment: StepResult, expected: Mapping[str, type]) -> None:
    for key, kind in expected.items():
        expect(key in moment.info, f"info has no {key!r}")
        value = moment.info[key]
        expect(
            type(value) is kind,
            f"info[{key!r}]={value!r:.100} is not a {kind.__name__}",
        )
    subgoals = moment.info["subgoals"]
    expect(subgoals, "info['subgoals'] is empty")
    for name, holds in subgoals.items():
        fits = type(name) is str and type(holds) is bool
        expect(fits, f"subgoal {name!r}: {holds!r} is not a str and a bool")


def _keeps_types(info: dict[str, Any], types: dict[str, type]) -> None:
    for path in _paths_of_none(info, "info"):
        expect(False, f"{path} is None")
    for key, value in info.items():
        was = types.setdefault(key, type(value))
        expect(
            type(value) is was,
            f"info[{key!r}]={value!r:.100} is a {type(value).__name__}, was a "
            f"{was.__name__}",
        )


def _paths_of_none(value: object, path: str) -> Iterator[str]:
    if value is None:
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _paths_of_none(item, f"{path}[{key!r}]")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _paths_of_none(item, f"{path}[{index}]")
