"""The PDDL parser: accepted syntax, and errors."""

import pytest

from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem, table
from aq_gym.envs.pddl.logic.joining import bindings

DOMAIN = """
(define (domain kitchen) (:requirements :adl :action-costs)
  (:types cup pot - vessel vessel - object person)
  (:constants sink - vessel)
  (:predicates (full ?v - vessel) (hot ?v - vessel) (likes ?p - person ?v - vessel)
               (tired))
  (:functions (total-cost) - number (weight ?v - vessel) - number)
  {}
)"""
PROBLEM = """
(define (problem tea) (:domain kitchen)
  (:objects c1 c2 - cup p1 - pot ann - person)
  (:init (full c1) (likes ann c2) (= (weight c1) 3) (= (weight c2) 4)
         (= (weight p1) 5) (= (weight sink) 0) (= (total-cost) 0))
  (:goal {}) (:metric minimize (total-cost)))"""


def task(actions="", goal="(hot c1)"):
    domain = parse_domain(DOMAIN.format(actions))
    return Task(domain, parse_problem(PROBLEM.format(goal), domain))


def action(parameters="()", pre="()", effect="(tired)", name="act"):
    return (
        f"(:action {name} :parameters {parameters} :precondition {pre} "
        f":effect {effect})"
    )


def names(task, state=None):
    return [
        task.actions[i].name for i in task.valid(task.init if state is None else state)
    ]


def after(task, name):
    """Return the facts after an action, as texts."""
    state = task.step(task.init, task.index[name])
    atoms = [task.atoms[i] for i in task.facts(state)]
    return {" ".join(atom.key) for atom in atoms}


def test_types_and_their_ancestors():
    heat = action("(?v - vessel)", effect="(hot ?v)")
    assert names(task(heat)) == ["act sink", "act c1", "act c2", "act p1"]
    heat = action("(?v - cup)", effect="(hot ?v)")
    assert names(task(heat)) == ["act c1", "act c2"]


def test_either():
    heat = action("(?v - (either pot person))", effect="(hot p1)")
    assert names(task(heat)) == ["act p1", "act ann"]
    heat = action("(?x - (either pot person))", effect="(tired)")
    assert names(task(heat)) == ["act p1", "act ann"]


def test_equality():
    pair = "(?a - cup ?b - cup)"
    assert names(task(action(pair, "(not (= ?a ?b))"))) == ["act c1 c2", "act c2 c1"]
    assert names(task(action(pair, "(= ?a ?b)"))) == ["act c1 c1", "act c2 c2"]


def test_inequalities_and_static_preconditions_are_joined():
    liked = action(
        "(?p - person ?a - cup ?b - vessel)",
        "(and (likes ?p ?a) (not (= ?a ?b)) (not (= ?b sink)))",
        "(hot ?b)",
    )
    grounded = task(liked)
    assert names(grounded) == ["act ann c2 c1", "act ann c2 p1"]
    # No other bindings are tried.
    schema = parse_domain(DOMAIN.format(liked)).schemas["act"]
    assert bindings(schema, grounded.table) == [
        ("ann", "c2", "c1"),
        ("ann", "c2", "p1"),
    ]


def test_negative_and_disjunctive_preconditions():
    both = action("(?v - cup)", "(or (full ?v) (hot ?v))", "(hot ?v)")
    either = task(both + action("(?v - cup)", "(not (full ?v))", "(full ?v)", "fill"))
    assert names(either) == ["act c1", "fill c2"]
    implied = action("(?v - cup)", "(imply (full ?v) (hot ?v))", "(tired)")
    changed = action("(?v - cup)", effect="(and (hot ?v) (full ?v))", name="other")
    assert names(task(implied + changed)) == ["act c2", "other c1", "other c2"]


@pytest.mark.parametrize(
    ("pre", "possible"),
    [
        ("(forall (?v - cup) (full ?v))", False),
        ("(forall (?v - pot) (not (full ?v)))", True),
        ("(exists (?v - cup) (full ?v))", True),
        ("(exists (?v - pot) (full ?v))", False),
        ("(not (exists (?v - cup ?p - person) (and (full ?v) (likes ?p ?v))))", True),
        ("(not (forall (?v - cup) (full ?v)))", True),
        ("(and (not (or (hot c1x) (tired))))", None),
    ],
)
def test_quantifiers(pre, possible):
    fill = action("(?v - vessel)", effect="(full ?v)", name="fill")
    if possible is None:
        with pytest.raises(PDDLError, match="undeclared object 'c1x'"):
            task(fill + action(pre=pre))
        return
    assert ("act" in names(task(fill + action(pre=pre)))) is possible


def test_conditional_and_universal_effects_see_the_state_before():
    spill = "(forall (?v - cup) (when (full ?v) (and (not (full ?v)) (hot ?v))))"
    assert after(task(action(effect=spill)), "act") == {"hot c1"}
    swap = "(and (when (full c1) (not (full c1))) (when (not (full c1)) (full c1)))"
    both = action(effect=swap.replace("c1", "sink"))
    assert after(task(both), "act") == {"full sink", "full c1"}


