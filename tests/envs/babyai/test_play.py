"""Levels, seeds, progress and the expert."""

import os

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.envs.babyai import BabyAITextEnv, actions
from aq_gym.envs.babyai.expert import _rehearse, next_action
from aq_gym.envs.babyai.generation import generate, known_levels
from aq_gym.envs.babyai.logic.layout import clauses, forbidden
from aq_gym.envs.babyai.logic.milestones import (
    Milestone,
    _with_doors_before,
    find_milestones,
)
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import Outcome, World
from aq_gym.envs.babyai.mission import Scene
from aq_gym.evaluation import Suite
from aq_gym.registration import TABLE

LEVELS = known_levels()
SEEDS = range(int(os.environ.get("AQ_GYM_BABYAI_SEEDS", "2")))
FAMILY = [row for row in TABLE if row.family and "BabyAI" in row.id]


def play(env, seed, most=100):
    """Let the expert play; return the infos of all steps."""
    env.reset(seed=seed)
    infos = []
    over = False
    while not over and len(infos) < most:
        *_, terminated, truncated, info = env.step(env.unwrapped.expert_action())
        infos.append(info)
        over = terminated or truncated
    return infos


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.id)
@pytest.mark.slow
def test_the_expert_solves_every_level(row):
    env = gym.make(row.id)
    for seed in SEEDS:
        infos = play(env, seed)
        assert infos[-1]["success"], seed
        assert all(info["action_valid"] for info in infos)
        assert all(info["best_progress"] < 1.0 for info in infos[:-1])
        assert infos[-1]["best_progress"] == 1.0


def test_every_level_of_minigrid_has_an_id():
    levels = [row.kwargs["level"] for row in FAMILY]
    assert levels == [f"{level.rpartition('-v')[0]}-v0" for level in LEVELS]
    assert all(row.id == f"aq/BabyAI-text-{row.kwargs['level']}" for row in FAMILY)


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("GoToRedBall", "GoToRedBall-v0"),
        ("GoToRedBall-v0", "GoToRedBall-v0"),
        ("BabyAI-GoToRedBall-v0", "GoToRedBall-v0"),
        ("BabyAI-GoToObjS6", "GoToObjS6-v1"),
        ("GoToObjS6-v1", "GoToObjS6-v1"),
        ("BabyAI-GoToObjS6-v0", "GoToObjS4-v0"),
        ("OpenDoorsOrderN2Debug", "OpenDoorsOrderN2-v0"),
        ("BabyAI-OpenDoorsOrderN4Debug-v0", "OpenDoorsOrderN4-v0"),
    ],
)
def test_names_of_levels(name, level):
    env = BabyAITextEnv(level=name)
    assert env.reset(seed=0)[1]["task_id"] == f"{level}:0"


def test_mistakes_in_arguments():
    with pytest.raises(ValueError, match=r"level='GoToRedBal' .* GoToRedBall"):
        BabyAITextEnv(level="GoToRedBal")
    with pytest.raises(ValueError, match="level='' "):
        BabyAITextEnv(level="")
    with pytest.raises(ValueError, match="split='dev'"):
        BabyAITextEnv(split="dev")


@pytest.mark.parametrize(
    "task_id", ["GoToObj-v0:1", "GoToRedBall:1", "GoToRedBall-v0:", "GoToRedBall-v0:-1"]
)
def test_a_task_id_that_names_nothing(task_id):
    env = BabyAITextEnv(level="GoToRedBall")
    with pytest.raises(ValueError, match="GoToRedBall-v0:<seed>"):
        env.reset(options={"task_id": task_id})


def test_splits_part_the_worlds():
    worlds = {}
    for split in ("train", "test"):
        env = BabyAITextEnv("OpenRedDoor", split=split)
        for seed in range(40):
            env.reset(seed=seed)
            layout = env.get_state().world.layout
            worlds.setdefault(split, set()).add(layout._replace(seed=0))
    assert worlds["train"].isdisjoint(worlds["test"])


