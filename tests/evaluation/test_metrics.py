"""Every metric on runs made by hand."""

import dataclasses

import pytest

from aq_gym.evaluation import (
    EpisodeResult,
    compare,
    compare_benchmarks,
    summarize,
)
from aq_gym.evaluation.summary import (
    by_benchmark,
    by_difficulty,
    by_label,
    by_setting,
    curves,
    error_counts,
    subskills,
)

WON = EpisodeResult(
    "a", "aq/Mastermind-v0", "aq/Mastermind-v0", 0, steps=4, success=True,
    progress_rate=1.0, repetition_rate=1 / 3, repetitions=1, grounding=0.75,
    distinct_observations=4, ended="terminated", progress=[0.0, 0.5, 0.25, 1.0],
    repeated=[False, True, False, False],
)  # fmt: skip
LOST = EpisodeResult(
    "b", "aq/Sudoku-v0", "aq/Sudoku-v0", 1, steps=2, progress_rate=0.5,
    repetition_rate=1.0, repetitions=1, grounding=1.0, distinct_observations=2,
    ended="truncated", progress=[0.5, 0.5], repeated=[False, True],
)  # fmt: skip
BROKEN = EpisodeResult("c", "aq/Sudoku-v0", "aq/Sudoku-v0", 2, error="engine died")


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


def test_labels_are_groups_of_each_kind():
    one = dataclasses.replace(LOST, labels={"subject": "law", "group": "b"})
    two = dataclasses.replace(WON, labels={"subject": "art"})
    assert by_label([one, WON, two]) == {
        "subject": {"art": [two], "law": [one]},
        "group": {"b": [one]},
    }
    assert by_label([WON]) == {}


def test_a_cap_of_one_step_divides_by_one():
    one = dataclasses.replace(LOST, cap=1, repetitions=0)
    values = {name: m.value for name, m in summarize([one]).items()}
    assert values["repetition rate over the cap"] == 0.0


def test_repeated_episodes_of_an_instance_are_a_cluster():
    repeats = [
        dataclasses.replace(WON, task=f"{n}", task_id=f"{n // 5}", success=n < 10)
        for n in range(20)
    ]
    four, twenty = (
        summarize(repeats),
        summarize([dataclasses.replace(e, task_id="") for e in repeats]),
    )
    widths = [e["success rate"].high - e["success rate"].low for e in (four, twenty)]
    assert four["success rate"].value == 0.5
    assert widths[0] > 1.5 * widths[1]
    named = [dataclasses.replace(e, cluster="level", seed=1) for e in repeats]
    assert summarize(named)["success rate"] == (0.5, None, None)


def test_progress_out_of_its_bounds_is_not_refused():
    outside = [
        dataclasses.replace(LOST, task=f"{n}", progress_rate=-n) for n in range(9)
    ]
    value, low, high = summarize(outside)["progress rate"]
    assert low < value == -4.0 < high


def test_holm_adjusts_over_the_benchmarks():
    def play(env, count, success):
        return [
            dataclasses.replace(WON, env=env, task=f"{env} {n}", success=success)
            for n in range(count)
        ]

    counts = {"aq/Mastermind-v0": 12, "aq/Sudoku-v0": 7, "aq/Cipher-v0": 6}
    runs = [
        [e for env, count in counts.items() for e in play(env, count, success)]
        for success in (False, True)
    ]
    results = [own["success rate"] for own in compare_benchmarks(*runs).values()]
    raw = [result.p_value for result in results]
    assert raw == sorted(raw)
    assert [result.holm_p_value for result in results] == pytest.approx(
        [3 * raw[0], 2 * raw[1], max(2 * raw[1], raw[2])]
    )
    alone = compare_benchmarks(runs[0][:12], runs[1])
    assert alone["aq/Mastermind-v0"]["success rate"].holm_p_value == raw[0]
    unlike = compare_benchmarks(runs[0], [BROKEN, *runs[1][:12]])
    assert list(unlike) == ["aq/Mastermind-v0"]


def test_the_order_of_the_episodes_does_not_matter():
    episodes = [dataclasses.replace(WON, progress_rate=n / 40) for n in range(40)]
    assert summarize(episodes) == summarize(episodes[::-1])
