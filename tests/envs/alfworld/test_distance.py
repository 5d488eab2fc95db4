"""The length of a shortest plan is that of the plan, after any actions."""

import copy
import dataclasses
import pickle
import random

import pytest

from aq_gym.envs.alfworld.logic.distance import Distance
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.logic.rules import Action, actions, apply, solved, valid


def walk(house, chance, steps=40):
    """Yield the states of a walk that takes, opens and places much."""
    state = house.start
    for _ in range(steps):
        route = plan(house, state)
        yield state, route
        if route == ():
            return
        by_verb = {}
        for action in sorted(actions(house, state)):
            by_verb.setdefault(action.verb, []).append(action)
        action = chance.choice(by_verb[chance.choice(sorted(by_verb))])
        if route and chance.random() < 0.3:
            action = route[0]
        state = apply(house, state, action)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_distance_is_the_length_of_the_plan(task_type, house, chance):
    for number in range(4):
        built = house(task_type, number)
        distance = Distance(built)
        for state, route in walk(built, chance):
            if route != ():
                expected = None if route is None else len(route)
                assert distance.remaining(state) == expected


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_distance_from_every_location(task_type, house, chance):
    for number in range(3):
        built = house(task_type, number)
        distance = Distance(built)
        for state, _ in list(walk(built, chance))[::6]:
            for location in range(len(built.locations)):
                there = state._replace(location=location)
                route = plan(built, there)
                if route != ():
                    expected = None if route is None else len(route)
                    assert distance.remaining(there) == expected


def test_distance_where_another_object_is_hot_already(house):
    built = house("pick_heat_then_place_in_recep")
    thing, other = sorted(built.targets & built.heatable)[:2]
    # With all but the microwave in one place, to take the hot one may be shorter.
    places = [int(spot in built.processors) for spot in range(len(built.receptacles))]
    built = dataclasses.replace(built, places=tuple(places))
    distance = Distance(built)
    for spot in range(len(built.receptacles)):
        contents = [things - built.targets for things in built.start.contents]
        contents[spot] = frozenset({other})
        cold = built.start._replace(held=thing, contents=tuple(contents))
        for state in (cold, cold._replace(hot=frozenset({other}))):
            for location in (0, 1):
                there = state._replace(location=location)
                if not solved(built, there):
                    assert distance.remaining(there) == len(plan(built, there))


def test_distance_of_two_objects_after_one_was_placed(house):
    built = house("pick_two_obj_and_place", 2)
    distance = Distance(built)
    walked = [(state, route) for state, route in walk(built, random.Random(2)) if route]
    assert [distance.remaining(state) for state, _ in walked] == [
        len(route) for _, route in walked
    ]


def test_distance_where_only_the_goals_receptacles_are_closed(house, chance):
    built = house("pick_and_place_simple")
    built = dataclasses.replace(built, openable=frozenset(built.ends))
    distance = Distance(built)
    state = built.start._replace(opened=frozenset())
    for _ in range(6):
        assert distance.remaining(state) == len(plan(built, state))
        state = apply(built, state, chance.choice(sorted(actions(built, state))))


def test_without_a_way_there_is_no_distance(house):
    built = house(TASK_TYPES[0])
    gone = built.start._replace(contents=(frozenset(),) * len(built.receptacles))
    assert plan(built, gone) is Distance(built).remaining(gone) is None


def test_copies_measure_the_same(house):
    built = house(TASK_TYPES[3])
    distance = Distance(built)
    expected = distance.remaining(built.start)
    for copied in (copy.deepcopy(distance), pickle.loads(pickle.dumps(distance))):
        assert copied.remaining(built.start) == expected


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_an_action_is_valid_if_it_is_listed(task_type, house, chance):
    built = house(task_type)
    states = [state for state, _ in walk(built, chance)]
    known = {action for state in states for action in actions(built, state)}
    known |= {
        Action(verb, thing, receptacle)
        for verb in ("take", "put", "clean", "heat", "cool", "use")
        for thing in range(0, len(built.objects), 3)
        for receptacle in range(len(built.receptacles))
    }
    for state in states[::8]:
        listed = set(actions(built, state))
        assert {one for one in known if valid(built, state, one)} == listed & known
