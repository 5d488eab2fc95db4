"""WebShop's files: a folder of our own in the official format, and damaged ones."""

import itertools
import json
import os
import pickle

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop import official_shop
from aq_gym.envs.webshop.official_files import (
    DataError,
    combination,
    combinations,
    goal_of,
    options_of,
    product_of,
)

PRODUCTS = [
    {
        "asin": "B0AAAAAAA1",
        "name": "Lorim wooden spoon for soup",
        "query": "Spoons ",
        "product_category": "Kitchen \u203a Tools \u203a Spoons",
        "pricing": "$4.99",
        "full_description": "A spoon made of oak.",
        "small_description": ["Dishwasher safe", "Two years of warranty"],
        "customization_options": {
            "Color": [{"value": "Dark Brown/Oak"}, {"value": "Beech"}],
            "Size": [{"value": "Small"}, {"value": "Large"}],
        },
        "images": ["x"],
    },
    {
        "asin": "B0AAAAAAA2",
        "name": "Velan steel ladle",
        "query": "ladles",
        "product_category": "Kitchen \u203a Tools \u203a Ladles",
        "pricing": "$10.00$12.00",
        "full_description": None,
        "small_description": None,
        "customization_options": None,
    },
    {"asin": "B0AAAAAAA1", "name": "the same once more"},
    {"asin": "nan", "name": "not a product"},
]
ATTRIBUTES = {
    "B0AAAAAAA1": {
        "attributes": ["dishwasher safe", "wooden"],
        "instruction": "i want a wooden spoon",
        "instruction_attributes": ["wooden"],
    },
    "B0AAAAAAA2": {"attributes": ["stainless"]},
}
HUMAN = {
    "B0AAAAAAA1": [
        {
            "instruction": "Find me a spoon that is dishwasher safe, in beech.",
            "instruction_attributes": ["dishwasher safe"],
            "instruction_options": ["beech"],
        },
        {"instruction": "nothing to judge", "instruction_attributes": []},
    ]
}


def write(folder, products=PRODUCTS, attributes=ATTRIBUTES, human=HUMAN):
    for name, value in (
        ("items_shuffle_1000", products),
        ("items_ins_v2_1000", attributes),
        ("items_human_ins", human),
    ):
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / f"{name}.json").write_text(text, "utf-8")
    return str(folder)


@pytest.fixture(autouse=True)
def nothing_is_kept():
    for function in (official_shop.official_shop, official_shop.entries):
        function.cache_clear()


def make(folder, **kwargs):
    return gym.make("aq/WebShop-v0", data_dir=folder, **kwargs).unwrapped


def test_a_goal_of_a_person_is_played(tmp_path):
    env = make(write(tmp_path))
    _, info = env.reset(seed=0)
    assert (info["task_id"], info["source"]) == ("B0AAAAAAA1-0", "user")
    assert info["goal"].startswith("Find me a spoon that is dishwasher safe, in beech,")
    assert "price lower than" in info["goal"]
    env.step("search[wooden spoon]")
    page, *_ = env.step("click[b0aaaaaaa1]")
    assert "[button] dark brown | oak [button_]" in page and "Price: $4.99" in page
    env.step("click[beech]")
    _, _, terminated, _, info = env.step("click[Buy Now]")
    assert terminated and info["success"]


def many(count):
    """Return as many goals of people, some without attributes."""
    one = HUMAN["B0AAAAAAA1"][0]
    goals = [{**one, "instruction": f"number {k}"} for k in range(count)]
    goals[3] = {**one, "instruction_attributes": []}
    other = [{**one, "instruction": f"other {k}"} for k in range(3)]
    return {"B0AAAAAAA2": other, "B0AAAAAAA1": goals, "B0AAAAAAAX": goals}


def test_goals_of_people_are_in_webshops_order(tmp_path):
    folder = write(tmp_path, human=many(2001))
    numbers = {"all": 2003, "test": 500, "train": 503}
    envs = {split: make(folder, split=split) for split in numbers}
    ids = {split: envs[split]._tasks.ids for split in numbers}
    assert {split: len(found) for split, found in ids.items()} == numbers
    assert ids["test"] + ids["all"][500:1500] + ids["train"] == ids["all"]
    # The first goals of WebShop's own engine/goal.py with these files.
    assert ids["all"][:3] == tuple(f"B0AAAAAAA1-{k}" for k in (103, 1266, 837))
    env = make(folder, goal=1)
    assert env.reset(seed=7)[1]["task_id"] == ids["all"][1]
    assert pickle.loads(pickle.dumps(env))._tasks.ids == env._tasks.ids
    with pytest.raises(ValueError, match="goal=2003 must be 0 to 2002"):
        make(folder, goal=2003)
    with pytest.raises(ValueError, match=r"goal=1 is one goal: .*split='test'"):
        make(folder, goal=1, split="test")
    with pytest.raises(DataError, match="it has 1 goals; WebShop tests"):
        other = tmp_path / "other"
        other.mkdir()
        make(write(other), split="train")


