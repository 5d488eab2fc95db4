"""WebShop on generated catalogues: pages, actions, scores and experts."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.logic.catalogue import generate
from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.reward import Judge, matched_options
from aq_gym.envs.webshop.logic.shop import Index, words
from aq_gym.envs.webshop.protocol import read


def make(**kwargs):
    return gym.make("aq/WebShop-v0", **{"products": 200, **kwargs}).unwrapped


@pytest.fixture(scope="module")
def env():
    return make()


def solve(env, seed):
    _, info = env.reset(seed=seed)
    actions = []
    over = False
    while not over:
        actions.append(env.expert_action())
        _, _, over, _, info = env.step(actions[-1])
    return actions, info


def test_an_episode(env):
    page, info = env.reset(seed=1)
    assert info["goal"] in page and "[button] Search [button_]" in page
    target = env._game.shop.product(env._task.goal.asin)
    page, *_ = env.step(f"search[{target.title}]")
    assert f"[button] {target.asin} [button_]" in page and target.title in page
    assert "Page 1 (Total results: " in page
    page, _, _, _, info = env.step(f"click[{target.asin}]")
    assert f"Price: {target.price_tag}" in page
    assert info["subgoals"]["type opened"] and not info["subgoals"]["option 1"]
    for name in ("Description", "Features", "Reviews"):
        page, *_ = env.step(f"click[{name}]")
        assert info["goal"] in page if "goal" in info else True
        env.step("click[< Prev]")
    for name, values in target.options:
        page, _, _, _, info = env.step(f"click[{values[0].upper()}]")
        assert f"[clicked button] {values[0]} [clicked button_]" in page, name
    wanted = env._task.goal.options
    for _, values in target.options:
        for value in set(values) & set(wanted):
            _, _, _, _, info = env.step(f"click[{value}]")
    assert info["subgoals"]["option 1"] and info["subgoals"]["price"]
    assert info["progress"] < 1.0 and info["score"] == 0.0
    page, _, terminated, _, info = env.step("click[Buy Now]")
    assert terminated and info["success"] and info["score"] == 1.0
    assert "Your score (0.0 to 1.0): 1" in page


def test_a_wrong_purchase_ends_the_episode_below_1(env):
    env.reset(seed=2)
    env.step("search[hat]") if env._game.shop.search("hat") else None
    env.step(f"search[{env._game.shop.products[0].title}]")
    first = env._game.results()[0]
    env.step(f"click[{first.asin}]")
    _, _, terminated, _, info = env.step("click[buy now]")
    assert terminated and not info["success"]
    assert info["score"] == Judge(env._task.goal, env._nouns).reward(first, [])
    assert info["best_progress"] < 1.0


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("buy", "is not an action: write search[keywords] or click[label]"),
        ("search[]", "is not an action"),
        ("click[Buy Now]", "This page has no 'buy now'. You can use search[keywords]."),
        ("click[B000000000]", "This page has no"),
    ],
)
def test_what_cannot_be_done_is_explained(env, action, said):
    env.reset(seed=3)
    before = env.get_state()
    page, reward, terminated, _, info = env.step(action)
    assert said in info["feedback"] and info["feedback"] in page
    assert not info["action_valid"] and not terminated and reward == 0.0
    assert env.get_state() == before


@pytest.mark.parametrize(
    "text",
    [
        "search[red shoe]",
        " Search [ red  shoe ].",
        '"search[red shoe]"',
        "SEARCH[Red Shoe]",
    ],
)
def test_a_search_is_read_as_it_was_meant(text):
    assert read(text) == ("search", "red shoe")


def test_one_action_is_read_in_a_sentence():
    assert read("I would use search[hat] now.") == ("search", "hat")
    assert read("Either search[hat] or search[cap].") is None
    assert read("research[hat]") is None and read("no search[] here") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("search[a]\nclick[b]", None),
        ("search[a [b]]\nclick[c]", None),
        ("search[a]\nthen click[b].", None),
        ("search[]\nclick[b]", None),
        ("search[a]\n search[a].", ("search", "a")),
        ("I look at it.\nsearch[a [b]]", ("search", "a [b]")),
        ("search[red\nhat]", ("search", "red hat")),
        # On one line the action is read as WebShop reads it.
        ("search[a] click[b]", ("search", "a] click[b")),
        ("click[a [b]]", ("click", "a [b]")),
    ],
)
def test_of_two_actions_on_two_lines_none_is_read(text, found):
    assert read(text) == found


@pytest.mark.parametrize(
    ("protocol", "valid"), [("webshop", True), ("agentboard", False)]
)
def test_quotes_around_a_label_are_dropped_in_our_protocol(protocol, valid):
    env = make(protocol=protocol)
    env.reset(seed=4)
    env.step("search[set]")
    for action in ('click["Next >"]', "click['< Prev']"):
        before = env._game.view
        _, _, _, _, info = env.step(action)
        assert info["action_valid"] == valid == (env._game.view != before)
    _, _, _, _, info = env.step('click["nothing"]')
    assert not info["action_valid"]


def test_the_mode_text_joins_the_pieces():
    env = make(observation_mode="text", instructions=False)
    page, info = env.reset(seed=0)
    assert page == f"WebShop [SEP] Instruction: [SEP] {info['goal']} [SEP] Search"


@pytest.mark.parametrize("seed", range(12))
def test_the_expert_buys_what_is_asked_for(env, seed):
    actions, info = solve(env, seed)
    assert info["success"], actions
    assert actions[-1] == "click[Buy Now]" and len(actions) < 15
    chosen = [value for _, value in env._game.view.options]
    # WebShop's reward also accepts similar values, such as another number of a pack.
    assert sorted(chosen) == sorted(env._task.goal.options), actions


def test_the_expert_leaves_another_product_at_once(env):
    env.reset(seed=0)
    shop, goal = env._game.shop, env._task.goal
    asin = next(one for one in shop.numbers if one != goal.asin)
    title = shop.product(asin).title
    for action in (f"search[{title}]", f"click[{asin}]", "click[Description]"):
        assert env.step(action)[4]["action_valid"]
    assert env.expert_action().casefold() == "click[back to search]"


def test_the_expert_replaces_a_choice_that_only_counts_as_right():
    env = make(products=1000)
    env.reset(seed=1)
    assert env._task.goal.options == ("pack of 12", "24 ounce")
    while env._game.view.page != "item":
        env.step(env.expert_action())
    for action in ("click[pack of 1]", "click[12 ounce]"):
        env.step(action)
    played, over = [], False
    while not over:
        played.append(env.expert_action())
        over = env.step(played[-1])[2]
    assert played == ["click[24 ounce]", "click[pack of 12]", "click[Buy Now]"]


@pytest.mark.parametrize("seed", range(4))
def test_all_subgoals_hold_only_after_a_right_purchase(seed):
    """A product of another type reaches no subgoal of options and price."""
    env = make(products=1000)
    env.reset(seed=seed)
    judge, goal, shop = env._game.judge, env._task.goal, env._task.shop
    others = [
        one
        for one in shop.products
        if (has := judge.terms(one)).type < 1
        and all(has.attributes)
        and has.price
        and has.best == len(goal.options)
    ]
    for other in others[:3]:
        env.reset(seed=seed)
        for asin in (goal.asin, other.asin):
            env.step(f"search[{shop.product(asin).title}]")
            _, _, _, _, info = env.step(f"click[{asin}]")
            assert info["subgoals"]["type opened"] and "price" in info["subgoals"]
        for _, values in other.options:
            for value in values:
                if matched_options([value], goal.options).count(True):
                    env.step(f"click[{value}]")
                    break
        _, _, terminated, _, info = env.step("click[Buy Now]")
        assert terminated and not info["success"]
        held = {name for name, holds in info["subgoals"].items() if holds}
        assert held == {"type listed", "type opened", "bought"}
    assert others or seed not in (2, 3)


@pytest.mark.slow
@pytest.mark.parametrize("products", [100, 1000, 10_000])
def test_the_expert_solves_catalogues_of_every_size(products):
    env = make(products=products)
    assert all(solve(env, seed)[1]["success"] for seed in range(300))


def test_goals_of_a_large_catalogue_ask_for_more():
    products = generate(0, 300)
    few, more, most = (
        [goal_of(one, str(number), size) for number, one in enumerate(products)]
        for size in (2000, 2001, 20_001)
    )
    assert {len(goal.attributes) for goal in few} == {1, 2, 3}
    assert {len(goal.options) for goal in few} >= {1, 2}
    assert {len(goal.attributes) for goal in more} == {2, 3, 4}
    assert {len(goal.attributes) for goal in most} >= {3, 4}
    for goals in (more, most):
        asked = [len(goal.options) for goal in goals]
        assert asked == [len(one.options) for one in products]


def test_search_ranks_by_bm25_and_then_by_place():
    index = Index.build(["red shoes", "red hat red", "blue hats", "", "red shoe"])
    assert index.search("shoes", 9) == [0, 4]
    assert index.search("red hat", 9) == [1, 2, 0, 4]
    assert index.search("green", 9) == [] == index.search("", 9)
    assert index.search("red", 2) == [1, 0]
    assert Index.build(["", "the"]).search("the", 3) == []


@given(
    st.lists(st.text("ab cd", max_size=12), min_size=1, max_size=8), st.text("abcd ")
)
def test_what_is_found_has_a_word_of_the_query(texts, query):
    found = Index.build(texts).search(query, 5)
    wanted = set(words(query))
    having = [k for k, text in enumerate(texts) if wanted & set(words(text))]
    assert set(found) <= set(having) and len(found) == min(5, len(having))


def test_the_splits_share_neither_goals_nor_products_across_sizes():
    found = {"train": set(), "test": set()}
    for split, products in (("train", 300), ("test", 300), ("test", 200)):
        env = make(split=split, products=products)
        for seed in range(20):
            env.reset(seed=seed)
            goal, shop = env._task.goal, env._task.shop
            product = shop.product(goal.asin)
            asked = (*sorted(goal.attributes), *sorted(goal.options))
            found[split] |= {
                product.asin,
                (product.query, *sorted(product.attributes)),
                ("goal", product.query, *asked),
            }
    assert not found["train"] & found["test"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"products": 99}, "products=99 must be 100 to 100000"),
        ({"catalogue": 10}, "catalogue=10 must be 0 to 9"),
        ({"protocol": "x"}, "protocol='x'"),
        ({"goals": "synthetic"}, "goals='synthetic' needs data_dir"),
        ({"catalogue": 1, "data_dir": "x"}, "catalogue=1 is the number of a generated"),
        ({"catalogue": 0, "goals": "agentboard"}, "catalogue=0 is the number of a"),
        (
            {"protocol": "agentboard-paper", "observation_mode": "text"},
            "observation_mode='text' has no effect with AgentBoard's",
        ),
        ({"observation_mode": "html"}, "observation_mode='html'"),
    ],
)
def test_a_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


def test_the_protocols_measure_progress_in_their_ways():
    envs = {
        name: make(protocol=name)
        for name in ("webshop", "agentquest", "agentboard", "agentboard-paper")
    }
    reached = {}
    for name, env in envs.items():
        env.reset(seed=1)
        rates = []
        while not env.success():
            rates.append(env.step(env.expert_action())[-1]["progress"])
        reached[name] = rates
    assert reached["agentquest"] == [0.0] * (len(reached["agentquest"]) - 1) + [1.0]
    assert reached["webshop"][0] > 0 and reached["agentboard"][-2] < 1.0
    assert all(rates[-1] == 1.0 for rates in reached.values())
