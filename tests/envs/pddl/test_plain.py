"""Schemas of atoms only are grounded as all others are."""

from random import Random

import pytest

from aq_gym.envs.pddl.library import domain_names, load_domain
from aq_gym.envs.pddl.logic import Task, lifted, parse_domain, parse_problem

DOMAIN = """
(define (domain twice) (:predicates (at ?a ?b) (held ?a) (free))
  (:constants home)
  (:action move :parameters (?a ?b ?c)
    :precondition (and (at ?a ?b) (held ?a) (at ?a ?b))
    :effect (and (at ?a ?c) (at ?a home) (at ?a ?c)
                 (not (at ?a ?b)) (not (held ?a)) (not (at ?a home))))
  (:action rest :parameters (?a) :precondition (held ?a) :effect (held ?a))
  (:action wait :parameters () :precondition (free) :effect (not (free)))
  (:action begin :parameters (?a ?b) :effect (and (held ?a) (free))))
"""
PROBLEM = """
(define (problem one) (:domain twice) (:objects x y)
  (:init (at x y) (held x)) (:goal (at x home)))
"""


def task(domain, problem):
    parsed = parse_domain(domain)
    return Task(parsed, parse_problem(problem, parsed))


def shown(task):
    actions = [(one.name, one.literals, one.cost) for one in task.actions]
    return task.atoms, actions, task.goals


def texts():
    yield DOMAIN, PROBLEM
    for name in domain_names():
        domain = load_domain(name)
        draft = domain.generate(Random(0), "easy")
        yield domain.pddl, draft.pddl(domain.domain.name, "one")


@pytest.mark.parametrize("text", [*texts()], ids=["twice", *domain_names()])
def test_the_same_bits_and_actions(text, monkeypatch):
    made = task(*text)
    for one in made.actions:
        changed = [bit for change in one.changes for bit in (change.add,)]
        assert set(one.requires) == set(one.literals.requires)
        assert one.clauses == one.literals.clauses
        assert one.changes == one.literals.changes
        assert len(set(one.reaches)) >= len(one.literals.adds)
        assert changed or set(one.reaches) == set(one.literals.adds)
    monkeypatch.setattr(lifted, "Plain", lambda *parts: None)
    assert shown(task(*text)) == shown(made)


def test_an_action_that_changes_nothing_is_left_out():
    assert not any(one.schema == "rest" for one in task(DOMAIN, PROBLEM).actions)
