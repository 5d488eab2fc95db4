"""Plans: they reach the goal, are short, and are found from every state."""

import copy
import pickle
from random import Random
from statistics import mean

import numpy as np
import pytest

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.expert import Expert, solve
from aq_gym.envs.pddl.library import domain_names, load_domain
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem, table
from aq_gym.envs.pddl.logic.formulas import Condition
from aq_gym.envs.pddl.logic.table import Budget
from aq_gym.envs.pddl.planner import effort as effort_module
from aq_gym.envs.pddl.planner.bar import solve_bar
from aq_gym.envs.pddl.planner.effort import Effort
from aq_gym.envs.pddl.planner.relaxation import Relaxation
from aq_gym.envs.pddl.planner.serial import solve_serially
from aq_gym.envs.pddl.planner.transport import solve_transport
from aq_gym.envs.pddl.sources import GeneratedProblems


def carry_out(task, state, plan):
    for action in plan:
        assert task.applicable(state, action)
        state = task.step(state, action)
    return state


def generated(domain, difficulty, seed):
    problems = GeneratedProblems(domain, difficulty, "all", None)
    return problems.get(f"{domain}:{difficulty}-{seed}").task


def sized(domain, size, seed):
    loaded = load_domain(domain)
    pddl = loaded.generate(Random(seed), "size", size).pddl(domain, "p")
    return Task(loaded.domain, parse_problem(pddl, loaded.domain))


def distance(task):
    """Return the length of a shortest plan, by breadth-first search."""
    layer, seen, steps = {task.init}, {task.init}, 0
    while not any(map(task.solved, layer)):
        layer = {task.step(s, a) for s in layer for a in task.valid(s)} - seen
        seen |= layer
        steps += 1
    return steps


# The optima that Fast Downward's A* finds.
@pytest.mark.parametrize(
    ("domain", "difficulty", "optima"),
    [
        ("barman", "easy", (12, 14, 10, 18, 11, 14)),
        ("gripper", "hard", (28, 18, 18, 22, 23, 26)),
        ("logistics", "hard", (36, 38, 34, 30, 39, 38)),
    ],
)
def test_plans_have_the_fewest_steps(domain, difficulty, optima):
    for seed, steps in enumerate(optima):
        assert len(solve(generated(domain, difficulty, seed))) == steps


@pytest.mark.parametrize(
    ("difficulty", "optima"),
    [("easy", (10, 2, 6, 8, 8, 16, 8, 4)), ("hard", (20, 20, 20, 18))],
)
def test_plans_of_blocksworld_are_hardly_longer_than_the_shortest(difficulty, optima):
    plans = [
        len(solve(generated("blocksworld", difficulty, seed)))
        for seed in range(len(optima))
    ]
    assert all(plan >= best for plan, best in zip(plans, optima, strict=True))
    ratios = [plan / best for plan, best in zip(plans, optima, strict=True)]
    assert mean(ratios) <= 1.1


SWITCHES = """(define (domain switches)
  (:predicates (on ?x) (broken ?x) (lit))
  (:action press :parameters (?x) :precondition (and (not (on ?x)) (not (broken ?x)))
    :effect (on ?x))
  (:action release :parameters (?x) :precondition (on ?x) :effect (not (on ?x)))
  (:action break :parameters (?x) :effect (and (broken ?x) (not (on ?x))))
  (:action light :precondition (or (forall (?x) (on ?x)) (exists (?x) (broken ?x)))
    :effect (lit)))"""


def switches(goal):
    domain = parse_domain(SWITCHES)
    text = (
        "(define (problem p) (:domain switches) (:objects a b c) (:init (on a))"
        f"(:goal {goal}))"
    )
    return Task(domain, parse_problem(text, domain))


@pytest.mark.parametrize(
    ("goal", "length"),
    [
        ("(and (lit) (forall (?x) (not (broken ?x))))", 3),
        ("(lit)", 2),
        ("(not (on a))", 1),
        ("(and (not (on a)) (on b) (or (on c) (lit)))", 3),
    ],
)
def test_planners_know_negation_and_disjunction(goal, length):
    one = switches(goal)
    assert distance(one) == length
    assert one.solved(carry_out(one, one.init, solve(one)))


PDDL = load_domain("barman").pddl
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


def gripper(balls, goal, init="(at-robby a) (free left) (free right)", domain=None):
    domain = domain or load_domain("gripper").domain
    objects = "a b c - room b1 b2 b3 - ball left right - gripper"
    text = (
        f"(define (problem p) (:domain gripper) (:objects {objects})"
        f"(:init {init} {balls}) (:goal (and {goal})))"
    )
    return Task(domain, parse_problem(text, domain))


