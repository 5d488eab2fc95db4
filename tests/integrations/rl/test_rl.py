"""``examples/rl.py``, with the real torch: ``.ci/integrations`` installs it."""

import json
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import pytest

pytest.importorskip("torch", reason="needs torch, as in .ci/integrations")
import numpy as np
import torch
from text_graph_agent.budget import Budget
from text_graph_agent.episodes import DISCOUNT, Player, demonstrations
from text_graph_agent.graph import (
    ACTION,
    GOAL,
    KINDS,
    OBSERVATION,
    PAST_ACTION,
    PAST_OBSERVATION,
    POSITIONS,
    graph_of,
    parse,
    sentences,
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


def test_a_goal_is_divided_at_commas_and_an_observation_is_not():
    goal = ["The goal is", "ball1 is at rooma", "ball2 is at roomb"]
    assert sentences(GOALS, commas=True) == goal
    assert sentences("On it, you see a cup 1, a pan 2.\n\n-= - =-\n> .") == [
        "On it, you see a cup 1, a pan 2"
    ]


def test_a_noun_and_its_number_are_one_entity_of_a_kind():
    numbered, joined = parse("go to drawer 3"), parse("stack b3")
    assert [name for name, _, _ in numbered.words] == ["go", "drawer 3", "drawer"]
    assert [name for name, _, _ in joined.words] == ["stack", "b3", "b"]
    assert [position for _, _, position in numbered.words] == [0, 1, POSITIONS + 1]


def test_entities_of_a_kind_have_the_same_features():
    first, second = parse("unstack b1 b2"), parse("unstack b7 b12")
    assert first.ngrams == second.ngrams
    assert [row for _, row, _ in first.words] == [row for _, row, _ in second.words]


def test_a_word_of_several_sentences_is_one_node():
    graph = small_graph()
    texts = [*sentences(GOALS, commas=True), *sentences(NOW), *ACTIONS]
    names = {name for text in texts for name, _, _ in parse(text).words}
    assert len(graph.words) == len(names)
    assert {word for _, word, _ in graph.edges} == set(range(len(names)))


def test_actions_are_the_last_sentences_and_know_when_they_were_taken():
    past = [(PAST_ACTION, 2, ACTIONS[0]), (PAST_OBSERVATION, 99, "You are at roomb")]
    graph = small_graph(past, done={ACTIONS[0]: 2})
    kinds = [GOAL] * 3 + [OBSERVATION] * 2 + [PAST_ACTION, PAST_OBSERVATION]
    assert graph.kinds == [*kinds, *[ACTION] * 3]
    assert graph.ages == [0] * 5 + [2, 15] + [2, 0, 0]
    assert set(graph.kinds) == set(KINDS)


def test_graphs_are_scored_alike_alone_and_side_by_side():
    torch.manual_seed(0)
    scorer = Scorer()
    small = [Packed(small_graph()), Packed(small_graph(actions=ACTIONS[:1]))]
    together, values = scorer(Batch.of(small))
    alone = [scorer(Batch.of([graph])) for graph in small]
    assert together[1, 1:].exp().sum() == 0
    assert torch.allclose(together[0], alone[0][0][0], atol=1e-5)
    assert torch.allclose(values, torch.cat([value for _, value in alone]), atol=1e-5)


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
    PolicyGradient(Learner(Scorer(), 1e-3, Budget(60)), players, 60, sampler).update()
    # With two blocks, random actions succeed before the step cap.
    assert sampler.draws[0] > len(players)
    assert 0 <= sampler.level <= 2
    uniform = Run("blocksworld", "pg", sizes=(2, 3, 4)).sampler()
    assert uniform.probabilities == pytest.approx([1 / 3] * 3)
    assert run.player("test").env.unwrapped.spec.kwargs["size"] == 4


def test_a_player_remembers_for_some_steps():
    player = Run("gripper").player("train")
    forgetful = Player(player.env, memory=1)
    forgetful.reset(0)
    for _ in range(3):
        forgetful.step(0)
    past = [kind for kind in forgetful.graph().kinds if kind == PAST_ACTION]
    assert len(past) == 1
    assert len(forgetful.done) > 1


def test_demonstrations_name_the_expert_although_it_is_disturbed():
    player = Run("blocksworld").player("train")
    shown = demonstrations(player, 40, noise=1.0, rng=np.random.default_rng(0))
    assert len(shown) == 40
    assert all(0 <= one.action < one.graph.actions for one in shown)
    assert all(0 <= one.value <= 1 for one in shown)


def test_the_value_of_an_undisturbed_demonstration_is_its_discounted_progress():
    player = Run("pickup", reward="sparse").player("train")
    shown = demonstrations(player, 20, noise=0.0, rng=np.random.default_rng(0))
    powers = {round(DISCOUNT**steps, 6) for steps in range(30)}
    assert {round(one.value, 6) for one in shown} <= powers


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


def test_demonstrations_end_with_their_share_of_the_budget():
    rng = np.random.default_rng(0)
    shown = demonstrations(Run("gripper").player("train"), 4000, 0.2, rng, lambda: True)
    assert 0 < len(shown) <= 50
