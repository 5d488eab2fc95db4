"""Every metric on runs made by hand, and metrics of one's own."""

import dataclasses
import json
import re

import pytest

from aq_gym.cli import main
from aq_gym.evaluation import (
    METRICS,
    EpisodeResult,
    Estimate,
    Metric,
    Suite,
    Task,
    compare,
    compare_benchmarks,
    register_metric,
    run,
    summarize,
)
from aq_gym.evaluation.metrics import (
    above_chance,
    floors,
    format_estimate,
    shown_metrics,
)
from aq_gym.evaluation.suite import packaged_suites
from aq_gym.evaluation.summary import (
    by_benchmark,
    by_difficulty,
    by_setting,
    curves,
    subskills,
    summary_record,
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


def test_an_error_is_no_score():
    assert summarize([WON, BROKEN]) == summarize([WON])
    assert curves([WON, BROKEN]) == curves([WON])
    assert subskills([WON, BROKEN]) == subskills([WON])
    assert summarize([BROKEN]) == {}


def test_curves_hold_the_last_value_of_an_episode_that_ended():
    result = curves([WON, LOST])
    assert result["progress"] == pytest.approx([0.25, 0.5, 0.375, 0.75])
    assert result["best progress"] == pytest.approx([0.25, 0.5, 0.5, 0.75])
    assert result["repetition"] == pytest.approx([0.0, 2 / 3, 2 / 3, 2 / 3])
    unplayed = dataclasses.replace(LOST, steps=0, progress=[], repeated=[])
    assert curves([WON, unplayed, LOST]) == result
    assert curves([]) == {"progress": [], "best progress": [], "repetition": []}


def test_subskills_weigh_success_rates():
    scores = subskills([WON, WON, LOST])
    # Mastermind solved, Sudoku not: memory asks 3 and 1 of them, navigation 1 and 2.
    assert scores["memory"] == pytest.approx(3 / 4)
    assert scores["spatial navigation"] == pytest.approx(1 / 3)
    assert list(scores)[:2] == ["memory", "planning"]


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


def test_groups():
    variant = dataclasses.replace(LOST, env="aq/BabyAI-text-GoTo-v0", difficulty="hard")
    own = dataclasses.replace(LOST, env="mine/Env-v0", difficulty="easy")
    groups = by_benchmark([variant, WON, own])
    assert list(groups) == ["aq/BabyAI-text-v0", "aq/Mastermind-v0", "mine/Env-v0"]
    assert by_difficulty([variant, WON, own]) == {"easy": [own], "hard": [variant]}
    assert list(by_setting([LOST, WON, LOST]).values()) == [[LOST, LOST], [WON]]


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


@pytest.mark.parametrize("sign", [-1, 1])
def test_progress_out_of_its_bounds_is_not_refused(sign):
    outside = [
        dataclasses.replace(LOST, task=f"{n:02}", progress_rate=sign * n)
        for n in range(11)
    ]
    value, low, high = summarize(outside)["progress rate"]
    assert low < value == sign * 5.0 < high


def test_the_interval_of_a_count_ends_at_zero():
    tokens = [
        dataclasses.replace(WON, task=f"{n}", usage={"tokens": 0 if n else 11})
        for n in range(11)
    ]
    value, low, high = summarize(tokens)["tokens"]
    assert low == 0.0 < value == 1.0 < high


def test_an_interval_ends_at_what_is_possible():
    played = [
        dataclasses.replace(WON, task=f"{n}", steps=20 if n else 3, cap=20 + n % 2)
        for n in range(11)
    ]
    # The mean of five caps of 21 and six of 20.
    assert summarize(played)["steps"].high == pytest.approx(20 + 5 / 11)
    uncapped = [dataclasses.replace(one, cap=0) for one in played]
    assert summarize(uncapped)["steps"].high > 20.5


def test_an_estimate_is_shown_with_its_interval_and_digits():
    # A mean of 0.9 and 0.97 is not a hair below 0.935.
    near = Estimate(0.9349999999999999, 0.25, 1.0)
    assert format_estimate("success rate", near) == "0.94 [0.25, 1.00]"
    assert format_estimate("steps", Estimate(1234.56, None, None)) == "1,234.6"
    # Halves go one way, and what is neither 0 nor 1 is not shown as if it were.
    halves = [Estimate(half, None, None) for half in (0.125, 0.325, 0.935, 5 / 9)]
    told = [format_estimate("success rate", half) for half in halves]
    assert told == ["0.13", "0.33", "0.94", "0.56"]
    rare = Estimate(11 / 10_000, 0.0006, 0.002)
    assert format_estimate("success rate", rare) == "0.001 [0.001, 0.002]"
    assert format_estimate("success rate", Estimate(0.9996, 0.9, 1.0))[:6] == "0.9996"
    ends = [Estimate(one, None, None) for one in (1e-9, 1 - 1e-9)]
    told = [format_estimate("success rate", one) for one in ends]
    assert told == ["0.000000001", "0.999999999"]
    assert format_estimate("success rate", Estimate(0.004, -0.2, 0.1))[:5] == "0.00 "
    assert format_estimate("tokens", Estimate(1234.56, None, None)) == "1,235"
    assert format_estimate("net waste", Estimate(-0.04, -0.04, 1.0)) == "0.0 [0.0, 1.0]"
    assert format_estimate("steps", None) == "-"


def test_the_overview_has_success_and_progress_and_fewer_of_some_is_better():
    names = [metric.name for metric in shown_metrics(overview=True)]
    assert names == ["success rate", "progress rate"]
    assert [n for n, m in METRICS.items() if m.higher_is_better is False] == [
        *("repetition rate", "repetition rate of texts"),
        *("repetition rate over the cap", "steps", "steps to success", "tokens"),
        *("net waste", "waste", "closest", "determined at", "said after"),
        "determined, not said",
    ]


def test_a_summary_counts_ends_and_usage_and_warns_with_a_reason_only():
    failed = dataclasses.replace(BROKEN, ended="truncated", usage={"tokens": 4})
    won = dataclasses.replace(WON, usage={"tokens": 3})
    suite = Suite("two", (Task(WON.env, 0), Task(LOST.env, 1)))
    summary = summary_record(suite, [won, LOST, failed])
    counts = {"episodes": 3, "truncated": 1, "errors": 1}
    assert summary["overall"]["counts"] == counts
    assert summary["overall"]["usage"] == {"tokens": 7}
    assert "warnings" not in summary
    assert summary["benchmarks"][WON.env]["difficulties"] == {}


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
    signs = [result.sign_p_value for result in results]
    assert signs == [2 / 2**count for count in counts.values()]
    assert [one.holm_sign_p_value for one in results] == [
        3 * signs[0],
        2 * signs[1],
        max(2 * signs[1], signs[2]),
    ]
    assert [one.signs for one in results] == [(n, 0, 0) for n in counts.values()]
    alone = compare_benchmarks(runs[0][:12], runs[1])
    assert alone["aq/Mastermind-v0"]["success rate"].holm_p_value == raw[0]
    unlike = compare_benchmarks(runs[0], [BROKEN, *runs[1][:12]])
    assert list(unlike) == ["aq/Mastermind-v0"]


class LongestObservation:
    """The most characters of an observation."""

    def __init__(self):
        self.longest = 0

    def add(self, action, observation, info, notes):
        self.longest = max(self.longest, len(observation))

    def value(self):
        return self.longest


@pytest.fixture
def observation_length():
    metric = register_metric(
        Metric(
            "longest observation", digits=3, shown="table", tracker=LongestObservation
        )
    )
    yield metric
    del METRICS[metric.name]


def test_a_registered_metric_is_everywhere(tmp_path, capsys, observation_length):
    arguments = ["--env", "aq/Mastermind-v0", "--episodes", "2", "--max-steps", "4"]
    for name in "ab":
        assert main(["run", *arguments, "--out", str(tmp_path / name)]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^longest observation +\d+\.\d{3}\s", out, re.M)) == 2
    summary = json.loads((tmp_path / "a" / "summary.json").read_text())
    value = summary["overall"]["metrics"]["longest observation"]["value"]
    rows = (tmp_path / "a" / "episodes.jsonl").read_text().splitlines()
    kept = [json.loads(row)["scores"]["longest observation"] for row in rows]
    assert value == sum(kept) / 2 > 0
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    compared = capsys.readouterr().out
    assert re.search(r"^longest observation( +\d+\.\d{3}){2} +0\.000\s", compared, re.M)


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="'steps' is registered already"):
        register_metric(Metric("steps", lambda episode: 0.0))
    with pytest.raises(ValueError, match="must have a value or a tracker"):
        register_metric(Metric("nothing"))


def test_an_environment_that_broke_is_not_played_again(tmp_path):
    suite = Suite("four", tuple(Task("aq/Mastermind-v0", n) for n in range(4)))
    Fails.environments = []
    episodes = run(suite, tmp_path, "test_metrics:Fails")
    assert [bool(episode.error) for episode in episodes] == [False, True, False, False]
    first, second, third, fourth = Fails.environments
    assert first is second is not third
    assert third is fourth


class Fails:
    """Raises in the episode of seed 1."""

    privileged = True
    environments: list

    def __init__(self, env):
        self.env = env.unwrapped
        self.environments.append(self.env)

    def reset(self, observation, info):
        self.seed = self.env.np_random_seed

    def act(self, observation, info):
        if self.seed == 1:
            raise RuntimeError("broken")
        return self.env.expert_action()


def test_progress_is_also_measured_from_what_chance_gets(tmp_path):
    tasks = Suite.load("quick").part(only=["aq/Mastermind-v0"], episodes=2).tasks
    other = Task("aq/Mastermind-v0", 0, {"code_length": 3}, max_steps=5)
    played = run(Suite("floor", (*tasks, other)), tmp_path, "expert")
    values = [METRICS["progress above chance"].of(one) for one in played]
    assert values == [1.0, 1.0, None]
    many = [dataclasses.replace(played[0], task_id=f"{n}") for n in range(10)]
    many += [dataclasses.replace(many[0], task_id="lost", progress_rate=0.0)]
    assert summarize(many)["progress above chance"].high == 1.0
    setting = played[0].setting
    assert above_chance(setting, floors()[setting]) == 0.0
    assert above_chance(setting, 0.0) < 0.0
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["overall"]["metrics"]["progress above chance"]["value"] == 1.0


# They need the data of others, or Java for an hour.
UNMEASURED = ("agentboard", "jericho-titles", "scienceworld")


def test_each_setting_of_a_packaged_suite_has_a_floor():
    names = [one for one in packaged_suites() if not one.startswith(UNMEASURED)]
    tasks = [task for name in names for task in Suite.load(name).tasks]
    settings = {task.setting for task in tasks if task.progress == "progress"}
    assert settings <= floors().keys(), "run tools/floors.py"