def test_the_plan_continues_from_every_state_of_a_random_walk():
    for domain in ("gripper", "logistics"):
        task, random = generated(domain, "hard", 1), Random(0)
        state = task.init
        for _ in range(30):
            state = task.step(state, random.choice(task.valid(state)))
            assert task.solved(carry_out(task, state, solve_transport(task, state)))
        assert solve_transport(task, carry_out(task, state, solve(task, state))) == []


@pytest.mark.parametrize(
    ("balls", "goal", "init"),
    [
        # Another condition; a hand holds a ball without a goal; no hand; no robot.
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


def test_a_search_ends_with_its_budget():
    one = generated("sokoban", "hard", 0)
    for units in (0, 1_000, 10_000):
        effort = Effort(units)
        assert solve(one, effort=effort) is None
        assert not effort.complete
        assert effort.left > -20_000


def test_the_expert_says_why_it_gives_up(monkeypatch):
    one = generated("blocksworld", "hard", 0)
    monkeypatch.setattr(effort_module, "MOST_UNITS", 1_000)
    expert = Expert(one)
    assert expert.plan(one.init) == ()
    assert "no plan was found within the expert's budget" in expert.reason(one.init)


def test_a_complete_search_proves_a_dead_end():
    """Deletes make the goal unreachable, which the relaxed task does not show."""
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (q) (r))"
        "(:action a :precondition (r) :effect (and (p) (not (r))))"
        "(:action b :precondition (r) :effect (and (q) (not (r)))))"
    )
    text = "(define (problem x) (:domain d) (:init (r)) (:goal (and (p) (q))))"
    one = Task(domain, parse_problem(text, domain))
    expert = Expert(one)
    assert not expert.dead_end(one.init)
    assert expert.plan(one.init) == ()
    assert expert.reason(one.init) == "the goal can't be reached from here"


def test_the_serial_search_looks_at_each_condition_a_few_times(monkeypatch):
    """Its time must not grow with the square of the number of conditions."""
    task = sized("gripper", 40, 0)
    seen = []
    holds = Condition.holds
    monkeypatch.setattr(
        Condition, "holds", lambda self, state: seen.append(state) or holds(self, state)
    )
    plan = solve_serially(task, task.init, Relaxation(task), Effort())
    assert len(seen) < 20 * len(task.goals) * len(plan)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("domain", "size", "most"), [("blocksworld", 24, 4 * 24), ("gripper", 40, 3 * 40)]
)
def test_problems_with_many_goal_conditions_are_solved(domain, size, most):
    task = sized(domain, size, 0)
    plan = solve(task)
    assert task.solved(carry_out(task, task.init, plan))
    assert len(plan) <= most
    assert plan == solve(task)


# Their goal conditions depend on each other too much.
PUZZLES = {"hanoi", "sokoban"}


@pytest.mark.parametrize("domain", sorted({*domain_names()} - PUZZLES))
def test_the_serial_search_solves_generated_problems(domain):
    solved = 0
    for seed in range(4):
        task = generated(domain, "hard", seed)
        plan = solve_serially(task, task.init, Relaxation(task), Effort())
        if plan is not None:
            assert task.solved(carry_out(task, task.init, plan))
            solved += 1
    assert solved >= 2


# Whoever has two shoes of a pair on goes to work; the shoes are no result of it.
SHOES = """(define (domain shoes) (:requirements :typing :action-costs)
  (:types shoe place)
  (:predicates (pair ?a ?b - shoe) (worn ?s - shoe) (free) (at ?p - place)
    (been ?p - place))
  (:functions (total-cost) (way ?p ?q - place))
  (:action put-on :parameters (?s - shoe) :precondition (not (worn ?s))
    :effect (worn ?s))
  (:action take-off :parameters (?s - shoe) :precondition (worn ?s)
    :effect (not (worn ?s)))
  (:action walk :parameters (?p ?q - place ?a ?b - shoe)
    :precondition (and (at ?p) (pair ?a ?b) (worn ?a) (worn ?b) (not (= ?p ?q))
      (exists (?s - shoe) (worn ?s)))
    :effect (and (at ?q) (been ?q) (not (at ?p)) (increase (total-cost) (way ?p ?q)))))
"""


