"""The reward, term by term."""

import sys
import types

import gymnasium as gym
import pytest
from gymnasium.error import DependencyNotInstalled

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.logic.product import Goal, Product
from aq_gym.envs.webshop.logic.reward import (
    Judge,
    _model,
    is_alike,
    matched_attributes,
    matched_options,
    nouns,
    spacy_nouns,
)

LAMP = Product(
    asin="B0LAMP0001",
    title="Velan desk lamp",
    description="Its shade is made of Linen.",
    bullets=("Dims in three steps", "Folds flat"),
    query="lamps",
    product_category="Home \u203a Light \u203a Lamps",
    attributes=("warm light", "metal base"),
    options=(("color", ("navy blue", "off white")), ("size", ("small", "large"))),
    price=30.0,
    price_tag="$30.00",
)
GOAL = Goal(
    asin=LAMP.asin,
    query="lamps",
    name=LAMP.title,
    product_category=LAMP.product_category,
    attributes=("warm light", "folds flat"),
    options=("blue", "large"),
    price_upper=30.0,
    instruction="",
)


def reward(product=LAMP, values=("navy blue", "large"), **goal):
    return Judge(GOAL._replace(**goal), nouns).reward(product, values)


@pytest.mark.parametrize(
    ("changed", "score"),
    [
        ({}, 1.0),
        ({"values": ("navy blue",)}, 4 / 5),
        ({"values": ()}, 3 / 5),
        ({"price_upper": 29.99}, 4 / 5),
        ({"attributes": ("warm light", "made of glass")}, 4 / 5),
        ({"attributes": ("warm light",), "options": ()}, 1.0),
        ({"product": LAMP._replace(title="Gorin garden hose")}, 0.0),
    ],
)
def test_the_formula(changed, score):
    assert reward(**changed) == pytest.approx(score)


@pytest.mark.parametrize(
    ("title", "query", "category", "score"),
    [
        # The goal has the nouns n0 to n9; a title has some of them.
        ("n1 n2 n3", "other", "A \u203a B", 1.0),
        ("n1 n2", "other", "A \u203a B", 0.5),
        ("n1 n2", "lamps", "A \u203a B", 1.0),
        ("n1 n2", "other", "A \u203a Light \u203a Home", 1.0),
        ("n1 n2", "other", "Home \u203a Home \u203a B", 0.5),
        ("n1", "other", "A \u203a B", 0.5),
        ("none of them", "lamps", "Home \u203a Light \u203a Lamps", 0.0),
    ],
)
def test_the_type(title, query, category, score):
    goal = GOAL._replace(name=" ".join(f"n{k}" for k in range(10)))
    product = LAMP._replace(title=title, query=query, product_category=category)
    judge = Judge(goal, lambda text: tuple(text.split()))
    assert judge.terms(product).type == score


def test_one_of_more_than_ten_nouns_is_hardly_the_type():
    goal = GOAL._replace(name=" ".join(f"n{k}" for k in range(11)))
    judge = Judge(goal, lambda text: tuple(text.split()))
    assert judge.terms(LAMP._replace(title="n1")).type == 0.1


@pytest.mark.parametrize(
    ("name", "title", "score"),
    [("a b c d d", "a", 0.5), ("a b c d", "a", 1.0), ("a a b", "a a", 1.0)],
)
def test_a_repeated_noun_of_the_goal_counts_each_time(name, title, score):
    judge = Judge(GOAL._replace(name=name), lambda text: tuple(text.split()))
    other = {"query": "other", "product_category": "A \u203a B"}
    assert judge.terms(LAMP._replace(title=title, **other)).type == score


def test_a_goal_without_nouns_needs_the_query_or_the_categories():
    judge = Judge(GOAL, lambda text: ())
    other = LAMP._replace(asin="B0", query="other", product_category="A \u203a B")
    assert judge.terms(LAMP).type == 1.0 and judge.terms(other).type == 0.5


@pytest.mark.parametrize(
    ("attribute", "found"),
    [
        ("light warm", True),  # words in any order, of its attributes
        ("base of metal", True),
        ("desk lamp", True),  # as it stands, in lower case, in the texts
        ("made of linen", True),
        ("steps folds", True),  # over the end of a line
        ("Folds flat", False),  # texts are compared in lower case
        ("lamp desk", False),
        ("cold light", False),
    ],
)
def test_attributes(attribute, found):
    assert matched_attributes(LAMP, [attribute]) == [found]


@pytest.mark.parametrize(
    ("value", "wanted", "found"),
    [
        ("navy blue", "light blue", True),  # the color that its list has first
        ("navy blue", "navy", False),
        ("blue", ("color", "blue"), True),
        ("large", ("size", "large"), True),
        ("x", ("size", "large"), False),
        ("powder snow", "cool powder snow", True),
        ("", "", False),
        ("!", "!", False),
    ],
)
def test_options(value, wanted, found):
    assert matched_options([value], [wanted]) == [found]


def test_alike_means_more_than_85_of_100():
    assert is_alike("abcdefghijklmnopqrst", "abcdefghijklmnopqr")
    assert not is_alike("abcdefghij", "abcdefg")
    # Signs of Latin-1 above ASCII are left out, others are kept.
    assert is_alike("caf\u00e9", "caf") and not is_alike("\u00e9", "\u00e9")
    assert is_alike("\u0436", "\u0436")


@pytest.mark.parametrize("missing", ["spacy", "model"])
def test_spacy_nouns_without_spacy_or_its_model_name_the_fix(missing, monkeypatch):
    def load(name):
        raise OSError(f"[E050] Can't find model {name!r}.")

    found = types.SimpleNamespace(load=load) if missing == "model" else None
    monkeypatch.setitem(sys.modules, "spacy", found)
    _model.cache_clear()
    spacy_nouns.cache_clear()
    with pytest.raises(DependencyNotInstalled, match="spacy download en_core_web_sm"):
        gym.make("aq/WebShop-v0", nouns="spacy")


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Soft wooden spoon for the kitchen", "wooden spoon kitchen"),
        ("A portable, waterproof 2 quart pot.", "quart pot"),
        ("Men's Slip-On Shoes, Red, 8 D", "men slip shoes red"),
        ("Hat for men, red hat", "hat men red hat"),
        ("", ""),
    ],
)
def test_nouns(title, found):
    assert nouns(title) == tuple(found.split())
