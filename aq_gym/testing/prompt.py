"""Check the prompt of an environment."""

from __future__ import annotations

from aq_gym.core.prompt import Example, Prompt
from aq_gym.testing.assertions import at, difference, expect
from aq_gym.testing.case import (
    Case,
    begin,
    contract_check,
    deterministic_only,
    inner,
    take,
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
