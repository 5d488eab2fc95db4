"""The measures of ratings, against published values and definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.ratings.measures import (
    area_under_curve,
    coefficient_of_variation,
    kendall_tau,
    krippendorff_alpha,
    normalized_entropy,
    weighted_kappa,
)

# Krippendorff (2011), section C: four observers, twelve units.
PUBLISHED = [
    [1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3],
]  # fmt: skip


def test_alpha_has_the_published_values():
    assert krippendorff_alpha(PUBLISHED, ordinal=False) == pytest.approx(
        0.743, abs=5e-4
    )
    assert krippendorff_alpha(PUBLISHED) == pytest.approx(0.815, abs=5e-4)


def test_alpha_at_its_ends():
    assert krippendorff_alpha([[0, 0], [2, 2]]) == 1.0
    assert krippendorff_alpha([[0, 2], [2, 0]]) < 0
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1], [2]]) is None
    assert krippendorff_alpha([]) is None


def test_kappa():
    # 20 and 15 agreements, 5 and 10 disagreements: kappa 0.4.
    first = [0] * 25 + [1] * 25
    second = [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    for power in (0, 1, 2):
        assert weighted_kappa(first, second, 2, power) == pytest.approx(0.4)
    # Both disagree once in ten; the worse miss weighs more only with weights.
    truth, near, far = [0, 1, 2, 3] * 3, [1, 1, 2, 3] * 3, [3, 1, 2, 3] * 3
    assert weighted_kappa(truth, near, 4) > weighted_kappa(truth, far, 4) + 0.3
    assert weighted_kappa([], [], 3) is None
    assert weighted_kappa([1, 1], [1, 1], 3) is None


def test_variation_is_not_symmetric():
    assert coefficient_of_variation([[0, 0], [4, 4], [1]]) == 0.0
    low, high = ([[0, 1]] * 3, [[4, 3]] * 3)
    assert coefficient_of_variation(low) == pytest.approx(2**0.5)
    assert coefficient_of_variation(high) == pytest.approx(2**0.5 / 7)
    assert coefficient_of_variation([[3]]) is None


def test_entropy():
    assert normalized_entropy([1, 1, 1], 3) == 0.0
    assert normalized_entropy([0, 1, 2], 3) == pytest.approx(1.0)
    assert normalized_entropy([0, 0, 1, 1], 4) == pytest.approx(0.5)


pairs = st.lists(
    st.tuples(st.integers(0, 4), st.floats(0, 1, width=16)), min_size=2, max_size=25
)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_tau_is_that_of_its_definition(values):
    x, y = zip(*values, strict=True)
    found = kendall_tau(x, y, range(len(x)))
    # The sign of each pair's difference: tau-b is their correlation.
    first, second = (np.sign(np.subtract.outer(each, each)) for each in (x, y))
    size = ((first**2).sum() * (second**2).sum()) ** 0.5
    if not size:
        assert found is None
    else:
        assert found.value == pytest.approx((first * second).sum() / size)
        assert found.low is None or found.low <= found.high


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=25))
def test_area_is_that_of_mann_and_whitney(values):
    won, lost = (
        [x for x, success in values if success is one] for one in (True, False)
    )
    found = area_under_curve(*zip(*values, strict=True), range(len(values)))
    if not won or not lost:
        assert found is None
    else:
        higher = [(one > other) + (one == other) / 2 for one in won for other in lost]
        assert found.value == pytest.approx(np.mean(higher))


def test_intervals_draw_tasks():
    rng = np.random.default_rng(1)
    truth = rng.random(40)
    ratings = np.digitize(truth + rng.normal(0, 0.2, 40), (0.3, 0.7))
    each = kendall_tau(ratings, truth, range(40))
    assert 0 < each.low < each.value < each.high < 1
    # Four copies of each episode are no more evidence.
    copies = kendall_tau(
        np.repeat(ratings, 4), np.repeat(truth, 4), np.repeat(range(40), 4)
    )
    assert copies.value == pytest.approx(each.value, abs=0.03)
    assert copies.high - copies.low > 0.9 * (each.high - each.low)
    assert kendall_tau(ratings[:4], truth[:4], range(4)).low is None
