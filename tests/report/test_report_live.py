"""The report of a run in progress."""

import dataclasses
import json
import os
import re
import shutil
import time

import pytest
from report_runs import MASTERMIND, play

from aq_gym.evaluation.store import lock_run
from aq_gym.report import load_runs
from aq_gym.report.live import (
    LiveReport,
    has_finished,
    running_episodes,
    status_text,
)
from aq_gym.trajectory import jsonl


@pytest.fixture
def run(tmp_path):
    return play(tmp_path / "run", ids=(MASTERMIND,), episodes=3, max_steps=4)


@pytest.fixture
def in_progress(run):
    """A run with one finished episode, one being played, and one not begun."""
    rows = (run / "episodes.jsonl").read_text().splitlines(keepends=True)
    (run / "episodes.jsonl").write_text(rows[0])
    _, second, third = sorted((run / "trajectories").iterdir())
    lines = second.read_text().splitlines(keepends=True)
    second.write_text("".join(lines[:3]) + lines[3][:10])
    third.unlink()
    return run


def finish(run):
    file = run / "episodes.jsonl"
    (row,) = jsonl.read(file).records
    row["task"] = sorted((run / "trajectories").iterdir())[1].stem
    with file.open("ab") as out:
        out.write(jsonl.with_checksum(jsonl.dumps(row)) + b"\n")


def island(page):
    found = re.search(
        r'<script type="application/json" id="aq-data">(.*?)</script>', page
    )
    return json.loads(found[1])


def test_an_episode_that_is_played_is_listed_and_counts_in_nothing(in_progress):
    loaded = load_runs([in_progress])[0]
    (running,) = running_episodes(loaded)
    assert (running.ended, running.steps) == ("running", 2)
    page = LiveReport([in_progress]).page()
    assert island(page)["episodes"]["outcome"].count("running") == 1
    assert "1 of 3 episodes are finished" in page


def test_the_page_follows_the_files(in_progress, monkeypatch):
    monkeypatch.setattr("aq_gym.report.live._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.live._SHARE", 0)
    # A run stays one beside a file that is named as a log.
    (in_progress / "results.json").write_text("{}")
    report = LiveReport([in_progress])
    first, stamp = report.page(), report.stamp()
    assert report.page() is first
    finish(in_progress)
    assert report.stamp() != stamp
    outcomes = island(report.page())["episodes"]["outcome"]
    assert len(outcomes) == 2
    assert "running" not in outcomes


def test_the_page_is_not_built_again_at_once(in_progress, monkeypatch):
    # Longer than the lines below take.
    monkeypatch.setattr("aq_gym.report.live._LEAST_SECONDS", 1_000)
    report = LiveReport([in_progress])
    first, stamp = report.page(), report.stamp()
    assert report.status() == ""
    finish(in_progress)
    assert report.stamp() == stamp
    monkeypatch.setattr("aq_gym.report.live._SHARE", 1e9)
    assert report.status().startswith("2 of 3 episodes")
    # A status that was long to read is not read again at once.
    assert report.status() == ""
    assert report.page() is first


def test_a_run_that_is_damaged_or_moved_is_named(in_progress, tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.live._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.live._SHARE", 0)
    report = LiveReport([in_progress])
    assert "aq-data" in report.page()
    rows = in_progress / "episodes.jsonl"
    kept = rows.read_text()
    rows.write_text(kept.replace('"steps":', '"steps":"<b>","_":'))
    with pytest.warns(UserWarning, match="1 damaged row is left out"):
        page = report.page()
    assert "1 damaged row is left out" in page
    assert "<b>" not in page
    rows.write_text(kept)
    assert "damaged row" not in report.page()
    (in_progress / "run.json").rename(tmp_path / "away")
    assert "is not a run" in report.page()
    (tmp_path / "away").rename(in_progress / "run.json")
    assert "aq-data" in report.page()


def test_a_folder_without_a_run_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("no run")
    with pytest.raises(FileNotFoundError):
        LiveReport([tmp_path])
    with pytest.raises(ValueError, match="more than once"):
        LiveReport([tmp_path / "a", tmp_path / "a"])


def test_a_run_that_has_not_begun_is_waited_for(run, tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.live._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.live._SHARE", 0)
    (tmp_path / "empty").mkdir()
    for name in ("missing", "empty"):
        report = LiveReport([tmp_path / name, run])
        assert "1 of 2 runs not begun" in report.page()
        alone = LiveReport([tmp_path / name])
        assert f"No episode has begun in {tmp_path}" in alone.page()
        shutil.copytree(run, tmp_path / name, dirs_exist_ok=True)
        assert "3 of 3 episodes" in alone.page()
        assert "6 of 6 episodes" in report.page()
        shutil.rmtree(tmp_path / name)


def test_the_page_tells_how_far_a_run_is(in_progress, run, monkeypatch):
    loaded = load_runs([in_progress])[0]
    running = [running_episodes(loaded)]
    first, second = sorted((in_progress / "trajectories").iterdir())
    now = time.time()
    os.utime(first, (now - 59, now - 59))
    os.utime(in_progress / "run.json", (now - 60, now - 60))
    monkeypatch.setattr(time, "time", lambda: now)
    text = "1 of 3 episodes · 1 being played · 1 a minute"
    assert status_text([loaded], running) == text
    monkeypatch.setattr("aq_gym.report.live._LEAST", 2)
    broken = dataclasses.replace(
        loaded.episodes[0], task=second.stem, error="x", usage={"cost": 0.25}
    )
    later = dataclasses.replace(loaded, episodes=[*loaded.episodes, broken])
    text = status_text([later], [[]])
    # Two episodes ended a minute after the run began, so the third should in 30 s.
    assert text == (
        "2 of 3 episodes · 2 a minute · about 30 s left · cost $0.25 · 1 error"
    )
    assert not has_finished([later])
    finished = dataclasses.replace(later, path=run, episodes=[*later.episodes, broken])
    assert has_finished([finished])
    both = status_text([finished, later], [[], []])
    assert both == text.replace(" · 2 a", " · 1 other run finished · 2 a")
    now -= 59.98
    assert " · 6,000 a minute · about 1 s left" in status_text([later], [[]])
    # A lock that nobody holds tells that the run was killed.
    now += 91
    (in_progress / "summary.json").unlink()
    (in_progress / ".lock").unlink(missing_ok=True)
    assert "a minute" in status_text([loaded], running)
    with lock_run(in_progress):
        assert "a minute" in status_text([loaded], running)
    (in_progress / ".lock").touch()
    assert status_text([loaded], running) == "1 of 3 episodes"
    page = LiveReport([in_progress]).page()
    assert "1 of 3 episodes</span> · stopped" in page
    assert island(page)["episodes"]["outcome"].count("broken off") == 1
    (in_progress / "episodes.jsonl").write_text("")
    assert "No episode is finished yet." in LiveReport([in_progress]).page()
