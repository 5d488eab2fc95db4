"""Ground conditions hold where their formulas are true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem
from aq_gym.envs.pddl.logic.formulas import condition
from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Not,
    Or,
    Typed,
)

DOMAIN = """
(define (domain d) (:types small) (:constants c - small)
  (:predicates (p ?x) (q ?x ?y) (fixed ?x) (s))
  (:action go :parameters (?x ?y) :effect (and (p ?x) (q ?x ?y) (s)))
  (:action drive :parameters ({}) :precondition (and {}) :effect (s)))
"""
PROBLEM = """
(define (problem x) (:domain d) (:objects {}) (:init {}) (:goal {}))
"""
OBJECTS = ("c", "a", "b")


def task(goal="(s)", objects="a b", init="(fixed a)", parameters="?x", pre=""):
    domain = parse_domain(DOMAIN.format(parameters, pre))
    return Task(domain, parse_problem(PROBLEM.format(objects, init, goal), domain))


def nested(depth):
    heads = "".join(f"(exists (?v{i}) " for i in range(depth))
    return f"{heads}(q ?v0 ?v{depth - 1}){')' * depth}"


def formulas():
    terms = st.sampled_from(["?x", "?y", *OBJECTS])
    atoms = st.one_of(
        st.builds(lambda a: Atom("p", (a,)), terms),
        st.builds(lambda a, b: Atom("q", (a, b)), terms, terms),
        st.builds(lambda a: Atom("fixed", (a,)), terms),
        st.builds(Equal, terms, terms),
    )
    names = st.sampled_from(["?x", "?y"])
    types = st.sampled_from(["object", "small"])
    variables = st.builds(lambda n, t: (Typed(n, (t,)),), names, types)

    def larger(inner):
        parts = st.lists(inner, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Not, inner),
            st.builds(And, parts),
            st.builds(Or, parts),
            st.builds(ForAll, variables, inner),
            st.builds(Exists, variables, inner),
        )

    return st.recursive(atoms, larger, max_leaves=12)


def true(formula, binding, facts):
    """Return whether a formula is true, as its definition says."""
    match formula:
        case Atom():
            return formula.bind(binding).key in facts
        case Equal(left, right):
            return binding.get(left, left) == binding.get(right, right)
        case Not(part):
            return not true(part, binding, facts)
        case And(parts):
            return all([true(part, binding, facts) for part in parts])
        case Or(parts):
            return any([true(part, binding, facts) for part in parts])
    (variable,) = formula.variables
    objects = OBJECTS if variable.types == ("object",) else ("c",)
    inner = [{**binding, variable.name: one} for one in objects]
    found = [true(formula.part, one, facts) for one in inner]
    return all(found) if isinstance(formula, ForAll) else any(found)


@given(
    formulas(),
    st.sampled_from(OBJECTS),
    st.sampled_from(OBJECTS),
    st.integers(0, 2**13 - 1),
)
def test_a_condition_is_true_where_its_formula_is(formula, x, y, state):
    grounded = task()
    assert len(grounded.atoms) == 13
    facts = {grounded.atoms[i].key for i in grounded.facts(state)} | {("fixed", "a")}
    binding = {"?x": x, "?y": y}
    ground = condition(formula, grounded.table, binding)
    assert ground.holds(state) == true(formula, binding, facts)


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
