"""``examples/rl.py``, with the real torch: ``.ci/integrations`` installs it."""

import json
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import pytest

pytest.importorskip("torch", reason="needs torch, as in .ci/integrations")
import torch
from text_graph_agent.budget import Budget
from text_graph_agent.graph import (
    graph_of,
)
from text_graph_agent.learning import Learner, PolicyGradient
from text_graph_agent.network import Batch, Packed, Scorer
from text_graph_agent.training import Run, train

EXAMPLE = Path(__file__).parents[3] / "examples" / "rl.py"
GOALS = "The goal is: ball1 is at rooma, ball2 is at roomb."
NOW = "You are at rooma. ball1 is at roomb."
ACTIONS = ("move rooma roomb", "pick ball2 rooma left", "pick ball1 roomb right")
# Threads that wait for each other are slow on a busy machine.
torch.set_num_threads(1)


def small_graph(past=(), actions=ACTIONS, done=None):
    return graph_of(GOALS, NOW, past, actions, done or {})


def curve_of(run):
    points = train(run)["curve"]
    return [{key: point[key] for key in point if key != "seconds"} for point in points]


def test_renaming_objects_does_not_change_the_scores():
    scorer = Scorer()
    renamed = [text.replace("ball1", "ball8") for text in (GOALS, NOW, *ACTIONS)]
    other = graph_of(*renamed[:2], [], renamed[2:], {})
    graphs = [Packed(small_graph()), Packed(other)]
    policy, _ = scorer(Batch.of(graphs))
    assert torch.allclose(policy[0], policy[1], atol=1e-5)


def test_a_sampler_draws_sizes_and_gets_successes():
    run = Run("blocksworld", "pg", sizes=(2, 3, 4), target=0.5)
    sampler = run.sampler()
    players = [run.player("train") for _ in range(4)]
    learner = Learner(Scorer(), 1e-3, Budget(60))
    PolicyGradient(learner, players, 60, run.env, sampler).update()
    # With two blocks, random actions succeed before the step cap.
    assert sampler.draws[0] > len(players)
    assert 0 <= sampler.level <= 2
    uniform = Run("blocksworld", "pg", sizes=(2, 3, 4)).sampler()
    assert uniform.probabilities == pytest.approx([1 / 3] * 3)
    assert run.player("test").env.unwrapped.spec.kwargs["size"] == 4


@pytest.mark.parametrize(
    "wrong",
    [{"minutes": 0}, {"updates": -1}, {"cloning": 1.5}, {"episodes": 0}, {"seed": -1}],
)
def test_a_run_refuses_a_number_that_makes_no_sense(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Run("gripper", **wrong)


@pytest.mark.parametrize("reward", ["progress", "sparse"])
def test_the_same_seed_gives_the_same_curve(reward):
    run = Run("blocksworld", "clone+pg", reward, 1, updates=4, cloning=0.5,
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


def test_a_run_appends_a_row(tmp_path):
    rows = tmp_path / "rows.jsonl"
    command = [sys.executable, EXAMPLE, "pickup", "--updates", "1"]
    command += ["--demonstrations", "64", "--episodes", "2", "--output", rows]
    for _ in range(2):
        subprocess.run(command, check=True, timeout=600, capture_output=True)
    first, second = map(json.loads, rows.read_text().splitlines())
    assert first["task"] == "pickup" == second["task"]
    assert len(first["curve"]) == 2


def test_any_environment_can_be_named():
    run = Run("aq/BabyAI-text-GoToObj-v0?instructions=True", updates=1, episodes=1)
    player = run.player("train")
    player.reset(0)
    assert player.actions
    with pytest.raises(gym.error.NameNotFound, match="Did you mean"):
        Run("aq/BabyAI-text-GoToOb-v0")
