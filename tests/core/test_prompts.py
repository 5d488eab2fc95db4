"""The prompt of each benchmark is correct and reveals nothing."""

import json
from importlib.resources import files

import gymnasium as gym
import pytest

from aq_gym.core.prompt import Prompt, packaged_prompt
from aq_gym.registration import TABLE

ROWS = {row.id: row for row in TABLE if not row.family}
PACKAGES = {env_id: row.entry_point.partition(":")[0] for env_id, row in ROWS.items()}


def record(env_id):
    return json.loads(
        files(PACKAGES[env_id]).joinpath("prompt.json").read_text("utf-8")
    )


def needs(env_id):
    return pytest.mark.needs(*(f"module:{name}" for name in ROWS[env_id].requires))


IDS = [pytest.param(env_id, marks=needs(env_id)) for env_id in ROWS]
EXAMPLES = [
    pytest.param(env_id, name, marks=needs(env_id))
    for env_id in ROWS
    for name in record(env_id)["examples"]
]


def example_of(env_id, name):
    example = packaged_prompt(PACKAGES[env_id], name).example
    assert example.kwargs == record(env_id)["examples"][name]["kwargs"]
    return example


def begun(env_id, example):
    env = gym.make(env_id, **example.kwargs)
    _, info = env.reset(seed=example.seed)
    return env.unwrapped, info


@pytest.mark.parametrize(("env_id", "name"), EXAMPLES)
def test_an_example_is_true_and_thinks_before_each_action(env_id, name):
    example = example_of(env_id, name)
    env = gym.make(env_id, **example.kwargs)
    observation, info = env.reset(seed=example.seed)
    assert (observation, info["goal"]) == (example.observation, example.goal)
    for turn in example.turns:
        observation, _, _, _, info = env.step(turn.action)
        assert observation == turn.observation
        assert info["action_valid"]
        assert turn.thought
        assert "\n" not in turn.thought + turn.action
    assert info["success"]
    env.close()


@pytest.mark.parametrize(("env_id", "name"), EXAMPLES)
def test_an_example_is_no_test_instance(env_id, name):
    example = example_of(env_id, name)
    split = example.kwargs["split"]
    assert split.endswith("train")
    env, info = begun(env_id, example)
    for other in (split.replace("train", "test"), split):
        kwargs = {**example.kwargs, "split": other}
        options = {"task_id": info["task_id"]}
        if other == split:
            gym.make(env_id, **kwargs).reset(options=options)
        else:
            # If an argument names the instance, the constructor refuses it.
            with pytest.raises(ValueError, match=r"is not in split=|task_id"):
                gym.make(env_id, **kwargs).reset(options=options)
    env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_every_benchmark_says_how_to_act(env_id):
    prompt = gym.make(env_id).get_wrapper_attr("task_prompt")()
    assert isinstance(prompt, Prompt)
    assert prompt.system == record(env_id)["system"]
    assert 100 < len(prompt.system) < 1_000
    assert "What counts is" in prompt.system
    whole = json.dumps(prompt.example)
    assert len(whole) < 8_000, "an example is to fit into small contexts"


@pytest.mark.parametrize(
    ("env_id", "kwargs", "shown"),
    [
        ("aq/PDDL-v0", {"domain": "gripper"}, {"domain": "gripper"}),
        ("aq/PDDL-v0", {"domain": "barman"}, {"domain": "barman"}),
        ("aq/Mastermind-v0", {"code_length": 6}, {}),
        ("aq/Jericho-v0", {"game": "maze"}, {"game": "keepsakes"}),
        ("aq/Jericho-v0", {"game": "keepsakes"}, {"game": "maze"}),
    ],
)  # fmt: skip
def test_the_example_fits_the_arguments(env_id, kwargs, shown):
    example = gym.make(env_id, **kwargs).unwrapped.task_prompt().example
    assert shown.items() <= example.kwargs.items()


def test_a_domain_of_ones_own_is_shown_one_that_ships():
    example = packaged_prompt("aq_gym.envs.pddl", "mine").example
    assert example.kwargs["domain"] == "blocksworld"


def test_a_subclass_from_elsewhere_has_the_prompt_of_its_parent():
    class Mine(gym.make("aq/Mastermind-v0").unwrapped.__class__):
        pass

    assert Mine().task_prompt() == packaged_prompt("aq_gym.envs.mastermind")
