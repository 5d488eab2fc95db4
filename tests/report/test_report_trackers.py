"""Runs logged to TensorBoard and, offline, to Weights & Biases."""

import json
import os
import subprocess
import sys

import pytest
from report_runs import BABYAI, MASTERMIND

from aq_gym.evaluation import EpisodeResult, load_run
from aq_gym.report.trackers import TRACKERS, Trackers, episode_scalars

pytestmark = pytest.mark.slow


RUN = ["run", "--env", MASTERMIND, BABYAI, "--episodes", "2", "--max-steps", "5"]

# Run in a separate process, because importing TensorBoard causes warnings.
READ = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
tags = events.Tags()
scalars = {
    tag: [[event.step, event.value] for event in events.Scalars(tag)]
    for tag in tags["scalars"]
}
print(json.dumps(scalars))
"""


def aq_gym(*arguments, **environ):
    done = subprocess.run(
        [sys.executable, "-m", "aq_gym", *arguments],
        env=os.environ | environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def read_events(folder):
    done = subprocess.run(
        [sys.executable, "-c", READ, folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.needs("module:tensorboard", "module:tensorboardX")
def test_tensorboard_has_every_episode_once(tmp_path):
    run = tmp_path / "run"
    for _ in range(2):  # a continued run is logged completely, and once
        aq_gym(*RUN, "--out", str(run), "--log", "tensorboard", "--quiet")
    scalars = read_events(run / "tensorboard")
    episodes = {e.task: e for e in load_run(run).episodes}
    rows = [json.loads(x) for x in (run / "episodes.jsonl").read_text().splitlines()]
    logged = scalars["episode/progress_rate"]
    assert [step for step, _ in logged] == [1, 2, 3, 4]
    assert [v for _, v in logged] == pytest.approx([r["progress_rate"] for r in rows])
    assert scalars["mean/steps"][-1][1] == pytest.approx(
        sum(e.steps for e in episodes.values()) / 4
    )


@pytest.mark.needs("module:wandb")
def test_wandb_has_episodes_and_means(tmp_path):
    run = tmp_path / "run"
    offline = {"WANDB_MODE": "offline", "WANDB_X_SERVICE_WAIT": "600"}
    aq_gym(*RUN, "--out", str(run), "--log", "wandb", "--quiet", **offline)
    (folder,) = (run / "wandb").glob("offline-run-*")
    (history,) = folder.glob("run-*.wandb")
    for name in ("episode/progress rate", "mean/success rate"):
        assert name.encode() in history.read_bytes()


class Kept(list):
    """A tracker that keeps what it is given."""

    def log(self, number, scalars):
        self.append((number, scalars))

    def close(self):
        pass


def test_the_means_are_over_the_episodes_so_far(tmp_path, monkeypatch):
    kept = Kept()
    monkeypatch.setitem(TRACKERS, "kept", (lambda run: kept, "json"))
    shared = {"task": "t", "env": "e", "setting": "e", "seed": 0}
    with Trackers(["kept"], tmp_path) as trackers:
        trackers.add(EpisodeResult(**shared, steps=2, progress_rate=0.5))
        trackers.add(EpisodeResult(**shared, steps=1, progress_rate=1.0))
    number, logged = kept[-1]
    assert number == 2
    assert logged["episode/progress rate"] == 1.0
    assert logged["mean/progress rate"] == 0.75
    broken = EpisodeResult(**shared, error="x", usage={"tokens": 7})
    assert episode_scalars(broken) == {"error": 1.0, "tokens": 7.0}
