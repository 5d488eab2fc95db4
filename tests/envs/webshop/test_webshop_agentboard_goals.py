"""AgentBoard's goals: a file of our own in its format, and damaged ones."""

import json
import pickle

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop import agentboard, official_shop
from aq_gym.envs.webshop.official_files import DataError
from aq_gym.evaluation import Suite
from aq_gym.evaluation.preflight import check_tasks

SPOON = {
    "asin": "B0AAAAAAA1",
    "name": "Lorim wooden spoon for soup",
    "query": "spoons",
    "product_category": "Kitchen \u203a Spoons",
    "pricing": "$4.99",
    "full_description": "A spoon made of oak.",
    "small_description": ["Dishwasher safe"],
    "customization_options": {"Color": [{"value": "Oak"}, {"value": "Beech"}]},
}
INFO = {
    "product_id": "B0AAAAAAA1",
    "category": "garden",
    "query": "spoons",
    "product_name": "Lorim wooden spoon for soup",
    "product_category": "Kitchen \u203a Spoons",
    "attributes": ["dishwasher safe"],
    "price_upper": 20.0,
    "product_options": ["beech"],
    "weight": 1,
}
TASK = {
    "task": "webshop",
    "goal": "a spoon that is dishwasher safe, in beech, and price lower than 20.00",
    "difficulty": "hard",
    "additional_info": INFO,
}


@pytest.fixture(autouse=True)
def nothing_is_kept():
    for function in (
        official_shop.official_shop, official_shop.entries, agentboard._goals,
    ):  # fmt: skip
        function.cache_clear()


def write(root, lines):
    folder = root / "data" / "webshop"
    (folder / "data").mkdir(parents=True)
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    (folder / "test.jsonl").write_text(text, "utf-8")
    for name, value in (
        ("items_shuffle", [SPOON]), ("items_ins_v2", {}),
    ):  # fmt: skip
        (folder / "data" / f"{name}.json").write_text(json.dumps(value), "utf-8")
    return str(root)


def make(folder, **kwargs):
    made = gym.make("aq/WebShop-v0", data_dir=folder, goals="agentboard", **kwargs)
    return made.unwrapped


def test_a_goal_is_played_as_the_file_has_it(tmp_path):
    env = make(write(tmp_path, [TASK]), protocol="agentboard")
    page, info = env.reset(seed=0)
    assert (info["task_id"], info["difficulty"]) == ("agentboard-0", "hard")
    assert info["goal"] == TASK["goal"] and f"Goal: {TASK['goal']}\n" in page
    goal = env._task.goal
    assert goal == (
        *(INFO[key] for key in ("product_id", "query", "product_name")),
        INFO["product_category"], ("dishwasher safe",), ("beech",), 20.0, TASK["goal"],
    )  # fmt: skip
    for _ in range(5):
        *_, terminated, _, info = env.step(env.expert_action())
        if terminated:
            break
    assert info["success"]


def test_one_goal_can_be_chosen_and_pickled(tmp_path):
    other = {**TASK, "goal": "the other", "difficulty": "easy"}
    folder = write(tmp_path, [TASK, "", other])
    env = make(folder, goal=1)
    for seed in range(3):
        assert env.reset(seed=seed)[1]["task_id"] == "agentboard-1"
    assert len(pickle.dumps(env)) < 10_000
    copied = pickle.loads(pickle.dumps(env))
    assert copied.reset(seed=0)[1] == env.reset(seed=0)[1]
    drawn = {make(folder).reset(seed=seed)[1]["goal"] for seed in range(9)}
    assert drawn == {TASK["goal"], "the other"}
    with pytest.raises(ValueError, match="goal=2 must be 0 to 1"):
        make(folder, goal=2)


def without(key, given):
    return {name: value for name, value in given.items() if name != key}


def info_with(**changed):
    return {**TASK, "additional_info": {**INFO, **changed}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: Expecting"),
        ("[" * 100_000, "line 2: it is nested too deeply"),
        ("[]", "line 2: it must be an object with additional_info"),
        (without("additional_info", TASK), "line 2: it must be an object with"),
        (without("goal", TASK), "line 2: goal must be a text"),
        ({**TASK, "difficulty": "odd"}, 'line 2: difficulty must be "easy" or "hard"'),
        (info_with(product_id=7), "line 2: product_id must be a text"),
        (info_with(attributes="soft"), "line 2: attributes must be a list"),
        (info_with(price_upper="20"), "line 2: price_upper must be a number"),
        (info_with(price_upper=float("nan")), "line 2: price_upper must be a number"),
        (info_with(price_upper=10**400), "line 2: price_upper must be a number"),
        (info_with(price_upper=True), "line 2: price_upper must be a number"),
        (info_with(product_id="B0ELSEWHER"), "goal 1 of .*'B0ELSEWHER'.* products=0"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, line, message):
    with pytest.raises(DataError, match=message):
        make(write(tmp_path, [TASK, line]))


def test_an_empty_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"test\.jsonl has no goal"):
        make(write(tmp_path, []))


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"split": "test"}, "AgentBoard's goals can't be divided"),
        ({"goals": "synthetic", "goal": 1}, "goal=1 needs goals='agentboard', or"),
        ({"products": -1}, "products=-1 must be 0"),
    ],
)
def test_contradictions_are_refused(tmp_path, kwargs, message):
    given = {"goals": "agentboard", "data_dir": write(tmp_path, [TASK]), **kwargs}
    with pytest.raises(ValueError, match=message):
        gym.make("aq/WebShop-v0", **given)


def test_the_suite_has_every_goal_and_names_missing_data(tmp_path, monkeypatch):
    suite = Suite.load("agentboard-webshop")
    assert [task.kwargs["goal"] for task in suite.tasks] == list(range(251))
    monkeypatch.setenv("AGENTBOARD_DATA", str(tmp_path))
    (tmp_path / "agentboard").mkdir()
    with pytest.raises(FileNotFoundError, match=r"data/webshop/test.jsonl: get .*http"):
        check_tasks(suite)
    write(tmp_path, [TASK] * 251)
    check_tasks(suite.part(limit=2))
