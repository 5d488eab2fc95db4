"""What a text shows as an example is accepted as it stands."""

import re

import gymnasium as gym
import pytest

from aq_gym.core.help import HELP
from aq_gym.registration import TABLE

# What stands before an example, and after it. The rest of a text has forms with
# placeholders, such as "click[label]".
_SHOWN = re.compile(
    r"(?:What works now: |Write a call such as )(?P<now>[^\n]+)\.(?=\n|$)"
    r"|\bin the form: (?P<form>[^<\n]+)(?=\n|$)|\bAsk as: (?P<asked>[^?\n]+\?)"
    r"|\bof a tool, as (?P<call>[^\n]+?\))(?=;)"
    r"|\bof a tool, as (?P<one>\w+\[[^\]\n]+\]) or (?P<other>\w+\[[^\]\n]+\])"
)
# Their first observation shows no example, or only commands as they are: "turn left".
_WITHOUT = {
    *("2048", "ALFWorld", "BabyAI-text", "Cipher", "Jericho", "MMLU", "PDDL"),
    *("ScienceWorld", "Sudoku", "WebShop"),
}
# Their feedback lists the commands or options themselves.
_LISTED = {"2048", "BabyAI-text", "Jericho", "MMLU", "ScienceWorld", "Sudoku"}
ROWS = [
    pytest.param(
        row,
        marks=pytest.mark.needs(*(f"module:{name}" for name in row.requires)),
        id=row.id.removeprefix("aq/").removesuffix("-v0"),
    )
    for row in TABLE
    if not row.family
]


def shown(text):
    """Return the examples in a text."""
    return [one for found in _SHOWN.finditer(text) for one in found.groups() if one]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("number", range(3))
def test_an_example_is_accepted(row, number):
    kwargs = row.suite[number % len(row.suite)][1] if row.suite else {}
    env = gym.make(row.id, **kwargs)
    name = row.id.removeprefix("aq/").removesuffix("-v0")
    first = shown(env.reset(seed=number)[0])
    assert first or name in _WITHOUT
    refused = shown(env.step("xqz, if I may")[4]["feedback"])
    assert refused or name in _LISTED
    for example in (*first, *refused):
        env.reset(seed=number)
        info = env.step(example)[4]
        assert info["action_valid"], (example, info["feedback"])


@pytest.mark.parametrize("name", ["ALFWorld", "PDDL", "WebShop"])
def test_an_example_is_accepted_wherever_it_is_shown(name):
    env = gym.make(f"aq/{name}-v0")
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(12):
            info = env.step("xqz, if I may")[4]
            (example,) = shown(info["feedback"])
            assert example != HELP and env.unwrapped.understands(example)
            *_, over, _, info = env.step(example)
            assert info["action_valid"] and not over, example
            if env.step(env.unwrapped.expert_action())[2]:
                break
