"""The parser of PDDL domains and problems."""

from __future__ import annotations

from math import isfinite

from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Domain,
    Formula,
    Problem,
    Schema,
    Typed,
)
from aq_gym.envs.pddl.logic.reader import (
    Group,
    Node,
    PDDLError,
    Reader,
    Word,
    group,
    read,
    typed_list,
    word,
)
from aq_gym.envs.pddl.logic.table import Budget

_UNSUPPORTED = {
    ":derived": "derived predicates",
    ":axiom": "derived predicates",
    ":durative-action": "durative actions",
    ":process": "processes",
    ":event": "events",
    ":constraints": "constraints",
}
# The search for arguments recurses once per parameter.
_MOST_PARAMETERS = 100
_ACTION_PARTS = {":parameters", ":precondition", ":effect"}
TOTAL_COST = "total-cost"


def parse_domain(text: str) -> Domain:
    """Parse a domain.

    Args:
        text: A domain in PDDL. Supported are STRIPS, typing, constants, equality,
            negative, disjunctive and quantified conditions, conditional effects and
            action costs.

    Raises:
        PDDLError: If something is malformed, undeclared or not supported.
    """
    name, parts = sections(text, "domain")
    known = {":requirements", ":types", ":constants", ":predicates", ":functions"}
    for part in parts:
        if part.head() not in known | {":action"}:
            kind = _UNSUPPORTED.get(part.head(), f"section {part.head()!r}")
            raise PDDLError(f"{kind} ({part.head()}) not supported", part.line)
    ancestors = _ancestors(_section(parts, ":types"))
    declared = Reader(ancestors, {}, ())
    constants = _section(parts, ":constants")
    fixed = declared.variables(constants[1:], constants.line)
    predicates = _predicates(_section(parts, ":predicates"), declared)
    functions = _functions(_section(parts, ":functions"), declared)
    assumed: dict[str, int] = {}
    reader = Reader(ancestors, predicates, {one.name for one in fixed}, assumed)
    schemas: dict[str, Schema] = {}
    for part in parts:
        if part.head() == ":action":
            schema = _schema(part, reader, functions)
            if schema.name in schemas:
                raise PDDLError(f"action {schema.name!r} is declared twice", part.line)
            schemas[schema.name] = schema
    return Domain(name, ancestors, fixed, predicates, functions, schemas, assumed)


def sections(text: str, kind: str) -> tuple[str, list[Group]]:
    """Parse ``(define (kind name) section ...)``; return the name and sections."""
    definition = read(text)
    if definition.head() != "define" or len(definition) < 2:
        raise PDDLError("a PDDL text must begin with (define ...", definition.line)
    title = definition[1]
    if not isinstance(title, Group) or title.head() != kind or len(title) != 2:
        raise PDDLError(f"(define ({kind} NAME) ...) expected", definition.line)
    parts = [group(part, "a section", definition.line) for part in definition[2:]]
    return str(word(title[1], "a name", title.line)), parts


def _section(parts: list[Group], head: str) -> Group:
    """Merge all sections of one kind."""
    merged = Group([Word(head)])
    for part in parts:
        if part.head() == head:
            merged.line = merged.line or part.line
            merged.extend(part[1:])
    return merged


def _ancestors(types: Group) -> dict[str, frozenset[str]]:
    parents: dict[str, set[str]] = {"object": set()}
    for listed, kinds in typed_list(types[1:], types.line):
        parents.setdefault(str(listed), set()).update(map(str, kinds))
        for kind in kinds:
            parents.setdefault(str(kind), set())
    budget = Budget()
    ancestors: dict[str, frozenset[str]] = {}
    for name in parents:
        ancestors[name] = frozenset(_above(str(name), parents))
        budget.spend(len(ancestors[name]), "the supertypes")
    return ancestors


def _above(kind: str, parents: dict[str, set[str]]) -> set[str]:
    found, waiting = {kind, "object"}, [kind]
    while waiting:
        new = parents[waiting.pop()] - found
        found |= new
        waiting += sorted(new)
    return found