def test_milestones_of_a_locked_door_before_a_locked_door():
    env = BabyAITextEnv("UnlockToUnlock")
    _, info = env.reset(seed=1234)
    assert list(info["subgoals"]) == [
        "1. pick up: key 1 seen",
        "1. pick up: key 1 carried",
        "1. pick up: door 1 on the way open",
        "1. pick up: key 2 seen",
        "1. pick up: key 2 carried",
        "1. pick up: door 2 on the way open",
        "1. pick up: target seen",
        "1. pick up: target in front",
        "1. pick up: done",
    ]
    assert info["difficulty"] == "hard"


def test_what_is_beyond_a_door_implies_it():
    names = [("open", 1), ("see", 1), ("carry", 1), ("open", 2), ("open", 1)]
    milestones = tuple(
        Milestone(f"{n}", event, (n,), (clause,))
        for n, (event, clause) in enumerate(names)
    )
    reached = [False, False, True, False, False]
    assert _with_doors_before(milestones, reached) == (True, False, True, False, False)
    reached = [False, True, False, False, False]
    assert _with_doors_before(milestones, reached) == tuple(reached)


def test_a_strict_clause_forbids_all_but_its_targets():
    layout = generate("GoToImpUnlock-v0", 6)
    clause = clauses(layout.root)[0]._replace(kind="pickup", strict=True)
    movable = {
        code
        for code, thing in enumerate(layout.things)
        if thing.kind in ("key", "ball")
    }
    target = min(movable)
    assert forbidden(layout, clause._replace(targets=(target,))) == movable - {target}
    doors = {code for code, thing in enumerate(layout.things) if thing.kind == "door"}
    opening = clause._replace(kind="open", targets=(min(doors),))
    assert forbidden(layout, opening) == doors - {min(doors)}
    assert forbidden(layout, clause._replace(strict=False)) == set()


def test_what_is_visible_at_the_start_is_no_milestone():
    env = BabyAITextEnv("OneRoomS20")
    observation, info = env.reset(seed=3)
    assert "red ball 1" in observation
    assert list(info["subgoals"]) == ["1. pick up: target in front", "1. pick up: done"]
    assert info["difficulty"] == "easy"


def test_a_visible_target_in_front_is_half_of_the_way():
    env = BabyAITextEnv("PickupLoc", instructions=False)
    env.reset(seed=0)
    *_, info = env.step(env.expert_action().replace("pickup", "go to"))
    assert info["subgoals"]["1. pick up: target in front"]
    assert info["progress"] == 0.5
    *_, info = env.step("turn left")
    assert info["progress"] == 0.5
    while not info["success"]:
        *_, info = env.step(env.expert_action())
    assert info["progress"] == 1.0


def test_a_target_in_front_at_the_start_is_no_milestone():
    env = BabyAITextEnv("PickupLoc", instructions=False)
    env.reset(seed=0)
    env.step(env.expert_action().replace("pickup", "go to"))
    play = env.get_state().world
    world = World(play.layout, play.world)
    names = [milestone.name for milestone in find_milestones(world, View(world))]
    assert names == ["1. pick up: done"]


@pytest.mark.parametrize("level", ["OpenRedDoor", "PickupLoc", "BossLevel", "Synth"])
def test_every_pick_up_and_open_counts_its_target_in_front(level):
    """They do not change the difficulty, and AgentBoard's protocol has none."""
    ours, theirs = BabyAITextEnv(level), BabyAITextEnv(level, protocol="agentboard")
    for seed in range(10):
        _, info = ours.reset(seed=seed)
        _, other = theirs.reset(options={"task_id": info["task_id"]})
        facing = {name for name in info["subgoals"] if name.endswith("in front")}
        assert [*other["subgoals"]] == [n for n in info["subgoals"] if n not in facing]
        assert other["difficulty"] == info["difficulty"]
        assert all("pick up" in name or "open" in name for name in facing)


def test_milestones_are_latched():
    env = BabyAITextEnv("BlockedUnlockPickup")
    env.reset(seed=1235)
    reached = set()
    while not env.success():
        *_, info = env.step(env.expert_action())
        now = {name for name, holds in info["subgoals"].items() if holds}
        assert reached <= now
        reached = now
    assert "1. pick up: key 1 carried" in reached


