import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym import trajectory
from aq_gym.evaluation import (
    Episode,
    Task,
    mean_interval,
    run,
    summarize,
    wilson_interval,
)

TASKS = [Task("aq/Mastermind-v0", seed, max_steps=6) for seed in range(4)]


def read_rows(directory):
    lines = (directory / "episodes.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_run_leaves_a_row_and_a_file_per_episode(tmp_path):
    episodes = run(TASKS, tmp_path, "expert")
    rows = read_rows(tmp_path)
    assert [row["seed"] for row in rows] == [0, 1, 2, 3]
    assert [Episode(**row) for row in rows] == episodes
    files = list(trajectory.iter(tmp_path / "trajectories"))
    assert [file.name for file in files] == [task.name for task in TASKS]
    for file, episode in zip(files, episodes, strict=True):
        assert file.complete
        assert file.header["agent"] == {"name": "expert", "params": {"seed": 0}}
        assert file.end["steps"] == episode.steps
        assert file.end["best_progress"] == episode.progress_rate
        assert trajectory.replay(file.path).identical


def test_an_episode_counts_what_happened(tmp_path):
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=6)
    (episode,) = run([task], tmp_path, "test_evaluation:Script")
    assert episode.steps == 6
    assert episode.repetitions == 2
    assert episode.repetition_rate == pytest.approx(2 / 5)
    assert episode.grounding == pytest.approx(5 / 6)
    assert episode.progress_rate == 0.75
    assert (episode.success, episode.ended, episode.error) == (False, "truncated", "")
    assert episode.setting == "aq/Mastermind-v0?code=5618&max_steps=6"
    assert (episode.task_id, episode.difficulty) == ("5618", "easy")


class Script:
    """Plays the same six actions for ever."""

    def __init__(self, env):
        self.actions = iter(["5610", "9999", "help", "what?", "5610", "9999"])

    def reset(self, observation, info):
        pass

    def act(self, observation, info):
        return next(self.actions)


def test_what_is_done_is_not_done_again(tmp_path):
    first = run(TASKS[:2], tmp_path)
    files = {
        file: file.stat().st_mtime_ns for file in (tmp_path / "trajectories").iterdir()
    }
    seen = []
    assert run(TASKS, tmp_path, on_episode=seen.append)[:2] == first
    assert len(seen) == 4
    assert all(file.stat().st_mtime_ns == when for file, when in files.items())
    assert len(read_rows(tmp_path)) == 4


def test_another_run_in_the_same_directory_is_refused(tmp_path):
    run(TASKS[:1], tmp_path)
    with pytest.raises(ValueError, match="agent was 'random' and is 'expert' now"):
        run(TASKS[:1], tmp_path, "expert")


def test_an_environment_without_progress_is_refused(tmp_path):
    with pytest.raises(ValueError, match="SubgoalProgress"):
        run([Task("CartPole-v1", 0)], tmp_path)


def test_tasks_have_names_of_their_own():
    tasks = [
        Task("aq/Mastermind-v0", 0),
        Task("aq/Mastermind-v0", 1),
        Task("aq/Mastermind-v0", 0, max_steps=6),
        Task("aq/Mastermind-v0", 0, {"code_length": 3}),
        Task("aq/Mastermind-v0", 0, {"code_length": 5}),
    ]
    assert len({task.name for task in tasks}) == 5
    assert {task.name.isascii() and "/" not in task.name for task in tasks} == {True}


@pytest.fixture
def episode():
    return Episode("t", "e", 0, "", "", 10, True, 1.0, 0.2, 2, 0.9, "terminated", "")


def test_metrics_are_means_over_episodes(episode):
    lost = dataclasses.replace(episode, success=False, progress_rate=0.5, steps=20)
    metrics = summarize([episode, lost])
    values = {name: metric.value for name, metric in metrics.items()}
    assert values == pytest.approx(
        {
            "success rate": 0.5,
            "progress rate": 0.75,
            "repetition rate": 0.2,
            "grounding accuracy": 0.9,
            "steps": 15.0,
        }
    )


def test_an_error_is_no_score(episode):
    broken = dataclasses.replace(episode, success=False, error="engine died")
    assert summarize([episode, broken]) == summarize([episode])
    assert summarize([broken]) == {}


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # From statsmodels.stats.proportion.proportion_confint(method="wilson").
    [
        (0, 10, 0.0, 0.277533),
        (5, 10, 0.236593, 0.763407),
        (99, 100, 0.945514, 0.998233),
    ],
)
def test_wilson(successes, trials, low, high):
    estimate = wilson_interval(successes, trials)
    assert estimate.value == successes / trials
    assert estimate[1:] == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_no_rate_no_interval(successes, trials):
    with pytest.raises(ValueError, match="is no rate"):
        wilson_interval(successes, trials)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_mean_is_in_its_interval(values):
    estimate = mean_interval(values)
    assert estimate.low - 1e-9 <= estimate.value <= estimate.high + 1e-9
    assert estimate == mean_interval(values)


def test_the_bootstrap_covers_as_it_should():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        _, low, high = mean_interval(rng.random(40).tolist())
        hits += low <= 0.5 <= high
    assert 180 <= hits <= 198


def test_no_value_no_mean():
    with pytest.raises(ValueError, match="no mean"):
        mean_interval([])
