"""The syntax tree of PDDL: formulas, effects, domains and problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Typed:
    """A variable or object with its types; after ``either`` there are several."""

    name: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate with its terms; variables begin with a question mark."""

    predicate: str
    terms: tuple[str, ...]

    def bind(self, binding: Mapping[str, str]) -> Atom:
        """Return the atom with variables replaced by objects."""
        return Atom(self.predicate, tuple(binding.get(t, t) for t in self.terms))

    @property
    def key(self) -> tuple[str, ...]:
        """The predicate and its terms in one tuple."""
        return (self.predicate, *self.terms)


@dataclass(frozen=True, slots=True)
class Equal:
    """The condition that two terms are the same object."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    """A conjunction; an empty one is true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """A disjunction; an empty one is false."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class ForAll:
    """A formula that holds for every choice of objects."""

    variables: tuple[Typed, ...]
    part: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """A formula that holds for some choice of objects."""

    variables: tuple[Typed, ...]
    part: Formula


Formula: TypeAlias = Atom | Equal | Not | And | Or | ForAll | Exists


def conjuncts_of(formula: Formula) -> Iterator[Formula]:
    """Yield the conjuncts of nested conjunctions."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        if isinstance(one, And):
            waiting += reversed(one.parts)
        else:
            yield one


def terms_of(formula: Formula) -> set[str]:
    """Return the objects and variables that occur in a formula."""
    if isinstance(formula, Atom):
        return {*formula.terms}
    if isinstance(formula, Equal):
        return {formula.left, formula.right}
    parts = formula.parts if isinstance(formula, And | Or) else (formula.part,)
    return set().union(*map(terms_of, parts))


@dataclass(frozen=True, slots=True)
class Effect:
    """An atom that an action makes true or false.

    Attributes:
        atom: The atom.
        positive: Whether it becomes true.
        variables: The variables of ``forall``.
        condition: The condition of ``when``; an empty conjunction without one.
    """

    atom: Atom
    positive: bool
    variables: tuple[Typed, ...] = ()
    condition: Formula = And(())


@dataclass(frozen=True, slots=True)
class Schema:
    """An action with variables.

    Attributes:
        name: The action's name.
        parameters: Its variables, in the order of the arguments.
        precondition: The precondition.
        effects: Its effects.
        costs: Its increases of the total cost: numbers, or functions of the arguments.
    """

    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula
    effects: tuple[Effect, ...]
    costs: tuple[float | Atom, ...] = ()


@dataclass(frozen=True)
class Domain:
    """A PDDL domain.

    Attributes:
        name: Its name.
        ancestors: Each type's supertypes, including the type itself.
        constants: The objects that every problem has.
        predicates: Each predicate's parameters.
        functions: Each function's number of arguments; functions are used for costs.
        schemas: The actions, in the order of the text.
        assumed: The objects that actions use and a problem must declare, with the lines
            of their first use.
    """

    name: str
    ancestors: Mapping[str, frozenset[str]]
    constants: tuple[Typed, ...]
    predicates: Mapping[str, tuple[Typed, ...]]
    functions: Mapping[str, int]
    schemas: Mapping[str, Schema]
    assumed: Mapping[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Problem:
    """A PDDL problem.

    Attributes:
        name: Its name.
        objects: Every object's types, the domain's constants first.
        init: The facts of the initial state, in the order of the text.
        values: The functions' values.
        goal: The goal.
    """

    name: str
    objects: Mapping[str, tuple[str, ...]]
    init: tuple[Atom, ...]
    values: Mapping[Atom, float]
    goal: Formula