def test_what_is_added_and_deleted_is_there():
    keep = action("(?v - cup)", effect="(and (not (full ?v)) (full ?v) (tired))")
    assert after(task(keep), "act c1") == {"full c1", "tired"}


def test_actions_that_change_nothing_are_dropped():
    pour = "(and (not (full ?a)) (full ?b))"
    ground = task(action("(?a - cup ?b - cup)", "(full ?a)", pour))
    assert names(ground) == ["act c1 c2"]


def test_costs():
    lift = action("(?v - vessel)", effect="(and (hot ?v) (increase (total-cost) {}))")
    ground = task(lift.replace("{}", "(weight ?v)"))
    assert {one.name: one.cost for one in ground.actions} == {
        "act sink": 0, "act c1": 3, "act c2": 4, "act p1": 5
    }  # fmt: skip
    assert {one.cost for one in task(lift.replace("{}", "7")).actions} == {7}
    with pytest.raises(PDDLError, match="'height' is not a declared cost"):
        task(lift.replace("{}", "(height ?v)"))


@pytest.mark.parametrize("cost", ["nan", "inf", "-3", "1e400"])
def test_a_cost_is_finite_and_not_negative(cost):
    problem = PROBLEM.replace("(= (weight c1) 3)", f"(= (weight c1) {cost})")
    with pytest.raises(PDDLError, match=f"line 4: a cost can't be '{cost}'"):
        parse_problem(problem.format("(tired)"), parse_domain(DOMAIN.format("")))


def test_an_object_of_several_types_belongs_to_each():
    either = PROBLEM.replace("- cup p1", "- (either cup person) c2 - pot p1")
    for text in (
        either,
        PROBLEM.replace("- cup p1", "- cup c1 c2 - (either pot person) p1"),
    ):
        actions = "".join(
            action(f"(?v - {kind})", effect="(hot ?v)", name=kind)
            for kind in ("cup", "pot", "person", "vessel")
        )
        domain = parse_domain(DOMAIN.format(actions))
        found = names(Task(domain, parse_problem(text.format("(hot c1)"), domain)))
        assert {"cup c2", "pot c2", "person c2", "vessel c2"} <= {*found}


def test_the_lowest_of_nested_types_is_kept():
    domain = parse_domain(DOMAIN.format(action()))
    text = PROBLEM.replace("c1 c2 - cup", "c1 c2 - cup c1 c2 - vessel sink - pot")
    objects = parse_problem(text.format("(tired)"), domain).objects
    assert objects["c1"] == ("cup",)
    assert objects["sink"] == ("pot",)


def test_a_constant_may_be_declared_by_the_problem_alone():
    heat = action("(?v - cup)", "(likes ann ?v)", "(hot p1)")
    assert after(task(heat), "act c2") == {"hot p1"}
    with pytest.raises(PDDLError, match="object 'c9': the domain uses it in line 8"):
        task(action(effect="(hot c9)"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c1", "c1-"),
        ("c2 - cup", "c2- cup"),
        ("p1 - pot ann", "p1 - pot ann- - person x"),
        ("ann - person", "ann- person"),
    ],
)
def test_a_name_may_end_with_a_dash(old, new):
    fill = action("(?v- - vessel ?w- cup)", "(full ?w)", "(full ?v-)", "fill-")
    domain = parse_domain(DOMAIN.format(fill))
    name = "ann-" if "ann- -" in new else "ann"
    text = PROBLEM.replace(old, new).replace("(likes ann", f"(likes {name}")
    cup = "c1-" if new == "c1-" else "c1"
    found = names(Task(domain, parse_problem(text.format("(tired)"), domain)))
    assert f"fill- c2 {cup}" in found


def test_a_cost_without_a_value_counts_only_for_reachable_actions():
    lift = action(
        "(?v - cup)", "(hot ?v)", "(and (tired) (increase (total-cost) (w ?v)))"
    )
    domain = parse_domain(
        DOMAIN.replace("(total-cost)", "(total-cost) (w ?v - cup)").format(lift)
    )
    text = PROBLEM.replace("(full c1)", "(hot c1) (= (w c1) 7)").format("(tired)")
    assert [one.cost for one in Task(domain, parse_problem(text, domain)).actions] == [
        7
    ]


def test_a_cost_without_a_value_is_an_error():
    lift = action("(?p - person)", effect="(and (tired) (increase (total-cost) (w)))")
    domain = DOMAIN.replace("(total-cost)", "(total-cost) (w)")
    domain = parse_domain(domain.format(lift))
    problem = parse_problem(PROBLEM.format("(tired)"), domain)
    with pytest.raises(PDDLError, match=r"\(w\) has no value"):
        Task(domain, problem)