def test_synthetic_goals_are_all_choices_of_options(tmp_path):
    folder = write(tmp_path)
    (tmp_path / "items_human_ins.json").unlink()
    env = make(folder, goals="synthetic", products=0)
    goals = set()
    for number in range(4):
        options = {"task_id": f"B0AAAAAAA1-{number}"}
        goals.add(env.reset(seed=0, options=options)[1]["goal"])
        for _ in range(10):
            *_, over, _, info = env.step(env.expert_action())
            if over:
                break
        assert info["success"]
    assert len(goals) == 4
    assert all("with color: " in goal and "size: " in goal for goal in goals)
    with pytest.raises(ValueError, match=r"such as B0AAAAAAA1-0"):
        env.reset(options={"task_id": "B0AAAAAAA1-4"})


def test_a_large_index_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(official_shop, "_CACHED", 1)
    folder = tmp_path / "data"
    folder.mkdir()
    files = official_shop.find_files(write(folder), 0)
    made = official_shop.official_shop(files, 0)
    (kept,) = (tmp_path / "cache").rglob("*.npz")
    official_shop.official_shop.cache_clear()
    build = official_shop.Index.build
    monkeypatch.setattr(official_shop.Index, "build", None)
    loaded = official_shop.official_shop(files, 0)
    for query in ("wooden spoon", "steel", "x"):
        assert loaded.search(query) == made.search(query)
    assert loaded.numbers == made.numbers
    # A damaged index is built again.
    kept.write_bytes(b"x" * 100)
    official_shop.official_shop.cache_clear()
    monkeypatch.setattr(official_shop.Index, "build", build)
    assert official_shop.official_shop(files, 0).search("steel")
    assert kept.stat().st_size > 100


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"products": "{}"}, "must be a JSON array"),
        ({"products": "[{]"}, "no complete object at byte 1"),
        ({"products": "[" * 100_000}, "no complete object"),
        ({"products": "[1]"}, "1 must be an object"),
        ({"products": "[]"}, "has no product"),
        ({"attributes": "[]"}, "items_ins_v2_1000.json must be a JSON object"),
        ({"attributes": "{"}, "items_ins_v2_1000.json is not JSON"),
        ({"human": '{"a":' * 100_000}, "items_human_ins.json is not JSON"),
        ({"human": {}}, "has no human goal of its products"),
        ({"products": '[{"a": ' + "[" * 985 + "]" * 985 + "}]"}, "at byte 1"),
        ({"products": '[{"a": ' + "9" * 5000 + "}]"}, "at byte 1"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, files, message):
    with pytest.raises(DataError, match=message):
        make(write(tmp_path, **files))


def test_a_folder_without_the_files_is_named(tmp_path):
    # A pipe never ends.
    os.mkfifo(tmp_path / "items_shuffle.json")
    with pytest.raises(ValueError, match=r"has no items_shuffle\*\.json; give"):
        make(str(tmp_path))


@pytest.mark.parametrize("change", ["name", "asin", "pricing", "customization_options"])
@pytest.mark.parametrize("value", [None, 7, [1], {"a": "b"}, {"a": [{"value": None}]}])
def test_odd_products_are_read(tmp_path, change, value):
    products = [{**PRODUCTS[0], change: value}, PRODUCTS[1], {**PRODUCTS[0]}]
    env = make(write(tmp_path, products))
    env.reset(seed=0)
    assert "Page 1" in env.step("search[spoon ladle]")[0]


HALF = "half\ud800"