def shoes(pairs=6, places=12):
    names = [f"s{i}" for i in range(2 * pairs)]
    facts = [f"(pair s{2 * i} s{2 * i + 1})" for i in range(pairs)]
    pairs = [(i, k) for i in range(places) for k in range(places)]
    ways = [f"(= (way p{i} p{k}) {i + k})" for i, k in pairs]
    rooms = " ".join(f"p{i}" for i in range(places))
    return f"""(define (problem p) (:domain shoes)
      (:objects {" ".join(names)} - shoe {rooms} - place)
      (:init (at p0) {" ".join(facts + ways)})
      (:goal (and (been p1) (been p2))) (:metric minimize (total-cost)))"""


def task(pddl=SHOES, problem=None):
    domain = parse_domain(pddl)
    return Task(domain, parse_problem(problem or shoes(), domain))


def lifted(monkeypatch, pddl=SHOES, problem=None):
    """Return a task that isn't grounded, as if it were too large."""
    with monkeypatch.context() as patch:
        patch.setattr(Task, "_grounded", lambda self: Budget().exceeded("a test"))
        return task(pddl, problem)


def names(one, state):
    return [one.actions[i].name for i in one.valid(state)]


def facts(one, state):
    return {one.atoms[i].key for i in one.facts(state)}


def env():
    return PDDLEnv(domain_file=SHOES, problem_file=shoes())


@pytest.fixture
def small_budget(monkeypatch):
    monkeypatch.setattr(table, "MOST_UNITS", 8_000)


def same_walk(plain, lifted, steps=30):
    """Walk at random through both tasks, and compare all that they say."""
    rng = np.random.default_rng(0)
    a, b = plain.init, lifted.init
    for _ in range(steps):
        valid = names(plain, a)
        assert valid == names(lifted, b)
        assert facts(plain, a) == facts(lifted, b)
        assert plain.solved(a) == lifted.solved(b)
        if not valid:
            break
        action = valid[int(rng.integers(len(valid)))]
        one, other = plain.index[action], lifted.index[action]
        assert plain.actions[one].cost == lifted.actions[other].cost
        a, b = plain.step(a, one), lifted.step(b, other)


def test_a_lifted_task_is_played_as_a_grounded_one(monkeypatch):
    same_walk(task(), lifted(monkeypatch))


@pytest.mark.parametrize("domain", ["ferry", "logistics", "tyreworld"])
def test_included_domains_are_lifted_too(monkeypatch, domain):
    problem = GeneratedProblems(domain, "easy", "all", None).get(f"{domain}:easy-1")
    pddl = load_domain(domain).pddl
    same_walk(problem.task, lifted(monkeypatch, pddl, problem.problem_pddl), 12)


def test_an_action_whose_cost_has_no_value_is_impossible(monkeypatch):
    one = lifted(monkeypatch, problem=shoes().replace("(= (way p0 p3) 3)", ""))
    state = one.init
    for action in ("put-on s0", "put-on s1"):
        state = one.step(state, one.index[action])
    assert "walk p0 p2 s0 s1" in names(one, state)
    assert "walk p0 p3 s0 s1" not in names(one, state)


def test_other_texts_are_no_actions_of_a_lifted_task(monkeypatch):
    one = lifted(monkeypatch)
    for text in (
        "",
        "walk",
        "walk p0 p0",
        "put-on p0",
        "walk p0 p1 s0 s1 s2",
        "fly s0",
    ):
        assert text not in one.index
    for text in ("walk p0 p0 s0 s1", "walk p0 p1 s0 s2", "take-off s0"):
        assert not one.applicable(one.init, one.index[text])


def test_the_expert_plans_without_the_arguments_that_change_nothing(small_budget):
    shod = env()
    shod.reset(seed=0)
    assert shod._game.task.lifted
    steps = 0
    while not shod.success():
        *_, info = shod.step(shod.expert_action())
        assert info["action_valid"]
        steps += 1
    assert steps == 4
    assert info["cost"] == 4


def test_a_lifted_env_is_copied(small_budget):
    shod = env()
    shod.reset(seed=0)
    shod.step("put-on s3")
    others = [copy.deepcopy(shod), pickle.loads(pickle.dumps(shod))]
    fresh = env()
    fresh.reset(seed=1)
    fresh.set_state(shod.get_state())
    for other in (*others, fresh):
        assert other.admissible_actions() == shod.admissible_actions()
        assert other.step("walk p0 p1 s2 s3") == copy.deepcopy(shod).step(
            "walk p0 p1 s2 s3"
        )


def test_too_many_arguments_in_the_first_state_are_refused(small_budget):
    free = "(:action free :parameters (?a ?b ?c ?d - shoe) :effect (free))"
    with pytest.raises(PDDLError, match=r"too large: .* of action .free.;"):
        task(SHOES.replace("(:action put-on", f"{free} (:action put-on"))
