"""A finished run is scored again: from its files, at once, without playing."""

import json

import pytest
from toy_envs import ToyAgent

from aq_gym.evaluation import (
    METRICS,
    Metric,
    MetricError,
    Suite,
    Task,
    compare,
    load_run,
    register_metric,
    run,
    score,
)
from aq_gym.trajectory import jsonl

SUITE = Suite(
    "four",
    tuple(
        Task(f"aq/{name}-v0", seed, max_steps=5)
        for name in ("Mastermind", "Hangman")
        for seed in range(2)
    ),
)


def action_length(trajectory):
    lengths = [len(step["action"]) for step in trajectory.steps]
    return sum(lengths) / len(lengths)


def of_mastermind(trajectory):
    return 1.0 if "Mastermind" in trajectory.name else None


class Distinct:
    """The number of distinct actions."""

    def __init__(self):
        self.actions = set()

    def add(self, action, observation, info, notes):
        self.actions.add(action)

    def value(self):
        return len(self.actions)


@pytest.fixture
def played(tmp_path):
    run(SUITE, tmp_path / "run")
    return tmp_path / "run"


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_only_rows_and_summary_change_and_only_by_the_metric(played, monkeypatch):
    before, summary = contents(played), load_run(played).summary
    rows = load_run(played).episodes
    monkeypatch.setattr(Task, "make", None)
    estimates = score(played, [action_length, of_mastermind])
    after = contents(played)
    changed = {path.name for path in before if before[path] != after[path]}
    assert (
        changed == {"episodes.jsonl", "summary.json"} and before.keys() == after.keys()
    )
    loaded = load_run(played)
    for episode, row in zip(loaded.episodes, rows, strict=True):
        assert episode.scores.pop("action length") > 0
        assert episode.scores == (
            {"of mastermind": 1.0} if "Mastermind" in episode.env else {}
        )
        assert episode.to_record() == row.to_record() | (
            {"scores": episode.scores} if episode.scores else {}
        )
    own = loaded.summary["overall"]["metrics"].pop("action length")
    assert own == estimates["action length"]._asdict()
    benchmarks = loaded.summary["benchmarks"]
    assert "of mastermind" not in benchmarks["aq/Hangman-v0"]["metrics"]
    text = json.dumps(loaded.summary)
    assert text.count('"of mastermind": {"high": null, "low": null, "value": 1.0}') > 2
    for part in (*benchmarks.values(), *loaded.summary["settings"].values()):
        assert part["metrics"].pop("action length")["value"] > 0
    left = strip(json.loads(json.dumps(loaded.summary)))
    assert left == strip(summary)


def strip(value):
    """A summary without the metrics that the test adds."""
    if isinstance(value, dict):
        added = {"action length", "of mastermind"}
        return {k: strip(v) for k, v in value.items() if k not in added}
    return value


def test_scoring_again_replaces(played):
    score(played, [action_length, Metric("half", lambda episode: 0.5)])
    once = contents(played)
    score(played, [action_length])
    assert contents(played) == once
    again = load_run(played).episodes
    assert all(episode.scores["half"] == 0.5 for episode in again)

    def half(trajectory):
        return None

    assert score(played, [half]) == {"half": None}
    assert "half" not in (played / "episodes.jsonl").read_text()
    assert "half" not in (played / "summary.json").read_text()


def test_a_tracker_gives_what_it_gave_while_playing(played, tmp_path):
    metric = register_metric(Metric("distinct actions", tracker=Distinct))
    try:
        live = run(SUITE, tmp_path / "live")
        score(played, [metric])
    finally:
        del METRICS[metric.name]
    assert sorted(live, key=lambda e: e.task) == load_run(played).episodes
    assert any(episode.scores["distinct actions"] > 1 for episode in live)


def test_a_scored_run_is_continued_and_nothing_counts_twice(played):
    score(played, [action_length])
    before = contents(played)
    assert run(SUITE, played)[0].scores
    assert contents(played) == before
    more = Suite("four", (*SUITE.tasks, Task("aq/Mastermind-v0", 9, max_steps=5)))
    run(more, played)
    loaded = load_run(played)
    assert loaded.summary["tasks"] == {"all": 5, "finished": 5}
    assert loaded.summary["superseded"]["episodes"] == 0
    assert sum("action length" in e.scores for e in loaded.episodes) == 4
    assert "action length" in loaded.summary["overall"]["metrics"]
    score(played, [action_length])
    assert all("action length" in e.scores for e in load_run(played).episodes)
    compare(loaded.episodes, loaded.episodes)


def test_a_metric_that_fails_changes_nothing(played):
    before = contents(played)

    def fails(trajectory):
        return 1 / ("Hangman" not in trajectory.name)

    with pytest.raises(
        MetricError, match=r"'fails' raised ZeroDivisionError.*episode aq-Hangman-v0-"
    ):
        score(played, [action_length, fails])
    for value in (float("nan"), "x", 1e300, 10**400):
        with pytest.raises(MetricError, match=r"metric 'wrong' .* the episode aq-"):
            score(played, [Metric("wrong", lambda episode, value=value: value)])
    with pytest.raises(ValueError, match="'steps' is registered already"):
        score(played, [Metric("steps", lambda episode: 0.0)])
    with pytest.raises(TypeError, match="3 must be a Metric or a function"):
        score(played, [3])
    assert contents(played) == before


def test_episodes_with_an_error_are_left_out(tmp_path):
    run(SUITE, tmp_path, "test_scoring:FailsInHangman")
    before = jsonl.read(tmp_path / "episodes.jsonl").records
    score(tmp_path, [action_length])
    after = jsonl.read(tmp_path / "episodes.jsonl").records
    for old, new in zip(before, after, strict=True):
        assert bool(new.pop("scores", None)) == (not new["error"])
        assert new == old


class FailsInHangman(ToyAgent):
    """Raises in Hangman."""

    privileged = True

    def act(self, observation, info):
        if "Hangman" in self.env.spec.id:
            raise RuntimeError("broken")
        return self.env.unwrapped.expert_action()


def test_rows_without_checksums_are_read_and_continued(played):
    file = played / "episodes.jsonl"
    rows = [jsonl.dumps(row) for row in jsonl.read(file).records]
    file.write_bytes(b"\n".join([*rows[:2], rows[2][:50]]))
    assert len(load_run(played).episodes) == 2
    run(SUITE, played)
    score(played, [action_length])
    assert b'"crc"' not in file.read_bytes()
    assert len(load_run(played).episodes) == 4
