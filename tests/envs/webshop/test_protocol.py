"""AgentBoard's protocol: its pages, its answers and its progress."""

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.env import PROTOCOLS
from aq_gym.envs.webshop.logic.session import Scores


def make(protocol="agentboard"):
    return gym.make(
        "aq/WebShop-v0",
        protocol=protocol,
        products=100,
        catalogue=0,
        instructions=False,
    ).unwrapped


@pytest.fixture
def env():
    made = make()
    made.reset(seed=0)
    return made


def walk(env, *actions):
    for action in actions:
        result = env.step(action)
    return result


def opened(env):
    env.step("search[set]")
    product = env._game.results()[0]
    return env.step(f"click[{product.asin}]")[0], product


def test_the_first_page_has_the_goal_and_the_search():
    text, info = make().reset(seed=0)
    assert text == (
        f"Goal: {info['goal']}\nWEB PAGE: {{Let us begin shopping \n[Search]}}"
    )


def test_a_page_of_results_has_three_products_and_no_goal(env):
    text, *_ = env.step("search[set]")
    assert text.startswith("WEB PAGE: {\n[Back to Search] \nPage 1 (Total results: 15)")
    assert text.count("[B0") == 3 and env._task.goal.instruction not in text


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (["buy it"], "Incorrect action format. Please use"),
        (["search[set]", "search[set]"], "WEB PAGE: {There is no [Search] button, "),
        (["click[the moon]"], "You can only click the button showed in the "),
        (["search[set]", "click[Next >"], "You can only click the button showed in "),
        (["search[set]", "click[< Prev]"], "The page number is limited to 5, please "),
        (
            ["search[set]", *["click[Next >]"] * 6],
            "The page number is limited to 5, please ",
        ),
    ],
)
def test_a_mistake_has_agentboards_answer(env, actions, said):
    text, *_, info = walk(env, *actions)
    assert text.startswith(said) and not info["action_valid"]
    shown = " The recent observation is: \n" + env.protocol.page(env._game)
    assert text.endswith(shown) == text.startswith(("You can", "The page"))


def test_an_action_without_its_bracket_loses_its_last_character(env):
    text, *_, info = env.step("I say: search[sets")
    assert env._game.view.query == "set" and info["action_valid"]
    assert walk(env, "click[Back to Search]", "search[set]")[0] == text


def test_six_pages_of_results_are_shown(env):
    text, *_, info = walk(env, "search[set]", *["click[Next >]"] * 5)
    assert "Page 6" in text and info["action_valid"]
    assert "click[Next >]" not in env.admissible_actions()


def test_an_option_that_is_clicked_is_all_that_is_said(env):
    _, product = opened(env)
    name, values = product.options[0]
    one = next(value for value in values if value.isalpha())
    assert env.step(f"click[{one}]")[0] == f"WEB PAGE: {{You have clicked {one}.}}"
    text, *_ = walk(env, "click[Features]", "click[< Prev]")
    assert f"[[{one}]]" in text and text.count("[[") == 1, name


def test_an_option_of_two_words_is_not_marked(env):
    _, product = opened(env)
    options = [value for _, values in product.options for value in values]
    two = next((value for value in options if " " in value), None)
    while two is None:
        walk(env, "click[< Prev]", "click[Next >]")
        product = env._game.results()[0]
        env.step(f"click[{product.asin}]")
        options = [value for _, values in product.options for value in values]
        two = next((value for value in options if " " in value), None)
    text, *_ = walk(env, f"click[{two}]", "click[Features]", "click[< Prev]")
    assert f"[{two}]" in text and "[[" not in text


@pytest.mark.parametrize(("expert", "said"), [(True, "Success"), (False, "False")])
def test_a_purchase_says_only_whether_it_was_right(env, expert, said):
    over = False
    if not expert:
        opened(env)
    while not over:
        action = env.expert_action() if expert else "click[Buy Now]"
        text, _, over, _, info = env.step(action)
    assert text == f"WEB PAGE: {{Result: [{said}]}}" and info["success"] == expert


def test_blank_texts_and_signs_that_latin_1_lacks_are_left_out(env):
    shop, asin = env._task.shop, env._task.goal.asin
    product = shop.product(asin)
    env.step(f"search[{product.title}]")
    changed = product._replace(title="Caf\u00e9 \u203a", description=" ")
    shop.products[shop.numbers[asin]] = changed
    try:
        text, *_ = env.step(f"click[{asin}]")
        blank, *_ = env.step("click[Description]")
    finally:
        shop.products[shop.numbers[asin]] = product
    assert blank == "WEB PAGE: {\n[Back to Search] \n[< Prev] }"
    assert "\nCaf\u00e9  \n" in text and "\u203a" not in text


@pytest.mark.parametrize(
    ("protocol", "scores", "progress"),
    [
        ("agentboard", Scores(listed=0.9, opened=0.6, last=0.3), 0.4),
        ("agentboard-paper", Scores(listed=0.9, opened=0.6, last=0.3), 0.5),
        ("agentboard", Scores(listed=0.9, last=0.3, bought=0.9), 0.9),
        ("agentboard-paper", Scores(listed=0.9, opened=0.6, bought=0.9), 0.8),
        ("webshop", Scores(listed=1, opened=0.5, last=1, chosen=0.3, bought=0.2), 0.5),
    ],
)
def test_progress(protocol, scores, progress):
    made = PROTOCOLS[protocol]("text_rich")
    assert made.progress(scores) == pytest.approx(progress)
