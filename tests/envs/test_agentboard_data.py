"""AgentBoard's annotated subgoals of BabyAI and Jericho, from made-up files."""

import copy
import json

import gymnasium as gym
import pytest
from protocol_contract import hold_contract

from aq_gym.evaluation import Suite
from aq_gym.papers.suites import playable
from aq_gym.testing import Case

LEVELS = ("GoToRedBallGrey-v0", "GoToObjS6-v0")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder of AgentBoard's data, which ``AGENTBOARD_DATA`` names."""
    rows = [
        {
            "task": "babyai",
            "goal": f"g{n}",
            "subgoals": [f"pattern {n}", "right in front of you 1 steps away"],
            "difficulty": "hard",
            "additional_info": {"subtask": f"BabyAI-{level}"},
        }
        for level in LEVELS
        for n in range(4)
    ]
    first = rows[0].pop("subgoals")
    rows[0] |= {"subgoals_1": first, "subgoals_2": ["You are facing a wall", "moon"]}
    stories = [
        {"goal": "g", "subgoals": [f"text {n}", "grue"], "difficulty": "easy"}
        for n in range(20)
    ]
    for name, lines in (("babyai", rows), ("jericho", stories)):
        file = tmp_path / "data" / name / "test.jsonl"
        file.parent.mkdir(parents=True)
        file.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setenv("AGENTBOARD_DATA", str(tmp_path))
    return tmp_path


def babyai(**kwargs):
    return gym.make(
        "aq/BabyAI-text-v0", level=LEVELS[0], protocol="agentboard", **kwargs
    )


def test_a_seed_has_its_own_subgoals_and_label(data):
    env = babyai()
    observation, info = env.reset(seed=1234)
    assert info["difficulty"] == "hard" and "facing a wall" in observation
    _, _, _, _, info = env.step("turn left")
    # Either of two alternatives counts; patterns of equal places are one subgoal.
    assert info["agentboard_reward"] == info["agentboard_progress"] == 0.5
    other, state = babyai(), env.get_wrapper_attr("get_state")()
    other.reset(seed=1235)
    other.get_wrapper_attr("set_state")(state)
    for one in (env, copy.deepcopy(env), other):
        _, _, _, _, info = one.step("turn left")
        assert info["agentboard_reward"] == 0.5


def test_other_seeds_and_given_patterns_do_not_take_the_files(data):
    env = babyai()
    env.reset(seed=7)
    _, _, _, _, info = env.step("turn left")
    assert info["agentboard_reward"] == 0.0
    assert info["agentboard_progress"] == info["progress"]
    env = babyai(patterns=["You are facing a wall"])
    env.reset(seed=1234)
    _, _, done, _, info = env.step("turn left")
    assert done and info["agentboard_reward"] == 1.0


def test_without_data_our_progress_counts(monkeypatch, tmp_path):
    # As if it were not set.
    monkeypatch.setenv("AGENTBOARD_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    env = babyai()
    _, info = env.reset(seed=1234)
    assert info["difficulty"] == "easy"
    assert info["agentboard_progress"] == info["progress"] == 0.0
    with pytest.raises(ValueError, match="or AGENTBOARD_DATA with its data"):
        gym.make("aq/ToolQuery-v0", world="academia", protocol="agentboard")
    with pytest.raises(FileNotFoundError, match="data/babyai"):
        babyai(data_dir=str(tmp_path))
    with pytest.raises(ValueError, match="belong to protocol='agentboard'"):
        gym.make("aq/BabyAI-text-v0", data_dir=str(tmp_path))


@pytest.mark.parametrize("value", ["nowhere", "."])
def test_a_variable_that_names_something_else_is_refused(monkeypatch, tmp_path, value):
    monkeypatch.setenv("AGENTBOARD_DATA", str(tmp_path / value))
    for make in (babyai, lambda: playable(Suite.load("agentboard"))):
        with pytest.raises(FileNotFoundError, match=r"AGENTBOARD_DATA='.*or unset it"):
            make()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kwargs"),
    [("BabyAI-text", {"level": LEVELS[0]}), ("ALFWorld", {}), ("WebShop", {})],
)
def test_the_contract_holds_in_its_protocol(name, kwargs):
    hold_contract(Case(f"aq/{name}-v0", {**kwargs, "protocol": "agentboard"}))


def test_alternatives_of_different_lengths_are_refused(data):
    file = data / "data" / "babyai" / "test.jsonl"
    file.write_text(file.read_text().replace('"You are facing a wall", ', ""))
    with pytest.raises(ValueError, match="same length"):
        babyai()


def test_a_title_has_the_subgoals_of_its_place(data):
    from aq_gym.envs.jericho.agentboard import AnnotatedProtocol, annotated_subgoals
    from aq_gym.envs.jericho.env import PROTOCOLS

    assert annotated_subgoals("905", None) == ("text 0", "grue")
    assert annotated_subgoals("darkhunt", str(data)) == ("text 18", "grue")
    protocol = PROTOCOLS["agentboard"].of("zork1", (), None)
    assert isinstance(protocol, AnnotatedProtocol)
    with pytest.raises(ValueError, match="belong to protocol='agentboard'"):
        PROTOCOLS["aq"].of("zork1", (), str(data))
    file = data / "data" / "jericho" / "test.jsonl"
    file.write_text(file.read_text().split("\n")[0])
    with pytest.raises(ValueError, match="has 20 tasks of Jericho, not 1"):
        annotated_subgoals("905", None)