def test_whitespace_case_and_comments_do_not_matter():
    sloppy = """(:ACTION Act ; a comment (
      :parameters (?V -cup?W - cup ?p- pot)
      :precondition(full ?v):effect(and(hot ?V)(not(full ?w))))"""
    assert names(task(sloppy)) == ["act c1 c1 p1", "act c1 c2 p1"]
    windows = DOMAIN.format(sloppy).replace("\n", "\r\n")
    assert parse_domain(windows) == parse_domain(DOMAIN.format(sloppy))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(:types", "(:derived (x) (tired)) (:types", "line 3: derived predicates"),
        ("(:types", "(:durative-action x) (:types", "line 3: durative actions"),
        ("(hot ?v - vessel)", "(hot ?v - vessl)", "undeclared type 'vessl'"),
        ("{}", action(effect="(sleepy)"), "line 8: undeclared predicate 'sleepy'"),
        ("{}", action(effect="(hot ?v)"), "line 8: undeclared variable '\\?v'"),
        ("{}", action(effect="(hot)"), "line 8: hot has 0 terms, declared 1"),
        ("{}", action("(?v - mug)"), "line 8: undeclared type 'mug'"),
        ("{}", action("(?v ?v)"), "line 8: '\\?v' is not a new variable"),
        ("{}", action(pre="(> (weight sink) 2)"), "line 8: numeric fluents"),
        ("{}", action(effect="(assign (weight sink) 2)"), "line 8: numeric fluents"),
        ("{}", action(effect="(increase (weight sink) 2)"), "line 8: numeric fluents"),
        ("{}", action(effect="(probabilistic 0.5 (tired))"), "line 8: probabilistic"),
        ("{}", action(pre="(when (tired) (tired))"), "line 8: misplaced 'when'"),
        ("{}", action(pre="(not (tired) (tired))"), "line 8: not takes 1, not 2"),
        ("{}", action() + action(), "line 8: action 'act' is declared twice"),
        ("{}", "(:action act :vars (?x))", "line 8: action 'act': ':vars' not"),
        ("{}", "(:action act :effect)", "line 8: .*expected"),
        ("{}", "(:types x", "never closed"),
        ("{}", "))", "without an opening|exactly|one bracketed list"),
        ("(tired))", "(tired) (tired ?x))", "predicate 'tired' declared in two ways"),
        ("(define", "(defin", "begin with \\(define"),
        ("(domain", "(problem", "domain NAME"),
    ],
)
def test_what_a_domain_must_not_say(old, new, message):
    text = DOMAIN.replace(old, new, 1).replace("{}", action())
    with pytest.raises(PDDLError, match=message):
        parse_domain(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(full c1)", "(full c7)", "line 4: undeclared object 'c7'"),
        ("(full c1)", "(ful c1)", "line 4: undeclared predicate 'ful'"),
        ("- cup p1", "- mug p1", "line 3: undeclared type 'mug'"),
        ("(full c1)", "(at 5 (full c1))", "line 4: timed initial literals"),
        ("(= (weight c1) 3)", "(= (height c1) 3)", "line 4: 'height' is not a decl"),
        ("(= (weight c1) 3)", "(= (weight c1) x)", "line 4: 'x' is not a number"),
        ("kitchen", "garden", "for domain 'garden', not 'kitchen'"),
        ("(:goal {})", "", "one goal"),
        ("(:metric", "(:constraints", "line 6: section ':constraints'"),
        ("(:goal {})", "(:goal (tired)) (:goal (tired))", "line 6: section :goal oc"),
    ],
)
def test_what_a_problem_must_not_say(old, new, message):
    domain = parse_domain(DOMAIN.format(action()))
    text = PROBLEM.replace(old, new, 1).replace("{}", "(hot c1)")
    with pytest.raises(PDDLError, match=message):
        parse_problem(text, domain)


def test_grounding_has_a_limit(monkeypatch):
    monkeypatch.setattr(table, "MOST_UNITS", 5_000)
    domain = parse_domain(
        "(define (domain d) (:predicates (p ?x)) (:action huge "
        ":parameters (?a ?b ?c ?d ?e) :effect (p ?a)))"
    )
    things = " ".join(f"o{i}" for i in range(40))
    text = f"(define (problem p) (:domain d) (:objects {things}) (:goal (p o1)))"
    with pytest.raises(
        PDDLError, match="exceeds 5000 units of work at the arguments of action 'huge'"
    ):
        Task(domain, parse_problem(text, domain))


def test_static_preconditions_are_joined():
    """A path of 600 places has 10^8 combinations, and 299 actions from its start."""
    domain = parse_domain(
        "(define (domain d) (:predicates (road ?x ?y) (at ?x)) (:action go "
        ":parameters (?a ?c ?b) :precondition (and (at ?a) (road ?b ?c) (road ?a ?b)) "
        ":effect (and (at ?c) (not (at ?a)))))"
    )
    things = " ".join(f"o{i}" for i in range(600))
    roads = " ".join(f"(road o{i} o{i + 1})" for i in range(599))
    text = (
        f"(define (problem p) (:domain d) (:objects {things}) "
        f"(:init (at o0) {roads}) (:goal (at o598)))"
    )
    path = Task(domain, parse_problem(text, domain))
    assert len(path.actions) == 299
    assert names(path) == ["go o0 o2 o1"]
