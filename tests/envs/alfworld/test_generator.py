"""Generated households: solvable, unsolved, like the official ones, in splits."""

import hashlib
import json
import random

import pytest

from aq_gym.envs.alfworld.expert import plan, planned
from aq_gym.envs.alfworld.floor_plans import facts, plans
from aq_gym.envs.alfworld.households import generate
from aq_gym.envs.alfworld.logic.house import TASK_TYPES, TWO
from aq_gym.envs.alfworld.logic.rules import apply, solved
from aq_gym.envs.alfworld.text import Words, action, commands

COUNT = 40
WORDS = Words("")


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_solvable_never_solved(house, task_type):
    for number in range(COUNT):
        built = house(task_type, number)
        state = built.start
        assert not solved(built, state)
        for step in plan(built, state):
            assert step in commands(built, WORDS, state).values()
            state = apply(built, state, step)
        assert solved(built, state)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_no_dead_ends(house, task_type):
    rng = random.Random(0)
    for number in range(6):
        built = house(task_type, number)
        state = built.start
        for _ in range(60):
            found = commands(built, WORDS, state)
            said = rng.choice(sorted(found))
            assert action(built, WORDS, state, said) == found[said]
            choices = sorted(found.values())
            doing = [action for action in choices if action.verb != "go"]
            state = apply(built, state, rng.choice(rng.choice((doing, choices))))
            steps = plan(built, state)
            assert steps is not None
            # The engine remembers the plans of these states.
            assert plan(built, planned(built, state)) == steps


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_every_object_fits_somewhere_and_nothing_is_where_it_belongs(house, task_type):
    for number in range(COUNT):
        built = house(task_type, number)
        goal = built.goal
        spots = range(len(built.receptacles))
        for thing in built.portable:
            assert any(built.can_hold(spot, thing) for spot in spots)
        for spot, contents in enumerate(built.start.contents):
            if built.receptacle_types[spot] == goal.receptacle:
                assert goal.target not in {built.object_types[t] for t in contents}
        targets = [kind for kind in built.object_types if kind == goal.target]
        assert len(targets) >= (2 if task_type == TWO else 1)
        # No two receptacles share a location, so "go" is never refused.
        assert len(set(built.places)) == len(built.receptacles)
        assert not built.nearby[built.start.location]
        assert not built.start.opened


def test_golden_household():
    """A number always gives the same household, on every machine."""
    drafts = [generate(task_type, 7) for task_type in TASK_TYPES]
    text = json.dumps([[d.goal, d.sentence, d.atoms, d.plan] for d in drafts])
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN


GOLDEN = "c768804c01e22bb0aca173f20bed0f07de8fd49ebcefedd927bef083af8cabfb"


def test_splits_share_no_floor_plan_and_no_goal():
    for task_type in TASK_TYPES:
        train, test = (plans(task_type, split) for split in ("train", "test"))
        assert train and test
        assert not {p.number for p in train} & {p.number for p in test}
        goals = [
            {goal for plan in part for some in plan.goals for goal in some}
            for part in (train, test)
        ]
        assert goals[0] and goals[1]
        assert not goals[0] & goals[1]


@pytest.mark.parametrize("split", ["train", "test"])
def test_households_come_from_their_split(split):
    test_plans = facts()["test_plans"]
    for task_type in TASK_TYPES:
        allowed = {g for p in plans(task_type, split) for some in p.goals for g in some}
        for number in range(COUNT):
            draft = generate(task_type, number, split)
            assert (draft.plan in test_plans) == (split == "test")
            assert draft.goal in allowed


def test_rooms_come_as_often_as_in_the_official_games():
    """15 in 100 two-object tasks are in kitchens, where planning takes longest."""
    for task_type, kitchens in ((TASK_TYPES[0], 11), (TASK_TYPES[2], 67), (TWO, 15)):
        rooms = [generate(task_type, number).plan // 100 for number in range(200)]
        assert 100 * rooms.count(0) / 200 == pytest.approx(kitchens, abs=5)