def _predicates(section: Group, reader: Reader) -> dict[str, tuple[Typed, ...]]:
    predicates: dict[str, tuple[Typed, ...]] = {}
    for node in section[1:]:
        part = group(node, "a predicate", section.line)
        name = str(word(part[0], "a predicate", part.line)) if part else ""
        parameters = reader.variables(part[1:], part.line)
        if name == "=":
            continue
        if not name or predicates.get(name, parameters) != parameters:
            raise PDDLError(f"predicate {name!r} declared in two ways", part.line)
        predicates[name] = parameters
    return predicates


def _functions(section: Group, reader: Reader) -> dict[str, int]:
    functions = {}
    for node in section[1:]:
        if isinstance(node, Word):  # `- number` after a function
            continue
        functions[node.head()] = len(reader.variables(node[1:], node.line))
    return functions


def _schema(section: Group, reader: Reader, functions: dict[str, int]) -> Schema:
    name = str(word(section[1], "an action", section.line)) if section[1:] else ""
    if not name or len(section) % 2:
        raise PDDLError("(:action NAME :parameters (...) ...) expected", section.line)
    parts: dict[str, Group] = {}
    for node, value in zip(section[2::2], section[3::2], strict=True):
        key = str(word(node, "a part of an action", section.line))
        if key not in _ACTION_PARTS or key in parts:
            raise PDDLError(f"action {name!r}: {key!r} not supported", section.line)
        parts[key] = group(value, key, section.line)
    empty = Group()
    empty.line = section.line
    listed = parts.get(":parameters", empty)
    parameters = reader.variables(list(listed), listed.line)
    if len(parameters) > _MOST_PARAMETERS:
        raise PDDLError(
            f"action {name!r} has more than {_MOST_PARAMETERS} parameters", listed.line
        )
    inside = reader.within(parameters, listed.line)
    body, costs = _costs(parts.get(":effect", empty), inside, functions)
    return Schema(
        name,
        parameters,
        inside.formula(parts[":precondition"]) if ":precondition" in parts else And(()),
        tuple(effect for part in body for effect in inside.effects(part)),
        costs,
    )


def _costs(
    effect: Group, reader: Reader, functions: dict[str, int]
) -> tuple[list[Group], tuple[float | Atom, ...]]:
    """Separate an effect from its increases of the total cost."""
    parts: list[Node] = list(effect[1:]) if effect.head() == "and" else [effect]
    body: list[Group] = []
    costs: list[float | Atom] = []
    for node in parts:
        part = group(node, "an effect", effect.line)
        if part.head() == "increase" and TOTAL_COST in functions:
            costs.append(_cost(part, reader, functions))
        else:
            body.append(part)
    return body, tuple(costs)


def _cost(part: Group, reader: Reader, functions: dict[str, int]) -> float | Atom:
    target = part[1] if len(part) == 3 else None
    if target != TOTAL_COST and target != [TOTAL_COST]:
        raise PDDLError("numeric fluents (increase) are not supported", part.line)
    amount = part[2]
    if isinstance(amount, Word) and amount not in functions:
        try:
            return float(amount)
        except ValueError:
            raise PDDLError(f"{str(amount)!r} is not a cost", part.line) from None
    node = [amount] if isinstance(amount, Word) else amount
    head = str(node[0]) if node else ""
    if functions.get(head) != len(node) - 1 or head == TOTAL_COST:
        raise PDDLError(f"{head!r} is not a declared cost", part.line)
    return Atom(head, tuple([reader.term(one, part) for one in node[1:]]))


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
    for one, line in domain.assumed.items():
        if one not in objects:
            raise PDDLError(
                f"undeclared object {one!r}: the domain uses it in line {line}, and "
                "neither the domain nor the problem declares it"
            )
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
    """Return every object's types; one that is declared twice has the types of both."""
    reader = Reader(domain.ancestors, {}, ())
    listed = reader.variables(section[1:], section.line)
    objects: dict[str, tuple[str, ...]] = {}
    for one in (*domain.constants, *listed):
        types = objects.get(one.name, ())
        if types != one.types:
            types = _lowest((*types, *one.types), domain)
        objects[one.name] = types
    return objects


def _lowest(types: tuple[str, ...], domain: Domain) -> tuple[str, ...]:
    """Return some types without those that are supertypes of others."""
    kept = dict.fromkeys(types)
    for one in types:
        above = domain.ancestors[one] - {one}
        kept = {kind: None for kind in kept if kind not in above or kind == one}
    return tuple(kept)


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
