"""Every metric on runs made by hand."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from aq_gym.evaluation import (
    Episode,
    compare,
    intervals,
    mean_interval,
    paired_permutation_test,
    resampling,
    summarize,
    wilson_interval,
)
from aq_gym.evaluation.compare import _expanded_p_value
from aq_gym.evaluation.curves import curves
from aq_gym.evaluation.groups import by_benchmark, by_difficulty, by_setting
from aq_gym.evaluation.subskills import subskills
from aq_gym.evaluation.totals import error_counts

WON = Episode(
    "a", "aq/Mastermind-v0", "aq/Mastermind-v0", 0, steps=4, success=True,
    progress_rate=1.0, repetition_rate=1 / 3, repetitions=1, grounding=0.75,
    distinct_observations=4, ended="terminated", progress=[0.0, 0.5, 0.25, 1.0],
    repeated=[False, True, False, False],
)  # fmt: skip
LOST = Episode(
    "b", "aq/Sudoku-v0", "aq/Sudoku-v0", 1, steps=2, progress_rate=0.5,
    repetition_rate=1.0, repetitions=1, grounding=1.0, distinct_observations=2,
    ended="truncated", progress=[0.5, 0.5], repeated=[False, True],
)  # fmt: skip
BROKEN = Episode("c", "aq/Sudoku-v0", "aq/Sudoku-v0", 2, error="engine died")


def test_metrics_are_means_over_episodes():
    values = {name: m.value for name, m in summarize([WON, LOST]).items()}
    assert values == pytest.approx(
        {
            "success rate": 0.5,
            "progress rate": 0.75,
            "final progress": 0.75,
            "repetition rate": 2 / 3,
            "grounding accuracy": 0.875,
            "steps": 3.0,
            "steps to success": 4.0,
            "distinct observations": 3.0,
        }
    )


def test_both_papers_progress_and_repetition():
    """AgentBoard's maximum and AgentQuest's PR_T; RR over the length and the cap."""
    fell = dataclasses.replace(
        LOST, progress=[0.5, 0.25], progress_rate=0.5, repetitions=1, cap=5
    )
    values = {name: m.value for name, m in summarize([fell]).items()}
    assert (values["progress rate"], values["final progress"]) == (0.5, 0.25)
    assert values["repetition rate"] == 1.0
    assert values["repetition rate over the cap"] == 0.25


def test_where_nothing_is_solved_there_are_no_steps_to_success():
    assert "steps to success" not in summarize([LOST])


def test_an_error_is_no_score():
    assert summarize([WON, BROKEN]) == summarize([WON])
    assert curves([WON, BROKEN]) == curves([WON])
    assert subskills([WON, BROKEN]) == subskills([WON])
    assert summarize([BROKEN]) == {}


def test_counts():
    assert error_counts([WON, LOST, BROKEN]) == {
        "episodes": 3, "truncated": 1, "errors": 1,
    }  # fmt: skip


def test_curves_hold_the_last_value_of_an_episode_that_ended():
    result = curves([WON, LOST])
    assert result["progress"] == pytest.approx([0.25, 0.5, 0.375, 0.75])
    assert result["best progress"] == pytest.approx([0.25, 0.5, 0.5, 0.75])
    assert result["repetition"] == pytest.approx([0.0, 2 / 3, 2 / 3, 2 / 3])
    assert curves([]) == {"progress": [], "best progress": [], "repetition": []}


def test_subskills_weigh_success_rates():
    scores = subskills([WON, WON, LOST])
    # Mastermind solved, Sudoku not: memory asks 3 and 1 of them, navigation 1 and 2.
    assert scores["memory"] == pytest.approx(3 / 4)
    assert scores["spatial navigation"] == pytest.approx(1 / 3)
    assert list(scores)[:2] == ["memory", "planning"]


def test_subskills_know_nothing_of_other_environments():
    assert subskills([dataclasses.replace(WON, env="CartPole-v1")]) == {}


def test_comparison_is_paired_by_task():
    better = [dataclasses.replace(LOST, task=t, success=True) for t in "ab"]
    result = compare([WON, LOST], better)
    assert result["success rate"].difference.value == 0.5
    assert result["steps"].difference.value == -1.0
    assert result["steps"].pairs == 2
    assert compare([WON, BROKEN], better)["steps"].pairs == 1
    with pytest.raises(ValueError, match="no task in common"):
        compare([WON], [BROKEN])


def test_a_figure_that_is_not_given_is_no_zero():
    silent = dataclasses.replace(LOST, grounding=None)
    assert "grounding accuracy" not in compare([LOST], [silent])
    mixed = compare([WON, LOST], [dataclasses.replace(WON, grounding=1.0), silent])
    assert mixed["grounding accuracy"].pairs == 1
    assert mixed["grounding accuracy"].difference.value == 0.25
    assert summarize([WON, silent])["grounding accuracy"].value == WON.grounding


@pytest.mark.parametrize("count", [3, 9, 13])
def test_the_permutation_test_is_exact_where_it_can_be(count):
    differences = np.random.default_rng(count).normal(0.3, 1, count)
    expected = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert paired_permutation_test(differences) == pytest.approx(expected.pvalue)


def test_the_permutation_test_samples_where_it_must():
    differences = np.random.default_rng(1).normal(0.2, 1, 60)
    expected = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=20_000, rng=0
    )
    p_value = paired_permutation_test(differences)
    assert p_value == pytest.approx(expected.pvalue, abs=0.02)
    assert p_value == paired_permutation_test(differences)


@pytest.mark.parametrize("shift", [0.0, 0.01, 0.03, 0.2])
def test_the_permutation_test_of_many_differences_is_as_by_sampling(shift):
    differences = np.random.default_rng(2).exponential(1, 2_500) - 1 + shift
    expected = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=4_000, rng=0
    )
    p_value = paired_permutation_test(differences)
    assert p_value == pytest.approx(expected.pvalue, abs=0.03)
    assert p_value >= 1 / 10_001


def test_no_difference_is_no_evidence():
    assert paired_permutation_test([0.0] * 20) == 1.0
    assert paired_permutation_test([0.0] * 2_001) == 1.0
    assert paired_permutation_test([1.0] * 60) == pytest.approx(1 / 10_001)


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (0, 7), (3, 8), (120, 134)])
def test_wilson_is_as_in_scipy(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson_interval(successes, trials)[1:] == pytest.approx(expected)


@pytest.mark.parametrize("count", [5, 40, 900, 2_500])
def test_the_bootstrap_is_as_in_scipy(count):
    values = np.random.default_rng(count).random(count)
    expected = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, rng=1
    ).confidence_interval
    width = expected.high - expected.low
    assert mean_interval(values.tolist())[1:] == pytest.approx(expected, abs=width / 20)


@pytest.mark.parametrize("count", [2, 7, 8, 15, 75, 128, 129, 700])
def test_resamples_are_the_same_in_parts(count):
    values = np.random.default_rng(0).random(count)
    picks = np.random.default_rng(0).integers(count, size=(10_000, count))
    expected = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    assert mean_interval(values.tolist())[1:] == tuple(expected)


def test_few_resamples_are_kept():
    for count in (300, 200, 250, 200):
        resampling.percentiles([np.arange(count)], seed=0)
    assert [count for count, _ in resampling._DRAWN] == [200]
    resampling.percentiles([np.arange(100)], seed=0)
    assert [count for count, _ in resampling._DRAWN] == [200, 100]


def test_locations_count_where_they_are_reported():
    assert "distinct locations" not in summarize([WON])
    walked = dataclasses.replace(WON, distinct_locations=4)
    assert summarize([walked, LOST])["distinct locations"].value == 4.0


def test_groups():
    variant = dataclasses.replace(LOST, env="aq/BabyAI-text-GoTo-v0", difficulty="hard")
    own = dataclasses.replace(LOST, env="mine/Env-v0", difficulty="easy")
    groups = by_benchmark([variant, WON, own])
    assert list(groups) == ["aq/BabyAI-text-v0", "aq/Mastermind-v0", "mine/Env-v0"]
    assert by_difficulty([variant, WON, own]) == {"easy": [own], "hard": [variant]}
    assert list(by_setting([LOST, WON, LOST]).values()) == [[LOST, LOST], [WON]]


def test_a_cap_of_one_step_divides_by_one():
    one = dataclasses.replace(LOST, cap=1, repetitions=0)
    values = {name: m.value for name, m in summarize([one]).items()}
    assert values["repetition rate over the cap"] == 0.0


def test_the_expansion_uses_the_kurtosis_of_the_sum():
    data = np.array([3.0, 1.0, 1.0, -1.0])
    bits = np.arange(16)[:, None] >> np.arange(4) & 1
    sums = (1.0 - 2.0 * bits) @ data
    observed = abs(data.sum())
    z = observed / sums.std()
    tail = stats.norm.sf(z) + stats.norm.pdf(z) * stats.kurtosis(sums) / 24 * (
        z**3 - 3 * z
    )
    assert _expanded_p_value(data, observed) == pytest.approx(2 * tail)


def test_lists_have_the_same_intervals_together_as_alone():
    rng = np.random.default_rng(0)
    columns = [rng.random(size).tolist() for size in (40, 1, 3_000, 40, 7)]
    columns += [[0.5] * 40, columns[0], rng.integers(2, size=40).tolist()]
    intervals._KNOWN.clear()
    together = intervals.mean_intervals(columns)
    for column, estimate in zip(columns, together, strict=True):
        intervals._KNOWN.clear()
        assert mean_interval(column) == estimate
    assert intervals.mean_intervals([]) == []
