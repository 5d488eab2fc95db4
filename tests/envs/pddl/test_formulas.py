"""How deep a formula can be."""

import pytest

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem

DOMAIN = """
(define (domain d) (:types small) (:constants c - small)
  (:predicates (p ?x) (q ?x ?y) (fixed ?x) (s))
  (:action go :parameters (?x ?y) :effect (and (p ?x) (q ?x ?y) (s)))
  (:action drive :parameters ({}) :precondition (and {}) :effect (s)))
"""
PROBLEM = """
(define (problem x) (:domain d) (:objects {}) (:init {}) (:goal {}))
"""


def task(goal="(s)", objects="a b", init="(fixed a)", parameters="?x", pre=""):
    domain = parse_domain(DOMAIN.format(parameters, pre))
    return Task(domain, parse_problem(PROBLEM.format(objects, init, goal), domain))


def nested(depth):
    heads = "".join(f"(exists (?v{i}) " for i in range(depth))
    return f"{heads}(q ?v0 ?v{depth - 1}){')' * depth}"


def test_the_deepest_nest_is_a_game():
    env = PDDLEnv(
        domain_file=DOMAIN.format("?x", ""),
        problem_file=PROBLEM.format("", "", nested(95)),
    )
    _, info = env.reset(seed=0)
    assert "for some ?v94" in info["goal"]
    *_, terminated, _, info = env.step("go c c")
    assert terminated
    assert info["success"]


@pytest.mark.parametrize("depth", [200, 1_000, 5_000])
def test_deeper_nests_are_refused(depth):
    with pytest.raises(PDDLError, match="brackets more than 100 deep"):
        task(nested(depth))
