"""Check that an environment follows Gymnasium's API, and its prompt."""

from __future__ import annotations

import warnings
from importlib.util import find_spec

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from aq_gym.core import TextEnv
from aq_gym.core.prompt import Example, Prompt
from aq_gym.testing.assertions import (
    ContractError,
    at,
    difference,
    expect,
    expect_raises,
)
from aq_gym.testing.case import (
    Case,
    begin,
    contract_check,
    deterministic_only,
    expert,
    inner,
    rollout,
    take,
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
def check_first_observation(case: Case) -> None:
    """Check that the first observation has the instructions, unless disabled."""
    with_words = begin(case.make(instructions=True), 0).observation
    without = begin(case.make(instructions=False), 0).observation
    expect(without, "seed 0: without instructions the first observation is empty")
    expect(
        len(without) < len(with_words),
        f"seed 0: the first observation is {with_words!r:.200} with instructions, "
        f"{without!r:.200} without: not shorter",
    )


@contract_check
def check_render(case: Case) -> None:
    """Check that ``render`` returns the last observation in mode "ansi"."""
    env = case.make(render_mode="ansi")
    silent = case.make(render_mode=None)
    begin(silent, 0)
    shown = silent.render()
    expect(shown is None, f"render() without a mode returns {shown!r:.100}, not None")
    moments = [begin(env, 0)]
    while len(moments) < 5 and not moments[-1].over:
        _expect_shown(env.render(), moments[-1].observation)
        action = ("fly to the moon", "help")[len(moments) % 2]
        if len(moments) > 2:
            action = inner(env).expert_action()
        moments.append(take(env, action))
    _expect_shown(env.render(), moments[-1].observation)
    env.close()


def _expect_shown(shown: object, observation: str) -> None:
    expect(
        shown == observation,
        f"seed 0: render() is {shown!r:.200}, the observation {observation!r:.200}",
    )


@contract_check
def check_misuse(case: Case) -> None:
    """Check that incorrect calls raise an error immediately."""
    text_env = inner(case.make())
    expect_raises(ResetNeeded, lambda: text_env.step("help"), "step() before reset()")
    expect_raises(ResetNeeded, text_env.get_state, "get_state() before reset()")
    expect_raises(ResetNeeded, text_env.render, "render() before reset()")
    # Without a success that is promised, the expert may never end an episode.
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


@contract_check
@deterministic_only
def check_prompt(case: Case) -> None:
    """Check that the prompt's example is a real episode that ends in success.

    It is played again with its own constructor arguments and seed.
    """
    prompt = inner(case.make()).task_prompt()
    expect(isinstance(prompt, Prompt), f"task_prompt() is {prompt!r:.80}, not a Prompt")
    if prompt.example is not None:
        with at(f"example with seed {prompt.example.seed}"):
            _play_again(case, prompt.example)


def _play_again(case: Case, example: Example) -> None:
    env = Case(case.id, example.kwargs).make()
    moment = begin(env, example.seed)
    _same("goal", example.goal, moment.info["goal"])
    _same("observation", example.observation, moment.observation)
    for step, turn in enumerate(example.turns, 1):
        expect(not moment.over, f"the episode is over after {step - 1} steps")
        moment = take(env, turn.action)
        with at(f"step {step}"):
            _same("observation", turn.observation, moment.observation)
            why = moment.info["feedback"]
            valid = moment.info["action_valid"]
            expect(valid, f"{turn.action!r} is invalid: {why}")
    expect(moment.info["success"], f"no success after {len(example.turns)} steps")
    env.close()


def _same(name: str, expected: str, actual: str) -> None:
    expect(expected == actual, f"{name} is {difference(expected, actual)}")
