"""TaskSampler: weights, and the rule that keeps success near a target."""

import json
import pickle

import numpy as np
import pytest

import aq_gym

SIZES = [f"aq/Mastermind-v0?code_length={n}" for n in range(2, 8)]


def lengths(sampler, count):
    return [sampler.draw().kwargs["code_length"] for _ in range(count)]


def train(sampler, skill, episodes, seed=0):
    """Play an agent that succeeds as often as its skill allows; the mean success."""
    rng, scores = np.random.default_rng(seed), []
    for _ in range(episodes):
        task = sampler.draw()
        chance = 1 / (1 + np.exp(2 * (task.kwargs["code_length"] - skill)))
        scores.append(float(rng.random() < chance))
        sampler.update(task, scores[-1])
    return np.mean(scores[-500:])


def test_uniform_draws_have_their_own_seeds():
    sampler = aq_gym.TaskSampler(SIZES, max_steps=9)
    tasks = [sampler.draw() for _ in range(600)]
    assert len({task.seed for task in tasks}) == 600
    assert {task.max_steps for task in tasks} == {9}
    assert all(60 <= count <= 140 for count in sampler.draws)


def test_weights():
    sampler = aq_gym.TaskSampler(SIZES[:3], weights=[3, 1, 0])
    drawn = lengths(sampler, 400)
    assert 260 < drawn.count(2) < 340
    assert 4 not in drawn


@pytest.mark.parametrize("target", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("skill", [3, 5])
def test_the_success_stays_near_the_target(target, skill):
    sampler = aq_gym.TaskSampler(SIZES, target=target)
    assert train(sampler, skill, 1500) == pytest.approx(target, abs=0.08)


def test_it_stops_at_the_ends():
    sampler = aq_gym.TaskSampler(SIZES, target=0.5)
    train(sampler, -50, 300)
    assert sampler.level == 0
    train(sampler, 50, 1000)
    assert sampler.level == 5
    assert set(lengths(sampler, 20)) == {7}


def test_the_rule_is_the_one_of_the_paper():
    sampler = aq_gym.TaskSampler(SIZES, target=0.25, rate=0.8, window=4)
    task = sampler.draw()
    for score in (1.0, 0.5, 0.5):
        sampler.update(task, score)
    assert sampler.level == 0
    sampler.update(task, 0.0)
    assert sampler.level == pytest.approx(0.8 * np.tanh(2 * (0.5 - 0.25)))
    assert sampler.probabilities[:2] == pytest.approx(
        [1 - sampler.level, sampler.level]
    )


@pytest.mark.parametrize("way", ["pickle", "json"])
def test_it_continues(way):
    sampler = aq_gym.TaskSampler(SIZES, target=0.5, seed=3)
    train(sampler, 4, 101)
    if way == "pickle":
        twin = pickle.loads(pickle.dumps(sampler))
    else:
        twin = aq_gym.TaskSampler(SIZES, target=0.5, seed=8)
        twin.load_state_dict(json.loads(json.dumps(sampler.state_dict())))
    assert train(sampler, 5, 200) == train(twin, 5, 200)
    assert [sampler.draw() for _ in range(9)] == [twin.draw() for _ in range(9)]
    with pytest.raises(ValueError, match="state has 6 settings, the sampler 2"):
        aq_gym.TaskSampler(SIZES[:2]).load_state_dict(sampler.state_dict())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"settings": []}, "settings is empty"),
        ({"settings": [SIZES[0], SIZES[0]]}, "has a duplicate"),
        ({"settings": ["aq/Mastermind-v0?lenght=3"]}, "lenght"),
        ({"weights": [1, 1]}, "give 6 numbers"),
        ({"weights": [0] * 6}, "not all 0"),
        ({"weights": [1, -1, 1, 1, 1, 1]}, "at least 0"),
        ({"weights": [1] * 6, "target": 0.5}, "weights and target: give one"),
        ({"target": 1.0}, "target=1.0"),
        ({"rate": 0.0}, "rate=0.0"),
        ({"window": 0}, "window=0"),
    ],
)
def test_wrong_arguments(arguments, said):
    with pytest.raises(ValueError, match=said):
        aq_gym.TaskSampler(**{"settings": SIZES, **arguments})


def test_wrong_scores():
    sampler = aq_gym.TaskSampler(SIZES[:2])
    with pytest.raises(ValueError, match="score=2"):
        sampler.update(sampler.draw(), 2)
    other = aq_gym.TaskSampler(SIZES[2:]).draw()
    with pytest.raises(ValueError, match="not one of the settings"):
        sampler.update(other, 1)
