"""Malformed and extreme PDDL raises PDDLError and nothing else."""

from random import Random

import pytest

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem, table

DOMAIN = """(define (domain d) (:types a b - object)
  (:constants k - a) (:predicates (p ?x - a) (q ?x ?y) (s))
  (:functions (total-cost) - number (w ?x) - number)
  (:action go :parameters (?x - a ?y - (either a b))
    :precondition (and (p ?x) (not (= ?x ?y)) (or (s) (exists (?z - b) (q ?x ?z))))
    :effect (and (q ?x ?y) (when (s) (not (p ?x))) (forall (?z - b) (q ?z ?x))
      (increase (total-cost) (w ?x)))))"""
PROBLEM = """(define (problem x) (:domain d) (:objects m n - a o - b)
  (:init (p m) (s) (= (w m) 1) (= (w k) 2) (= (w n) 0.5) (= (total-cost) 0))
  (:goal (and (q m n) (imply (s) (q o m)))) (:metric minimize (total-cost)))"""
PIECES = ["(", ")", " ", "?x", "- a", "-", "and", "not", "(not (p m))", "forall", ";",
          "(?z - b)", ":init", ":action", "=", "1e999", "\x00", "either"]  # fmt: skip


def load(domain, problem):
    """Return whether PDDL is accepted; raise anything but PDDLError."""
    try:
        parsed = parse_domain(domain)
        task = Task(parsed, parse_problem(problem, parsed))
    except PDDLError as error:
        assert str(error)
        return False
    task.valid(task.init)
    return True


def mutated(rng, text):
    """Return a text with one to three pieces deleted, repeated, swapped or inserted."""
    for _ in range(rng.randint(1, 3)):
        i, j = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
        j = min(j, i + 40)
        middle = rng.choice(
            ["", text[i:j] * 2, rng.choice(PIECES), text[i:j][::-1], text[j : j + 20]]
        )
        text = text[:i] + middle + text[j:] or "x"
    return text


@pytest.mark.parametrize("seed", range(10))
def test_mutants_are_accepted_or_refused(seed):
    rng = Random(seed)
    for _ in range(100):
        load(mutated(rng, DOMAIN), PROBLEM)
        load(DOMAIN, mutated(rng, PROBLEM))


@pytest.mark.parametrize(
    ("domain", "problem", "message"),
    [
        (DOMAIN.replace(":parameters", "(:parameters"), PROBLEM, "domain_file: line"),
        ("(define (domain d) (:action a (:parameters (?x)) (x)))", PROBLEM,
         "a part of an action"),
        ("x" * 5_000, PROBLEM, "give a file's path or PDDL text"),
        (DOMAIN, "nothing\x00here", "give a file's path or PDDL text"),
        (DOMAIN, f"({'x ' * 2_000_000})", "at most 2000000 are read"),
        ("(" * 100_000, PROBLEM, "more than 100 deep"),
    ],
)  # fmt: skip
def test_malformed_arguments_have_one_clear_message(domain, problem, message):
    with pytest.raises(ValueError, match=message) as caught:
        PDDLEnv(domain_file=domain, problem_file=problem)
    assert "\n" not in str(caught.value)


OBJECTS = " ".join(f"o{i}" for i in range(30))
VARIABLES = " ".join(f"?v{i}" for i in range(6))


@pytest.mark.parametrize(
    ("pre", "effect", "goal"),
    [
        (f"(forall ({VARIABLES}) (q ?v0))", "(p ?x)", "(p o1)"),
        (f"(exists ({VARIABLES}) (q ?v0))", "(and (p ?x) (q ?x))", "(p o1)"),
        ("()", f"(forall ({VARIABLES}) (q ?v5))", "(p o1)"),
        ("()", f"(forall ({VARIABLES}) (when (p ?v0) (q ?v5)))", "(p o1)"),
        ("()", "(q ?x)", f"(forall ({VARIABLES}) (q ?v0))"),
        ("()", "(q ?x)", f"(exists ({VARIABLES}) (and (q ?v0) (q ?v1)))"),
    ],
)
def test_quantifiers_have_a_budget(pre, effect, goal):
    domain = f"""(define (domain d) (:predicates (p ?x) (q ?x)) (:action a
      :parameters (?x) :precondition (and (not (p ?x)) {pre}) :effect {effect})
      (:action b :parameters (?x) :effect (p ?x))
      (:action c :parameters (?x) :effect (q ?x)))"""
    problem = f"(define (problem p) (:domain d) (:objects {OBJECTS}) (:goal {goal}))"
    with pytest.raises(PDDLError, match="exceeds 2000000 units of work"):
        PDDLEnv(domain_file=domain, problem_file=problem)


def test_a_refusal_has_a_budget_too():
    """The precondition is evaluated only to explain the refusal."""
    domain = f"""(define (domain d) (:predicates (p ?x) (q ?x) (no ?x)) (:action a
      :parameters (?x) :precondition (and (no ?x) (forall ({VARIABLES}) (p ?v0)))
      :effect (q ?x)) (:action b :parameters (?x) :effect (p ?x)))"""
    problem = f"(define (problem p) (:domain d) (:objects {OBJECTS}) (:goal (p o1)))"
    env = PDDLEnv(domain_file=domain, problem_file=problem)
    env.reset(seed=0)
    for _ in range(2):
        observation, *_, info = env.step("a o1")
        assert observation == "a o1 is not possible now."
        assert not info["action_valid"]


def test_type_chains_have_a_budget(monkeypatch):
    monkeypatch.setattr(table, "MOST_UNITS", 20_000)
    chain = " ".join(f"t{i} - t{i + 1}" for i in range(500))
    with pytest.raises(PDDLError, match="units of work at the supertypes"):
        parse_domain(f"(define (domain d) (:types {chain}))")


def test_the_deepest_nest_is_a_game():
    domain = "(define (domain d) (:predicates (p ?x)) (:action a :effect (p {0})))"
    heads = "".join(f"(exists (?v{i}) " for i in range(95))
    problem = f"""(define (problem x) (:domain d) (:objects o) (:init)
      (:goal {heads}(p ?v94){")" * 95}))"""
    env = PDDLEnv(domain_file=domain.format("o"), problem_file=problem)
    _, info = env.reset(seed=0)
    assert "for some ?v94" in info["goal"]
    *_, info = env.step("a")
    assert info["success"]
