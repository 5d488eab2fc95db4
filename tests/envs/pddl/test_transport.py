"""Transport: the fewest moves in small problems, few in large ones."""

from random import Random

import pytest

from aq_gym.envs.pddl.domains.problem_draft import ProblemDraft
from aq_gym.envs.pddl.generated import GeneratedProblems
from aq_gym.envs.pddl.library import load_domain
from aq_gym.envs.pddl.logic import Task, parse_domain, parse_problem
from aq_gym.envs.pddl.planner import shortest, solve
from aq_gym.envs.pddl.planner.couriers import solve_transport


def carry_out(task, state, plan):
    for action in plan:
        assert task.applicable(state, action)
        state = task.step(state, action)
    return state


def generated(domain, difficulty, seed):
    problems = GeneratedProblems(domain, difficulty, "all", None)
    return problems.get(f"{domain}:{difficulty}-{seed}").task


def gripper(balls, goal, init="(at-robby a) (free left) (free right)", domain=None):
    domain = domain or load_domain("gripper").domain
    objects = "a b c - room b1 b2 b3 - ball left right - gripper"
    text = (
        f"(define (problem p) (:domain gripper) (:objects {objects})"
        f"(:init {init} {balls}) (:goal (and {goal})))"
    )
    return Task(domain, parse_problem(text, domain))


@pytest.mark.parametrize(
    ("domain", "seeds"), [("gripper", (2, 6)), ("logistics", (0, 2, 3))]
)
def test_small_problems_are_solved_in_the_fewest_steps(domain, seeds):
    for seed in seeds:
        task = generated(domain, "easy", seed)
        assert len(solve(task)) == len(shortest(task))


# The optima that Fast Downward's A* finds.
@pytest.mark.parametrize(
    ("domain", "difficulty", "optima"),
    [
        ("gripper", "hard", (28, 18, 18, 22, 23, 26)),
        ("logistics", "hard", (36, 38, 34, 30, 39, 38)),
    ],
)
def test_hard_problems_are_solved_in_the_fewest_steps(domain, difficulty, optima):
    for seed, steps in enumerate(optima):
        assert len(solve(generated(domain, difficulty, seed))) == steps


def test_the_plan_continues_from_every_state_of_a_random_walk():
    for domain in ("gripper", "logistics"):
        task, random = generated(domain, "hard", 1), Random(0)
        state = task.init
        for _ in range(30):
            state = task.step(state, random.choice(task.valid(state)))
            assert task.solved(carry_out(task, state, solve_transport(task, state)))
        assert solve_transport(task, carry_out(task, state, solve(task, state))) == []


def test_a_robot_has_as_many_hands_as_the_problem_says():
    init, balls = "(at-robby a) (free left)", "(at b1 a) (at b2 a)"
    goal = "(at b1 b) (at b2 b)"
    for task, steps in ((gripper(balls, goal, init), 7), (gripper(balls, goal), 5)):
        assert len(solve_transport(task, task.init)) == steps


@pytest.mark.parametrize(
    ("balls", "goal", "init"),
    [
        # Another condition, a hand that a ball without a goal holds, no hand, no robot.
        ("(at b1 a)", "(at b1 b) (at-robby c)", "(at-robby a) (free left)"),
        ("(at b1 a) (carry b2 left)", "(at b1 b)", "(at-robby a)"),
        ("(at b1 a)", "(at b1 b)", "(at-robby a)"),
        ("(at b1 a)", "(at b1 b)", "(free left)"),
        ("", "(at b1 b)", "(at-robby a) (free left)"),
        ("(at b1 a)", "(or (at b1 b) (at b1 c))", "(at-robby a) (free left)"),
    ],
)
def test_other_problems_are_left_to_the_other_searches(balls, goal, init):
    task = gripper(balls, goal, init)
    assert solve_transport(task, task.init) is None
    solve(task)


def test_other_rules_of_the_same_predicates_are_noticed():
    text = load_domain("gripper").pddl
    locked = text.replace(
        ":precondition (at-robby ?from)",
        ":precondition (and (at-robby ?from) (free left))",
    )
    assert locked != text
    domain = parse_domain(
        locked.replace("(:predicates", "(:constants left - gripper) (:predicates")
    )
    task = gripper("(at b1 a) (at b2 a)", "(at b1 b) (at b2 b)", domain=domain)
    assert solve_transport(task, task.init) is None
    assert task.solved(carry_out(task, task.init, solve(task)))


def test_several_vehicles_and_packages_on_board():
    domain = load_domain("logistics").domain
    text = """(define (problem p) (:domain logistics)
      (:objects c d - city ca da db - airport cx dx - place t u v - truck
       e f - airplane p q r - package)
      (:init (in-city ca c) (in-city cx c) (in-city da d) (in-city db d) (in-city dx d)
       (at t cx) (at u dx) (at v dx) (at e ca) (at f db) (in p e) (in q t) (at r dx))
      (:goal (and (at p dx) (at q dx) (at r db))))"""
    task = Task(domain, parse_problem(text, domain))
    plan = solve_transport(task, task.init)
    assert task.solved(carry_out(task, task.init, plan))
    assert len(plan) == 14


def test_large_problems_are_solved_in_few_steps():
    random = Random(0)
    rooms, balls = [f"r{i}" for i in range(6)], [f"b{i}" for i in range(40)]
    init, goal = ["at-robby r0", "free left", "free right"], list[str]()
    for ball in balls:
        start, target = random.sample(rooms, 2)
        init.append(f"at {ball} {start}")
        goal.append(f"at {ball} {target}")
    objects = {"room": rooms, "ball": balls, "gripper": ["left", "right"]}
    text = ProblemDraft(objects, init, goal).pddl("gripper", "p")
    domain = load_domain("gripper").domain
    task = Task(domain, parse_problem(text, domain))
    plan = solve_transport(task, task.init)
    assert task.solved(carry_out(task, task.init, plan))
    # Each ball is picked and dropped, and two can be carried at once.
    assert 2.5 * 40 <= len(plan) <= 2.9 * 40


@pytest.mark.parametrize("name", ["barman", "blocksworld", "gripper", "logistics"])
@pytest.mark.parametrize("terms", ["", "?a", "?a ?b ?c"])
def test_predicates_of_the_same_names_with_other_terms_are_no_error(name, terms):
    names = load_domain(name).domain.predicates
    objects = " ".join(term[1:] for term in terms.split())
    goal = "contains" if name == "barman" else "on" if name == "blocksworld" else "at"
    domain = parse_domain(
        f"(define (domain d) (:predicates {' '.join(f'({p} {terms})' for p in names)})"
        + " ".join(
            f"(:action make-{p} :parameters ({terms}) :effect ({p} {terms}))"
            for p in names
        )
        + ")"
    )
    init = " ".join(f"({p} {objects})" for p in names if p != goal)
    text = (
        f"(define (problem p) (:domain d) (:objects a b c shaker1)"
        f"(:init {init}) (:goal ({goal} {objects})))"
    )
    task = Task(domain, parse_problem(text, domain))
    assert len(solve(task)) == 1
