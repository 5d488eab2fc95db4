"""The parser of PDDL problems."""

from __future__ import annotations

from math import isfinite

from aq_gym.envs.pddl.logic.domain import sections
from aq_gym.envs.pddl.logic.language import Atom, Domain, Formula, Problem
from aq_gym.envs.pddl.logic.reader import Reader, group
from aq_gym.envs.pddl.logic.sexpr import Group, PDDLError, Word

_IGNORED = {":requirements", ":metric", ":length"}


def parse_problem(text: str, domain: Domain) -> Problem:
    """Parse a problem of a domain.

    Raises:
        PDDLError: If something is malformed, undeclared or not supported, or the
            problem belongs to another domain.
    """
    name, parts = sections(text, "problem")
    by_head: dict[str, Group] = {}
    for part in parts:
        head = part.head()
        if head not in _IGNORED | {":domain", ":objects", ":init", ":goal"}:
            raise PDDLError(f"section {head!r} is not supported", part.line)
        if head in by_head:
            raise PDDLError(f"section {head} occurs twice", part.line)
        by_head[head] = part
    _check_domain(by_head.get(":domain"), domain)
    objects = _objects(by_head.get(":objects", Group()), domain)
    reader = Reader(domain.ancestors, domain.predicates, objects)
    init, values = _init(by_head.get(":init", Group()), reader, domain)
    return Problem(name, objects, init, values, _goal(by_head.get(":goal"), reader))


def _check_domain(section: Group | None, domain: Domain) -> None:
    if section is None or len(section) != 2:
        raise PDDLError("a problem must name its domain: (:domain NAME)")
    if section[1] != domain.name:
        raise PDDLError(
            f"the problem is for domain {str(section[1])!r}, not {domain.name!r}",
            section.line,
        )


def _objects(section: Group, domain: Domain) -> dict[str, tuple[str, ...]]:
    objects = {one.name: one.types for one in domain.constants}
    reader = Reader(domain.ancestors, {}, ())
    for one in reader.variables(section[1:], section.line):
        if objects.setdefault(one.name, one.types) != one.types:
            raise PDDLError(
                f"object {one.name!r} is declared as {objects[one.name]} and "
                f"as {one.types}",
                section.line,
            )
    return objects


def _init(
    section: Group, reader: Reader, domain: Domain
) -> tuple[tuple[Atom, ...], dict[Atom, float]]:
    atoms: dict[Atom, None] = {}
    values: dict[Atom, float] = {}
    for node in section[1:]:
        part = group(node, "a fact", section.line)
        head = part.head()
        if head == "=":
            function, value = _value(part, reader, domain)
            values[function] = value
        elif head == "not" and len(part) == 2:
            reader.atom(group(part[1], "a fact", part.line))
        elif head == "at" and len(part) == 3 and isinstance(part[2], Group):
            raise PDDLError("timed initial literals are not supported", part.line)
        else:
            atoms[reader.atom(part)] = None
    return tuple(atoms), values


def _value(part: Group, reader: Reader, domain: Domain) -> tuple[Atom, float]:
    node = part[1] if len(part) == 3 else None
    function = [node] if isinstance(node, Word) else node or []
    head = str(function[0]) if function else ""
    terms = tuple(map(str, function[1:]))
    if domain.functions.get(head) != len(terms) or not all(
        one in reader.terms for one in terms
    ):
        raise PDDLError(f"{head!r} is not a declared function", part.line)
    try:
        value = float(str(part[2]))
    except ValueError:
        raise PDDLError(f"{part[2]!r} is not a number", part.line) from None
    if not (isfinite(value) and value >= 0):
        raise PDDLError(f"a cost can't be {part[2]!r}", part.line)
    return Atom(head, terms), value


def _goal(section: Group | None, reader: Reader) -> Formula:
    if section is None or len(section) != 2:
        raise PDDLError("a problem must have one goal: (:goal CONDITION)")
    return reader.formula(section[1])
