"""``examples/rl.py``, with the real torch: ``.ci/integrations`` installs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch, as in .ci/integrations")
import torch
from text_graph_agent.training import REWARDS, Run, train

from aq_gym.evaluation import Suite, run

EXAMPLE = Path(__file__).parents[3] / "examples" / "rl.py"
# Threads that wait for each other are slow on a busy machine.
torch.set_num_threads(1)


def curve_of(run):
    points = train(run)["curve"]
    return [{key: point[key] for key in point if key != "seconds"} for point in points]


@pytest.mark.parametrize(
    ("method", "reward"),
    [*(("clone+pg", reward) for reward in REWARDS), ("dagger", "progress")],
)
def test_the_same_seed_gives_the_same_curve(method, reward):
    run = Run("blocksworld", method, reward, 1, updates=4, cloning=0.5,
              demonstrations=100, episodes=4)  # fmt: skip
    first = curve_of(run)
    assert first[-1]["steps"] > 0
    assert first == curve_of(run)


def test_cloning_is_far_above_random_actions():
    options = {"updates": 300, "demonstrations": 1500, "episodes": 50}
    cloned = curve_of(Run("blocksworld", "clone", **options))[-1]
    random = curve_of(Run("blocksworld", "random", **options))[-1]
    assert cloned["success"] >= random["success"] + 0.3
    assert cloned["progress"] > random["progress"]


def test_corrections_in_visited_states_are_far_above_random_actions():
    options = {"updates": 4, "episodes": 40}
    corrected = curve_of(Run("pickup", "dagger", **options))
    assert corrected[-1]["success"] >= corrected[0]["success"] + 0.3


def test_the_cloned_policy_of_the_ladder_is_the_same_each_time(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLE.parents[1] / "tools")
    import ladder_agents

    suite = Suite.load("ladder").part(only=["aq/Sudoku-v0"], limit=2)
    params = {"demonstrations": 100, "updates": 12}
    played = []
    for name in ("first", "second"):
        ladder_agents._cloned.cache_clear()
        played.append(run(suite, tmp_path / name, "ladder_agents:Cloned", params))
    rates = [[one.progress_rate for one in episodes] for episodes in played]
    assert rates[0] == rates[1]
    assert not any(one.error for one in played[0])


def test_a_run_appends_a_row(tmp_path):
    rows = tmp_path / "rows.jsonl"
    command = [sys.executable, EXAMPLE, "pickup", "--updates", "1"]
    command += ["--demonstrations", "64", "--episodes", "2", "--output", rows]
    for _ in range(2):
        subprocess.run(command, check=True, timeout=600, capture_output=True)
    first, second = map(json.loads, rows.read_text().splitlines())
    assert first["task"] == "pickup" == second["task"]
    assert len(first["curve"]) == 2
