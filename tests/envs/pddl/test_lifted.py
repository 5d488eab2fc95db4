"""Problems that are too large to ground are played and planned all the same."""

import copy
import pickle

import numpy as np
import pytest

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.library import load_domain
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem, table
from aq_gym.envs.pddl.logic.table import Budget
from aq_gym.envs.pddl.sources import GeneratedProblems

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
