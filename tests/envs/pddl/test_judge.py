"""The native engine against pddlgym: the same valid actions, states and goals.

Walks are random at first and then follow a plan to the goal. Set PDDL_JUDGE_WALKS to
walk more often.
"""

import importlib
import os
from random import Random

import gymnasium as gym
import numpy as np
import pytest

import aq_gym
from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.expert import solve
from aq_gym.envs.pddl.library import domain_names
from aq_gym.envs.pddl.logic import PDDLError
from aq_gym.envs.pddl.pddlgym_files import pddlgym_folder
from aq_gym.envs.pddl.sources import task_source

assert aq_gym

pytestmark = [pytest.mark.slow, pytest.mark.needs("module:pddlgym")]

WALKS = int(os.environ.get("PDDL_JUDGE_WALKS", "1"))

# Small enough that pddlgym takes a second; some name their actions in pseudo
# predicates, some have constants, negation or a type hierarchy.
SHIPPED = {
    "blocks": 0,
    "blocks_operator_actions": 3,
    "conditionalblocks": 1,
    "easygripper": 0,
    "easynewspapers": 2,
    "elevator": 0,
    "ferry": 0,
    "generated_blocks": 5,
    "glibrearrangement": 0,
    "hanoi": 1,
    "hanoi_operator_actions": 2,
    "lifelong_tiny_gripper": 0,
    "manyblockssmallpiles": 4,
    "manyferry": 1,
    "trapnewspapers": 0,
}


@pytest.fixture(scope="module")
def judge():
    from .pddlgym_engine import PddlgymTask

    return PddlgymTask


def compare(native, judged, seed, steps):
    """Walk with both engines; return the number of compared states."""
    rng, state, count = Random(seed), native.init, 0
    walk = []
    while True:
        valid = native.valid(state)
        # pddlgym lets no action name an object twice.
        allowed = [i for i in valid if _distinct(native.actions[i].args)]
        assert allowed == judged.valid(state)
        assert native.solved(state) == judged.solved(state)
        count += 1
        if not allowed or native.solved(state):
            return count, native.solved(state)
        if len(walk) == 0 and count > steps:
            walk = solve(native, state) or []
            if not walk:
                return count, False
        action = walk.pop(0) if count > steps else rng.choice(allowed)
        after = native.step(state, action)
        assert after == judged.step(state, action)
        state = after


def _distinct(args):
    return len(set(args)) == len(args)


def walks(judge, source, seed, steps=15):
    instance = source.get(source.draw(np.random.default_rng(seed)))
    judged = judge(instance)
    reached = [compare(instance.task, judged, seed, steps), (0, False)]
    if not reached[0][1]:
        # The random part led to a dead end, unlike the plan from the start.
        reached[1] = compare(instance.task, judged, seed, 0)
    assert any(solved for _, solved in reached)
    return sum(count for count, _ in reached)


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
@pytest.mark.parametrize("domain", domain_names())
def test_our_domains(judge, domain, difficulty):
    source = task_source(domain, None, difficulty, "all", None, None)
    assert sum(walks(judge, source, seed) for seed in range(WALKS)) > 5


@pytest.mark.parametrize("domain", SHIPPED)
def test_its_domains(judge, domain):
    problem = SHIPPED[domain] if WALKS == 1 else None
    source = task_source(f"pddlgym:{domain}", problem, None, "all", None, None)
    assert sum(walks(judge, source, seed) for seed in range(WALKS)) > 3


def test_pddlgym_leaves_nothing_in_shared_memory(tmp_path, monkeypatch, judge):
    spaces = importlib.import_module("pddlgym.spaces")
    monkeypatch.setattr(spaces, "TMP_PDDL_DIR", str(tmp_path))
    source = task_source("blocksworld", "easy-1", None, "all", None, None)
    judged = judge(source.get(source.draw(np.random.default_rng(0))))
    judged.valid(judged.init)
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) == spaces.TMP_PDDL_DIR


def test_every_deterministic_domain_is_played():
    refused = {}
    for path in sorted(pddlgym_folder().glob("*.pddl")):
        if not list((path.parent / path.stem).glob("*.pddl")) or path.stem in HUGE:
            continue
        try:
            env = PDDLEnv(domain=f"pddlgym:{path.stem}", problem=0)
            env.reset(seed=0)
        except PDDLError as error:
            refused[path.stem] = str(error)
        except RuntimeError as error:
            assert "begins with progress" in str(error)
    # Nine of the navigation domains don't even close their brackets.
    navigation = {name for name in refused if name.startswith("navigation")}
    assert len(navigation) == 10
    rest = {name: why for name, why in refused.items() if name not in navigation}
    assert {name for name, why in rest.items() if "probabilistic" in why} == {
        "explodingblocks", "manyexplodingblockssmallpiles", "manytireworld", "river",
        "tireworld",
    }  # fmt: skip
    assert [why for name, why in rest.items() if "derived" in why]
    assert len(rest) == 6


# Their first problem alone has hundreds of thousands of ground actions.
HUGE = {"footwear"}


def test_problems_by_index_and_name():
    env = PDDLEnv(domain="pddlgym:ferry", problem=1)
    _, info = env.reset(seed=0)
    assert info["source"] == "published"
    named = PDDLEnv(domain="pddlgym:ferry", problem=info["task_id"].split(":")[-1])
    assert named.reset(seed=9)[0] == env.reset(seed=5)[0]
    for kwargs, message in [
        ({"domain": "pddlgym:chess"}, "there are"),
        ({"domain": "pddlgym:../core"}, "there are"),
        ({"domain": "pddlgym:ferry", "problem": 99}, "give an index below"),
        ({"domain": "pddlgym:ferry", "problem": "p99"}, "give an index below"),
        ({"domain": "pddlgym:ferry", "difficulty": "easy"}, "can't be divided"),
    ]:
        with pytest.raises(ValueError, match=message):
            PDDLEnv(**kwargs)
    with pytest.raises(
        ValueError, match="task_id='ferry:x' is not one of the problems"
    ):
        env.reset(options={"task_id": "ferry:x"})


def test_without_pddlgym_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("aq_gym.envs.pddl.pddlgym_files.find_spec", lambda name: None)
    with pytest.raises(gym.error.DependencyNotInstalled, match=r"aq-gym.pddlgym."):
        PDDLEnv(domain="pddlgym:ferry").reset(seed=0)
