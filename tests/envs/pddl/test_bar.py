"""Barman: short plans, from every state that has one."""

from random import Random

import pytest

from aq_gym.envs.pddl.generated import GeneratedProblems
from aq_gym.envs.pddl.library import load_domain
from aq_gym.envs.pddl.logic import Task, parse_domain, parse_problem
from aq_gym.envs.pddl.planner import solve
from aq_gym.envs.pddl.planner.bar import solve_bar

PDDL = load_domain("barman").pddl


def carry_out(task, state, plan):
    for action in plan:
        assert task.applicable(state, action)
        state = task.step(state, action)
    return state


def generated(difficulty, seed):
    problems = GeneratedProblems("barman", difficulty, "all", None)
    return problems.get(f"barman:{difficulty}-{seed}").task


# The optima that Fast Downward's A* finds.
@pytest.mark.parametrize("optima", [(12, 14, 10, 18, 11, 14)])
def test_easy_problems_are_solved_in_the_fewest_steps(optima):
    for seed, steps in enumerate(optima):
        assert len(solve(generated("easy", seed))) == steps


@pytest.mark.parametrize("seed", range(2))
def test_the_plan_continues_where_a_random_walk_left(seed):
    task, random = generated("easy", seed), Random(seed)
    state, found = task.init, 0
    for _ in range(25):
        state = task.step(state, random.choice(task.valid(state)))
        plan = solve_bar(task, state)
        if plan is not None:
            found += 1
            assert task.solved(carry_out(task, state, plan))
    assert found


STATE = (
    "(ontable shaker1) (ontable shot1) (ontable shot2) (clean shot1) (clean shot2)"
    "(empty shot1) (empty shot2) (handempty left) (handempty right) (other left right)"
    "(other right left) (dispenses d1 i1) (dispenses d2 i2) (next l0 l1) (next l1 l2)"
    "(shaker-empty-level shaker1 l0) (cocktail-part1 c i1) (cocktail-part2 c i2)"
)
CLEAN = "(clean shaker1) (empty shaker1) (shaker-level shaker1 l0)"


def bar(goal, state=STATE + CLEAN, pddl=PDDL):
    domain = parse_domain(pddl)
    text = (
        "(define (problem p) (:domain barman) (:objects left right - hand i1 i2 -"
        " ingredient d1 d2 - dispenser c - cocktail shot1 shot2 - shot shaker1 - shaker"
        f" l0 l1 l2 - level) (:init {state}) (:goal {goal}))"
    )
    return Task(domain, parse_problem(text, domain))


def distance(task):
    """Return the length of a shortest plan, by breadth-first search."""
    layer, seen, steps = {task.init}, {task.init}, 0
    while not any(map(task.solved, layer)):
        layer = {task.step(s, a) for s in layer for a in task.valid(s)} - seen
        seen |= layer
        steps += 1
    return steps


@pytest.mark.parametrize(
    "shaker",
    [
        CLEAN,
        # Mixed, half mixed, dirty, with another one's rest.
        "(shaked shaker1) (contains shaker1 c) (shaker-level shaker1 l2)",
        "(unshaked shaker1) (contains shaker1 i1) (shaker-level shaker1 l1)",
        "(empty shaker1) (shaker-level shaker1 l0)",
        "(shaked shaker1) (contains shaker1 c) (shaker-level shaker1 l0)",
    ],
)
@pytest.mark.parametrize("second", ["c", "i1"])
def test_the_shaker_is_used_as_it_is(shaker, second):
    task = bar(f"(and (contains shot1 c) (contains shot2 {second}))", STATE + shaker)
    plan = solve_bar(task, task.init)
    assert task.solved(carry_out(task, task.init, plan))
    assert len(plan) == distance(task)


GOALS = (
    "(contains shot1 c)",
    "(and (contains shot1 c) (contains shot2 i1))",
    "(and (contains shot1 i2) (contains shot2 i1))",
)


@pytest.mark.parametrize("seed", range(12))
def test_plans_from_anywhere_have_the_fewest_steps(seed):
    task, random = bar(GOALS[seed % 3]), Random(seed)
    for _ in range(seed):
        task.init = task.step(task.init, random.choice(task.valid(task.init)))
    assert len(solve_bar(task, task.init)) == distance(task)


@pytest.mark.parametrize(
    "goal",
    [
        "(clean shot1)",
        "(and (contains shot1 i1) (ontable shot1))",
        "(contains shaker1 c)",
        "(or (contains shot1 i1) (contains shot1 i2))",
    ],
)
def test_other_goals_are_left_to_the_other_searches(goal):
    task = bar(f"(and {goal} (contains shot2 i2))")
    assert solve_bar(task, task.init) is None
    assert task.solved(carry_out(task, task.init, solve(task)))


def test_other_rules_are_noticed():
    pddl = PDDL.replace(":effect (clean ?shaker)", ":effect (used ?shaker ?shaker)")
    assert pddl != PDDL
    state = STATE + "(empty shaker1) (shaker-level shaker1 l0)"
    task = bar("(contains shot1 c)", state, pddl)
    assert solve_bar(task, task.init) is None


def test_a_bar_without_levels_or_a_shaker_is_no_error():
    task = bar(
        "(contains shot1 c)", STATE.replace("(shaker-empty-level shaker1 l0)", "")
    )
    assert solve_bar(task, task.init) is None
