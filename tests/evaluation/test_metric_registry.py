"""A metric is added in one place, and everything that shows metrics has it."""

import json
import re

import pytest

from aq_gym.cli import main
from aq_gym.evaluation import (
    METRICS,
    Estimate,
    Metric,
    Suite,
    Task,
    register_metric,
    run,
)
from aq_gym.evaluation.metrics import format_estimate
from aq_gym.evaluation.play import POOL

SUITE = Suite(
    "two", tuple(Task("aq/Mastermind-v0", seed, max_steps=4) for seed in (0, 1))
)


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
    assert re.search(r"^longest observation +0\.000\s", compared, re.M)


def test_a_registered_metric_is_read_back(tmp_path, observation_length):
    episodes = run(SUITE, tmp_path)
    (tmp_path / "episodes.jsonl").unlink()
    assert run(SUITE, tmp_path) == episodes
    assert all(episode.scores["longest observation"] for episode in episodes)


def test_rows_without_trackers_have_no_scores(tmp_path):
    run(SUITE, tmp_path)
    assert "scores" not in (tmp_path / "episodes.jsonl").read_text()


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="'steps' is registered already"):
        register_metric(Metric("steps", lambda episode: 0.0))
    with pytest.raises(ValueError, match="must have a value or a tracker"):
        register_metric(Metric("nothing"))


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_estimates_are_shown_with_the_metrics_digits(metric):
    number = rf"\d\.\d{{{metric.digits}}}" if metric.digits else r"\d"
    shown = format_estimate(metric.name, Estimate(0.5, 0.0, 1.0))
    assert re.fullmatch(rf"{number} \[{number}, {number}\]", shown)
    alone = format_estimate(metric.name, Estimate(0.5, None, None))
    assert re.fullmatch(number, alone)
    assert format_estimate(metric.name, None) == "-"


def test_a_run_makes_one_environment_for_each_setting(tmp_path, monkeypatch):
    made = []
    make = Task.make
    monkeypatch.setattr(Task, "make", lambda t: made.append(t.setting) or make(t))
    other = Task("aq/Mastermind-v0", 2, {"code_length": 5}, 4)
    run(Suite("three", (*SUITE.tasks, other)), tmp_path, "expert")
    assert made == [SUITE.tasks[0].setting, other.setting]
    assert not POOL._idle


def test_an_environment_that_broke_is_not_played_again(tmp_path):
    suite = Suite("four", tuple(Task("aq/Mastermind-v0", n) for n in range(4)))
    Fails.environments = []
    episodes = run(suite, tmp_path, "test_metric_registry:Fails")
    assert [bool(episode.error) for episode in episodes] == [False, True, False, False]
    first, second, third, fourth = Fails.environments
    assert first is second is not third
    assert third is fourth


class Fails:
    """Raises in the episode of seed 1."""

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