def test_what_two_clauses_share_counts_once():
    shared = 0
    for seed in range(30):
        env = BabyAITextEnv("GoToSeq")
        env.reset(seed=seed)
        milestones = env.get_state().world.milestones
        keys = [(m.event, m.things) for m in milestones]
        assert len(set(keys)) == len(keys)
        shared += any(len(m.clauses) > 1 for m in milestones)
        assert len(clauses(env.get_state().world.layout.root)) == sum(
            m.event == "done" for m in milestones
        )
    assert shared


# The lengths of shortest walks, from a search over all poses and orders of clauses.
@pytest.mark.parametrize(
    ("level", "optima"),
    [
        pytest.param(
            "GoToSeq", (69, 29, 32, 69, 20, 51, 95, 40), marks=pytest.mark.slow
        ),
        ("GoToSeqS5R2", (13, 21, 2, 13, 17, 7, 10, 6)),
    ],
)
def test_the_expert_walks_past_several_targets_in_a_short_order(level, optima):
    ratios = []
    env = BabyAITextEnv(level)
    for seed, optimum in enumerate(optima):
        env.reset(seed=seed)
        world, steps = World(env.get_state().world.layout), 0
        outcome = Outcome.CONTINUE
        while outcome is Outcome.CONTINUE:
            scene = Scene(world)
            action = actions.read(next_action(scene))
            for primitive in actions.plan(action, scene).primitives:
                outcome = world.act(primitive)
                steps += 1
                if outcome is not Outcome.CONTINUE:
                    break
        assert outcome is Outcome.SUCCESS
        ratios.append(steps / optimum)
    # The expert saves actions, some of which walk far.
    assert sum(ratios) / len(ratios) < 1.15


def test_agentboards_episodes():
    tasks = Suite.load("agentboard-babyai").tasks
    assert len(tasks) == 112
    assert {task.seed for task in tasks} == {1234, 1235, 1236, 1237}
    assert len({task.kwargs["level"] for task in tasks}) == 28
    assert {task.max_steps for task in tasks} == {30}
    assert {task.kwargs["protocol"] for task in tasks} == {"agentboard"}
    assert [task.difficulty for task in tasks].count("hard") == 26
    solved = [play(task.make(), task.seed)[-1]["success"] for task in tasks[::7]]
    assert sum(solved) == 15


@settings(max_examples=12, derandomize=True)
@given(
    level=st.sampled_from(LEVELS),
    seed=st.integers(0, 9),
    picks=st.lists(st.integers(0, 10**6), max_size=25),
)
def test_the_expert_takes_over_from_anywhere(level, seed, picks):
    """After any actions the expert succeeds or says that nothing can be done."""
    env = BabyAITextEnv(level)
    env.reset(seed=seed)
    for pick in picks:
        actions = env.admissible_actions()
        if env.step(actions[pick % len(actions)])[2]:
            return
    for _ in range(150):
        action = env.expert_action()
        if action is None:
            return
        *_, terminated, _, info = env.step(action)
        assert info["action_valid"]
        if terminated:
            assert info["success"]
            return
    raise AssertionError("the expert does not come to an end")


def test_the_expert_takes_an_action_that_walks_far():
    """It is never longer than the plan of the fewest single steps."""
    env = BabyAITextEnv("PutNextLocal")
    shorter = 0
    for seed in range(6):
        env.reset(seed=seed)
        scene, played = Scene(World(env.get_state().world.layout)), 0
        planned = _rehearse(scene.world, 0)
        while not env.success():
            env.step(env.expert_action())
            played += 1
        assert played <= planned
        shorter += played < planned
    assert shorter


@pytest.mark.parametrize(
    ("level", "seed", "walked", "needed"),
    [("PickupLoc", 0, 7, 3), ("GoToRedBall", 1, 5, 3), ("GoToDoor", 3, 0, 1)],
)
def test_the_expert_tries_pairs_of_actions_near_the_end(level, seed, walked, needed):
    """A turn shows what to walk to, or where to drop a thing."""
    env, rng = BabyAITextEnv(level), np.random.default_rng([7, seed])
    env.reset(seed=seed)
    for _ in range(walked):
        env.step(env.sample_action(rng))
    for _ in range(needed):
        assert not env.success()
        env.step(env.expert_action())
    assert env.success()