@pytest.mark.parametrize(
    "item",
    [
        {"name": HALF},
        {"full_description": HALF, "small_description": [HALF]},
        {"query": HALF, "product_category": HALF, "pricing": HALF},
        {"customization_options": {HALF: [{"value": HALF}]}},
    ],
)
def test_half_a_character_is_replaced(tmp_path, item):
    attributes = {"B0AAAAAAA1": {"attributes": [HALF]}}
    said = {"instruction": HALF, "instruction_attributes": [HALF]}
    products = [{**PRODUCTS[0], **item}, PRODUCTS[1]]
    env = make(
        write(tmp_path, products, attributes, {"B0AAAAAAA1": [said]}), list_actions=True
    )
    seen = [env.reset(seed=0)]
    for action in ("search[spoon]", "click[b0aaaaaaa1]", "click[description]"):
        page, *_, info = env.step(action)
        seen.append((page, info))
    assert "half?" in seen[0][1]["goal"]
    assert "ud800" not in ascii(seen)


def test_bytes_that_are_not_utf8_are_named(tmp_path):
    folder = write(tmp_path)
    (tmp_path / "items_shuffle_1000.json").write_bytes(b'[{"asin": "\xed\xa0\x80"}]')
    with pytest.raises(DataError, match=r"items_shuffle_1000.json .* at byte 1: 'utf"):
        make(folder)


@pytest.mark.parametrize("protocol", ["webshop", "agentboard"])
def test_every_page_is_in_the_space_of_observations(tmp_path, protocol):
    long = "long " * 10_000
    item = {
        **PRODUCTS[0], "name": long, "small_description": [long] * 20,
        "full_description": long,
        "customization_options": {str(k): [{"value": f"{long}{k}"}] for k in range(20)},
    }  # fmt: skip
    said = {"instruction": long, "instruction_attributes": [long]}
    human = {"B0AAAAAAA1": [said]}
    folder = write(tmp_path, [item, PRODUCTS[1]], human=human)
    env = make(folder, protocol=protocol, explain=True)
    env.reset(seed=0)
    for action in (
        "search[spoon]", "click[B0AAAAAAA1]", "click[x]", "check valid actions", "x",
        "click[Features]", "click[< Prev]", "click[Description]",
    ):  # fmt: skip
        assert env.step(action)[0] in env.observation_space


OPTIONS = {
    "Size": [{"value": "S"}, {"value": " L/XL "}],
    "Color": [{"value": "Red"}, {"value": "Blue"}, {"value": "Green"}],
    "Style": None,
}


def product(asin="B0AAAAAAA1", **item):
    return product_of({"asin": asin, **item}, ["soft"])


@pytest.mark.parametrize(
    ("pricing", "price", "tag"),
    [
        ("$4.99", 4.99, "$4.99"),
        ("$1,299.99", 1299.99, "$1299.99"),
        ("", 100.0, "$100.0"),
        (None, 100.0, "$100.0"),
        ("$1.2.3", 100.0, "$100.0"),
        ("$" + "9" * 400, 100.0, "$100.0"),
    ],
)
def test_a_price(pricing, price, tag):
    made = product(pricing=pricing)
    assert (made.price, made.price_tag) == (price, tag)


def test_options_are_written_as_webshop_writes_them():
    made = product(customization_options=OPTIONS)
    assert made.options == (
        ("size", ("s", "l | xl")),
        ("color", ("red", "blue", "green")),
    )


def test_what_is_read_of_a_product_and_of_a_goal_has_limits():
    many = {str(k): [{"value": str(k)} for k in range(2000)] for k in range(30)}
    options = product(customization_options=many).options
    assert (len(options), len(options[0][1])) == (20, 1000)
    assert len(options_of(dict.fromkeys(many, "x"))) == len(options_of([*many])) == 20
    assert len(product(full_description="x" * 30_000).description) == 20_000


def test_choices_are_in_the_order_of_webshops_goals():
    made = product(customization_options=OPTIONS)
    names, values = zip(*sorted(made.options), strict=True)
    expected = [
        tuple(zip(names, chosen, strict=True)) for chosen in itertools.product(*values)
    ]
    assert [combination(made, k) for k in range(combinations(made))] == expected


@pytest.mark.parametrize(
    ("price", "limits"),
    [("$25.00", {40, 50, 60}), ("$970.00", {990}), ("$985.00", {1e6})],
)
def test_a_limit_is_the_higher_of_two_of_the_next_four_tens(price, limits):
    made = product(pricing=price)
    goals = [goal_of(made, k, "a hat", ["soft"], []) for k in range(60)]
    assert {goal.price_upper for goal in goals} == limits
    for goal in goals:
        text = f", and price lower than {goal.price_upper:.2f} dollars"
        assert goal.instruction == "a hat" + text * (goal.price_upper < 1e6)
