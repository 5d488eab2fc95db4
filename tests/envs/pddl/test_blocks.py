"""Blocksworld: shortest plans in small problems, short ones in large ones."""

from random import Random

import pytest

from aq_gym.envs.pddl.generated import GeneratedProblems
from aq_gym.envs.pddl.library import load_domain
from aq_gym.envs.pddl.logic import Task, parse_domain, parse_problem
from aq_gym.envs.pddl.planner import solve
from aq_gym.envs.pddl.planner.blocks import solve_blocks

PDDL = load_domain("blocksworld").pddl


def carry_out(task, state, plan):
    for action in plan:
        assert task.applicable(state, action)
        state = task.step(state, action)
    return state


def blocks(init, goal, pddl=PDDL):
    domain = parse_domain(pddl)
    text = (
        "(define (problem p) (:domain blocksworld) (:objects a b c d - block)"
        f"(:init {init}) (:goal {goal}))"
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


TABLE = "(arm-empty) (on-table a) (on-table b) (on-table c) (on-table d)"
ALL = TABLE + "(clear a) (clear b) (clear c) (clear d)"


@pytest.mark.parametrize("seed", range(40))
def test_four_blocks_are_stacked_in_the_fewest_steps(seed):
    """From any state, also with a block in the hand and for goals of some blocks."""
    random = Random(seed)
    upper, lower = random.sample("abcd", 4), random.sample("abcd", 4)
    pairs = [pair for pair in zip(upper, lower, strict=True) if pair[0] < pair[1]]
    goal = " ".join(f"(on {one} {other})" for one, other in pairs)
    task = blocks(ALL, f"(and {goal})")
    for _ in range(random.randint(0, 12)):
        task.init = task.step(task.init, random.choice(task.valid(task.init)))
    if not task.solved(task.init):
        plan = solve_blocks(task, task.init)
        assert task.solved(carry_out(task, task.init, plan))
        assert len(plan) == distance(task)


# The optima that Fast Downward's A* finds.
@pytest.mark.parametrize(
    ("difficulty", "optima"),
    [("easy", (10, 2, 6, 8, 8, 16, 8)), ("hard", (20, 20, 20, 18, 20, 26))],
)
def test_generated_problems_are_solved_in_the_fewest_steps(difficulty, optima):
    problems = GeneratedProblems("blocksworld", difficulty, "all", None)
    for seed, steps in enumerate(optima):
        task = problems.get(f"blocksworld:{difficulty}-{seed}").task
        assert len(solve(task)) == steps


@pytest.mark.parametrize(
    "goal",
    ["(and (on a b) (clear a))", "(on-table a)", "(or (on a b) (on b a))", "(on a a)"],
)
def test_other_goals_are_left_to_the_other_searches(goal):
    task = blocks(
        ALL.replace("(on-table a)", "(on a b)").replace("(clear b)", ""), goal
    )
    if not task.solved(task.init):
        assert solve_blocks(task, task.init) is None
    solve(task)


def test_other_rules_are_noticed():
    pddl = PDDL.replace(
        ":precondition (and (on-table ?block)", ":precondition (and (on ?block ?block)"
    )
    assert pddl != PDDL
    task = blocks(ALL, "(on a b)", pddl)
    assert solve_blocks(task, task.init) is None


def test_blocks_in_a_circle_and_nowhere_are_no_error():
    for init in (
        "(on a b) (on b a) (on-table c)",
        "(on-table a) (clear a) (arm-empty)",
    ):
        task = blocks(init, "(on a c)")
        assert solve_blocks(task, task.init) is None


def test_many_blocks_are_stacked_in_few_steps():
    random = Random(0)
    names = [f"b{i}" for i in range(60)]
    towers = [random.sample(names, 60), random.sample(names, 60)]
    init = ["arm-empty", f"on-table {towers[0][0]}", f"clear {towers[0][-1]}"]
    on, goal = (
        [f"on {tower[i + 1]} {tower[i]}" for i in range(59)] for tower in towers
    )
    init += on
    objects = f"{' '.join(names)} - block"
    text = (
        f"(define (problem p) (:domain blocksworld) (:objects {objects})"
        f"(:init {' '.join(f'({one})' for one in init)})"
        f"(:goal (and {' '.join(f'({one})' for one in goal)})))"
    )
    domain = parse_domain(PDDL)
    task = Task(domain, parse_problem(text, domain))
    plan = solve_blocks(task, task.init)
    assert task.solved(carry_out(task, task.init, plan))
    assert len(plan) <= 3.9 * 60
