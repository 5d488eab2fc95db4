"""Products and goals from the JSON of WebShop's files."""

import itertools

import pytest

from aq_gym.envs.webshop.official_files import (
    combination,
    combinations,
    goal_of,
    options_of,
    product_of,
)

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


def test_a_range_of_prices_is_drawn_by_asin():
    prices = {product(f"B{k}", pricing="$10.00$12.00$90.00").price for k in range(9)}
    assert len(prices) == 9 and all(10 <= price <= 12 for price in prices)
    again = {product(f"B{k}", pricing="$10.00$12.00$90.00").price for k in range(9)}
    assert again == prices


def test_options_are_written_as_webshop_writes_them():
    made = product(customization_options=OPTIONS)
    assert made.options == (
        ("size", ("s", "l | xl")),
        ("color", ("red", "blue", "green")),
    )


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


def test_options_and_values_are_bounded():
    many = {str(k): [{"value": str(k)} for k in range(2000)] for k in range(30)}
    options = product(customization_options=many).options
    assert (len(options), len(options[0][1])) == (20, 1000)


def test_the_options_of_a_goal_are_bounded():
    many = {str(k): str(k) for k in range(30)}
    assert options_of(many) == [*many.items()][:20]
    assert options_of([*many]) == [*many][:20]


@pytest.mark.parametrize("value", [None, [1], {"a": "b"}, [[[]]]])
def test_what_is_no_text_is_absent(value):
    values = [{"value": value}, {"value": "Red"}, value]
    made = product(
        name=value, pricing=value, full_description=value, small_description=[value],
        customization_options={"Color": values},
    )  # fmt: skip
    assert (made.title, made.description, made.bullets) == ("", "", ())
    assert (made.price, made.options) == (100.0, (("color", ("red",)),))
