"""Check that extreme PDDL inputs end in a game or a clear error, and time them.

The target is 5 s of processor time for a game and 2 s for an error, as a median over
the rounds. Run::

    python benchmarks/pddl_extremes.py [--rounds 3]
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from statistics import median

from timing import percentile_95, rounds_argument

from aq_gym.envs.pddl import PDDLEnv

_ACTION = "(:action go :parameters ({}) :precondition {} :effect {})"


def domain(
    parameters: str = "?x",
    pre: str = "(p ?x)",
    effect: str = "(q ?x)",
    more: str = "",
    types: str = "",
) -> str:
    """Return a domain with one action."""
    action = _ACTION.format(parameters, pre, effect)
    return (
        f"(define (domain d) (:types {types}) {more} (:predicates (p ?x) (q ?x) "
        f"(r ?x ?y) (s)) {action})"
    )


def problem(objects: str = "a b c", init: str = "(p a)", goal: str = "(q a)") -> str:
    """Return a problem of the domain."""
    return (
        f"(define (problem x) (:domain d) (:objects {objects}) (:init {init}) "
        f"(:goal {goal}))"
    )


def names(count: int, prefix: str = "o") -> str:
    """Return numbered names."""
    return " ".join(f"{prefix}{i}" for i in range(count))


def quantified(kind: str, count: int, inner: str = "(q ?v0)") -> str:
    """Return a formula with one quantifier over some variables."""
    return f"({kind} ({names(count, '?v')}) {inner})"


def nested(kind: str, depth: int) -> str:
    """Return nested quantifiers of one variable each."""
    heads = "".join(f"({kind} (?v{i}) " for i in range(depth))
    return f"{heads}(r ?v0 ?v{depth - 1}){')' * depth}"


def cases() -> Iterator[tuple[str, str, str]]:
    """Yield the name, domain and problem of each case."""
    plain, many = domain(), problem(f"a {names(30)}")
    for count in (3, 6):
        for kind in ("forall", "exists"):
            formula = f"(or (p ?x) {quantified(kind, count)})"
            yield f"precondition: {kind} of {count} x 30", domain(pre=formula), many
    yield "effect: forall of 6 x 30", domain(effect=quantified("forall", 6)), many
    when = quantified("forall", 4, "(when (r ?v0 ?v1) (r ?v2 ?v3))")
    yield "effect: when of 4 x 30", domain(effect=when), many
    goal = quantified("forall", 6)
    yield "goal: forall of 6 x 30", plain, problem(f"a {names(30)}", goal=goal)
    goal = quantified("exists", 6)
    yield "goal: exists of 6 x 30", plain, problem(f"a {names(30)}", goal=goal)
    goal = nested("exists", 40)
    yield "goal: 40 nested exists", plain, problem(f"a {names(30)}", goal=goal)
    for depth in (90, 1_000):
        goal = nested("exists", depth)
        yield (
            f"goal: {depth} nested exists",
            plain,
            problem(f"a {names(30)}", goal=goal),
        )
    goal = nested("forall", 3)
    yield "goal: 3 nested forall x 60", plain, problem(f"a {names(60)}", goal=goal)
    chain = " ".join(f"t{i} - t{i + 1}" for i in range(5_000))
    yield "types: a chain of 5,000", domain(types=chain), problem()
    chain = " ".join(f"t{i} - t{i + 1}" for i in range(900))
    objects = " ".join(f"x{i} - t{i % 900}" for i in range(3_000))
    yield "types: 3,000 objects", domain(types=chain), problem(f"a {objects}")
    either = f"?x - (either {names(5_000, 't')})"
    types = names(5_000, "t")
    yield "types: either of 5,000", domain(either, types=types), problem()
    wide = names(200, "?x")
    more = f"(:action w :parameters ({wide}) :precondition () :effect (s))"
    yield "parameters: 200", domain(more=more), problem()
    more = f"(:action w :parameters ({names(8, '?x')}) :effect (r ?x0 ?x7))"
    yield "parameters: 8 x 30", domain(more=more), many
    more = f"(:predicates (wide {wide}))"
    yield "predicate: 200 wide", domain(more=more), problem()
    yield "constants: 100,000", domain(more=f"(:constants {names(100_000)})"), problem()
    yield "objects: 100,000", plain, problem(f"a {names(100_000)}")
    yield (
        "objects: 5,000 in pairs",
        domain("?x ?y", "(p ?x)", "(r ?x ?y)"),
        problem(f"a {names(5_000)}"),
    )
    roads = "(and (r ?x0 ?x1) (r ?x1 ?x2) (r ?x2 ?x3))"
    more = f"(:action w :parameters ({names(4, '?x')}) :precondition {roads} "
    init = " ".join(f"(r o{i} o{j})" for i in range(30) for j in range(30))
    yield (
        "parameters: 4 joined x 30",
        domain(more=f"{more} :effect (s))"),
        problem(f"a {names(30)}", init),
    )
    more = f"(:action w :parameters ({names(4, '?x')}) :precondition (not (s)) "
    yield (
        "literals: 4 x 15",
        domain(more=f"{more} :effect (s))"),
        problem(f"a {names(14)}"),
    )
    yield "brackets: 100,000 deep", "(" * 100_000, problem()
    conditions = " ".join(f"(or (q ?x) (r ?x {one}))" for one in names(60).split())
    constants = f"(:constants {names(60)})"
    disjunctions = domain(pre=f"(or (s) (and {conditions}))", more=constants)
    disjunctions = disjunctions.replace("(q ?x)))", "(and (q ?x) (r ?x ?x))))")
    yield "cases: 60 disjunctions", disjunctions, problem()
    derived = " ".join(f"(:derived (d{i} ?x) (p ?x))" for i in range(10_000))
    yield "axioms: 10,000", domain(more=derived), problem()
    init = " ".join(f"(r o{i} o{j})" for i in range(300) for j in range(300))
    yield "facts: 90,000", domain(effect="(q ?x)"), problem(f"a {names(300)}", init)


def play(domain_text: str, problem_text: str) -> tuple[str, float]:
    """Play a case, and return its outcome and the most seconds that it may take."""
    try:
        env = PDDLEnv(domain_file=domain_text, problem_file=problem_text)
        env.reset(seed=0)
        env.step("check valid actions")
        env.step("go a")
    except ValueError as error:
        return f"error: {error!s:.80}", 2.0
    return "game", 5.0


def main() -> None:
    """Measure all cases and print a table."""
    options = rounds_argument(__doc__, default=3).parse_args()
    slow = 0
    print("| input | median s | p95 s | outcome |\n|---|---|---|---|")
    for name, domain_text, problem_text in cases():
        times = []
        for _ in range(options.rounds):
            began = time.process_time()
            outcome, most = play(domain_text, problem_text)
            times.append(time.process_time() - began)
        slow += median(times) > most
        figures = " | ".join(f"{f(times):.2f}" for f in (median, percentile_95))
        print(f"| {name} | {figures} | {outcome} |", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{slow} too slow; most memory {memory:.0f} MB")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
