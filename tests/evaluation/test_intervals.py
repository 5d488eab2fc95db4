"""Confidence intervals and p-values of means, with scipy as a judge."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.evaluation import mean_interval, mean_p_value
from aq_gym.evaluation.intervals import cluster_codes, mean_band

special = pytest.importorskip("scipy.special")
pytestmark = pytest.mark.needs("module:scipy")


@pytest.mark.parametrize("trials", [2, 5, 20, 300, 20_000])
def test_outcomes_have_the_interval_of_clopper_and_pearson(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        outcomes = [1.0] * successes + [0.0] * (trials - successes)
        value, *limits = mean_interval(outcomes)
        failures = trials - successes
        low = special.betaincinv(successes, failures + 1, 0.025) if successes else 0.0
        high = special.betaincinv(successes + 1, failures, 0.975) if failures else 1.0
        assert value == successes / trials
        assert limits == pytest.approx([low, high], abs=0.003)


@pytest.mark.parametrize("count", [3, 10, 60])
def test_graded_scores_have_gaffkes_interval(count):
    rng = np.random.default_rng(count)
    values = rng.random(count)
    weights = rng.dirichlet(np.ones(count + 1), size=40_000)
    low = np.quantile(weights @ np.append(values, 0.0), 0.025)
    high = np.quantile(weights @ np.append(values, 1.0), 0.975)
    assert mean_interval(values.tolist())[1:] == pytest.approx((low, high), abs=0.008)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(1, 4))
def test_a_mean_is_in_its_interval(values, size):
    clusters = [number // size for number in range(2 * len(values))]
    value, low, high = mean_interval(values * 2, clusters)
    if len(set(clusters)) == 1:
        assert low is high is None
    else:
        assert -1e-9 <= low <= value + 1e-9
        assert value - 1e-9 <= high <= 1 + 1e-9


@given(
    st.lists(st.floats(-1, 1), min_size=10, max_size=30),
    st.sampled_from([(-1.0, 1.0), None]),
)
def test_the_p_value_is_below_5_percent_where_the_interval_excludes_0(values, bounds):
    _, low, high = mean_interval(values, bounds=bounds)
    p_value = mean_p_value(values, bounds=bounds)
    assert 0 <= p_value <= 1
    # Without bounds, the normal score of Student's distribution is approximate.
    if low is not None and abs(p_value - 0.05) > (1e-4 if bounds else 1e-3):
        assert (p_value < 0.05) == (low > 0 or high < 0)


@pytest.mark.parametrize(
    ("better", "worse"), [(8, 2), (5, 0), (0, 9), (3, 3), (60, 40)]
)
def test_paired_outcomes_have_the_p_value_of_mcnemars_exact_test(better, worse):
    differences = [1.0] * better + [-1.0] * worse + [0.0] * 7
    exact = min(1, 2 * special.bdtr(min(better, worse), better + worse, 0.5))
    assert mean_p_value(differences) == pytest.approx(exact, rel=0.05)


def test_equal_repetitions_count_once():
    values = [0.0, 0.25, 0.5, 1.0, 1.0]
    repeated, clusters = values * 4, list(range(5)) * 4
    assert mean_interval(repeated, clusters)[1:] == pytest.approx(
        mean_interval(values)[1:]
    )
    assert mean_p_value(repeated, clusters) == pytest.approx(mean_p_value(values))


def error_of_mean(values):
    return values.std(ddof=1) / len(values) ** 0.5


def students_interval(values):
    half = special.stdtrit(len(values) - 1, 0.975) * error_of_mean(values)
    return values.mean() - half, values.mean() + half


def symmetric(values):
    """Return values with an equal number at the same distance on the other side."""
    return np.concatenate([values, 60 - values])


def test_symmetric_values_without_bounds_have_students_interval():
    values = symmetric(np.random.default_rng(1).normal(30, 5, 6))
    exact = students_interval(values)
    assert mean_interval(values, bounds=None)[1:] == pytest.approx(exact, rel=1e-3)
    t = (values.mean() - 27) / error_of_mean(values)
    assert mean_p_value(values - 27, bounds=None) == pytest.approx(
        2 * special.stdtr(11, -abs(t)), rel=0.05
    )
    pairs = np.repeat(values, 2)
    found = mean_interval(pairs, [number // 2 for number in range(24)], None)
    assert found[1:] == pytest.approx(exact, rel=3e-3)


def halls_limit(values, score):
    """Return the mean whose t statistic, corrected for skewness, has the score."""
    count = len(values)
    skew = ((values - values.mean()) ** 3).sum() * count / (count - 1) / (count - 2)
    skew /= values.std(ddof=1) ** 3 * count**0.5
    low, high = values.mean() - 50, values.mean() + 50
    for _ in range(60):
        middle = (low + high) / 2
        t = (values.mean() - middle) / error_of_mean(values)
        corrected = t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6
        low, high = (middle, high) if corrected > score else (low, middle)
    return low


@pytest.mark.parametrize("count", [10, 40])
def test_skewed_values_have_the_farther_limits_of_student_and_hall(count):
    values = np.random.default_rng(count).exponential(1, count).round(1)
    score = special.stdtrit(count - 1, 0.975)
    low, high = students_interval(values)
    expected = min(low, halls_limit(values, score)), halls_limit(values, -score)
    assert expected[1] > high
    for sign, limits in ((1, expected), (-1, (-expected[1], -expected[0]))):
        found = mean_interval(sign * values, bounds=None)[1:]
        assert found == pytest.approx(limits, rel=2e-3)


@pytest.mark.parametrize(
    ("name", "truth", "least"), [("exponential", 1, 0.93), ("lognormal", 1.6487, 0.9)]
)
@pytest.mark.parametrize("count", [10, 20])
def test_intervals_of_skewed_values_cover_their_mean(name, truth, least, count):
    samples = getattr(np.random.default_rng(3), name)(size=(2_000, count))
    found = [mean_interval(sample, bounds=(0.0, inf)) for sample in samples]
    assert sum(one.low <= truth <= one.high for one in found) >= least * len(found)


def test_too_few_values_have_no_interval():
    assert mean_interval([0.5]) == (0.5, None, None)
    assert mean_interval([0.0, 1.0], ["a", "a"]) == (0.5, None, None)
    assert mean_interval([1.0, 2.0, 6.0] * 3, bounds=None) == (3.0, None, None)
    assert mean_interval([4.0] * 12, bounds=None) == (4.0, None, None)
    assert mean_p_value([1.0], bounds=None) == 1.0
    assert mean_p_value([-50.0, -51.0, -52.0], bounds=None) == 1.0


def test_a_mean_of_counts_is_not_negative():
    counts = [1.0] * 10 + [60.0]
    assert mean_interval(counts, bounds=None).low < 0
    assert mean_interval(counts, bounds=(0.0, inf)).low == 0.0


def test_no_difference_is_no_evidence():
    assert mean_p_value([0.0] * 20) == 1.0
    assert mean_p_value([0.0] * 20, bounds=None) == 1.0
    assert mean_p_value([1.0] * 60) == pytest.approx(2**-59, rel=0.05)


def test_a_band_has_the_intervals_of_its_columns():
    table = np.random.default_rng(0).integers(5, size=(30, 300)) / 4
    table[:, 3] = 1.0
    for size in (1, 4):
        clusters = [number // size for number in range(30)]
        low, high = mean_band(table, cluster_codes(clusters, 30))
        for column, own, limits in zip(table.T, low, high, strict=True):
            expected = mean_interval(column, clusters)[1:]
            assert (own, limits) == pytest.approx(expected, abs=1e-5)
    assert mean_band(table, np.zeros(30, dtype=int)) is None


def test_what_is_not_a_sample_is_refused():
    with pytest.raises(ValueError, match="must not be empty"):
        mean_interval([])
    with pytest.raises(ValueError, match=r"outside bounds=\(0.0, 1.0\)"):
        mean_interval([0.5, 30.0])
    with pytest.raises(ValueError, match="clusters must have 2 items, not 1"):
        mean_interval([0.5, 1.0], ["a"])
