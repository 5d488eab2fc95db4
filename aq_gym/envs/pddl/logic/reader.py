"""The reader of PDDL: words and brackets, types, terms and formulas."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Effect,
    Equal,
    Exists,
    ForAll,
    Formula,
    Not,
    Or,
    Typed,
)

_DEEPEST = 100
# The largest published problems have about 500 kB.
MOST_CHARACTERS = 2_000_000
_COMMENT = re.compile(r";[^\n]*")
# Published files have `?x -block` and `?l - level?l1 - level`, so a dash at the
# beginning of a word is a separate word, and a question mark begins a new word. A name
# may end with a dash: only in a typed list can `?x- block` be told from a name.
_TOKEN = re.compile(r"\n|[()]|(?<![^\s()])-(?=[^\s()\d])|\??[^\s()?]+|\?")


class PDDLError(ValueError):
    """Raised for PDDL that is malformed or not supported.

    Args:
        message: The error.
        line: The line of the text, counted from 1; 0 if unknown.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)


class Word(str):
    """A word of a PDDL text.

    Attributes:
        line: Its line; 0 if unknown.
    """

    line = 0


class Group(list["Node"]):
    """A bracketed list.

    Attributes:
        line: Its first line; 0 if unknown.
    """

    line = 0

    def head(self) -> str:
        """Return the first word, or "" if the list does not begin with one."""
        return str(self[0]) if self and isinstance(self[0], Word) else ""


Node: TypeAlias = Word | Group


def read(text: str) -> Group:
    """Parse one bracketed list; case, whitespace and comments don't matter.

    Args:
        text: A whole PDDL domain or problem.

    Returns:
        The list, with its words in lower case.

    Raises:
        PDDLError: If brackets don't match, or the text isn't exactly one list.
    """
    if len(text) > MOST_CHARACTERS:
        raise PDDLError(
            f"the text has {len(text)} characters: at most {MOST_CHARACTERS} are read"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").lower()
    outermost = Group()
    stack = [outermost]
    line = outermost.line = 1
    for match in _TOKEN.finditer(_COMMENT.sub("", text)):
        token = match.group()
        if token == "\n":
            line += 1
        elif token == "(":
            opened = Group()
            opened.line = line
            stack[-1].append(opened)
            stack.append(opened)
            if len(stack) > _DEEPEST:
                raise PDDLError(f"brackets more than {_DEEPEST} deep", line)
        elif token == ")":
            if len(stack) == 1:
                raise PDDLError("a closing bracket without an opening one", line)
            stack.pop()
        else:
            word = Word(token)
            word.line = line
            stack[-1].append(word)
    if len(stack) > 1:
        raise PDDLError("a bracket is never closed", stack[-1].line)
    if len(outermost) != 1 or not isinstance(outermost[0], Group):
        raise PDDLError("a PDDL text must be one bracketed list: (define ...)")
    return outermost[0]


_NUMERIC = {"<", ">", "<=", ">=", "assign", "increase", "decrease", "scale-up"}
_REFUSED = {
    **dict.fromkeys(_NUMERIC | {"scale-down"}, "numeric fluents"),
    "probabilistic": "probabilistic effects",
    "oneof": "non-deterministic effects",
    "preference": "preferences",
    "at start": "durative actions",
}
# The type of names declared without a type.
_OBJECT = (Word("object"),)
_CONNECTIVES = {"and", "or", "not", "imply", "forall", "exists", "when", "="}


def group(node: Node, what: str, line: int) -> Group:
    """Return a node if it is a bracketed list, else raise an error."""
    if isinstance(node, Group):
        return node
    raise PDDLError(f"{what} must be a bracketed list, not {str(node)!r}", line)


def word(node: Node, what: str, line: int) -> Word:
    """Return a node if it is a word, else raise an error."""
    if isinstance(node, Word):
        return node
    raise PDDLError(f"{what} must be a name, not a list", line)


def typed_list(
    nodes: list[Node], line: int, kinds: Container[str] = _OBJECT
) -> list[tuple[Word, tuple[Word, ...]]]:
    """Parse a list like ``a b - t c`` into names with types, by default ``object``.

    Args:
        nodes: The list.
        line: Its line.
        kinds: The known types; before one of them, the dash in ``a- t`` is no part of
            the name.
    """
    found: list[tuple[Word, tuple[Word, ...]]] = []
    waiting: list[Word] = []
    position = 0
    while position < len(nodes):
        name = nodes[position]
        if not isinstance(name, Word):
            name = word(name, "an item of a typed list", line)
        position += 1
        if name != "-":
            typed = name.endswith("-") and position < len(nodes)
            if not typed or not _is_type(name, nodes[position], kinds):
                waiting.append(name)
                continue
            waiting.append(Word(name[:-1]))
            waiting[-1].line = name.line
        if position == len(nodes):
            raise PDDLError("a dash without a type", name.line)
        types = _types(nodes[position], name.line)
        position += 1
        found += [(one, types) for one in waiting]
        waiting = []
    return found + [(one, _OBJECT) for one in waiting]


def _is_type(name: Word, following: Node, kinds: Container[str]) -> bool:
    """Return whether the word after a name with a dash is the type of the name."""
    if isinstance(following, Group):
        return True
    if name.startswith("?"):
        return not following.startswith(("?", "-"))
    return following in kinds


def _types(node: Node, line: int) -> tuple[Word, ...]:
    if isinstance(node, Word):
        return (node,)
    if node.head() != "either" or len(node) < 2:
        raise PDDLError("a type must be a name or (either name ...)", node.line)
    return tuple(word(part, "a type", line) for part in node[1:])


@dataclass(frozen=True, slots=True)
class _Scope:
    """Names, in addition to the names of an outer scope."""

    names: frozenset[str]
    outer: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.names or name in self.outer


@dataclass(frozen=True)
class Reader:
    """Parses formulas and effects, and checks them against the declarations.

    Attributes:
        ancestors: Each type's supertypes.
        predicates: Each predicate's parameters.
        terms: The known objects and variables.
        assumed: Gets the other objects, with their lines; None to refuse them.
    """

    ancestors: Mapping[str, frozenset[str]]
    predicates: Mapping[str, tuple[Typed, ...]]
    terms: Container[str]
    assumed: dict[str, int] | None = None

    def variables(self, nodes: list[Node], line: int) -> tuple[Typed, ...]:
        """Parse a typed list of variables or objects; their types must be declared."""
        listed = typed_list(nodes, line, self.ancestors)
        declared = {
            types: tuple([self._type(one) for one in types])
            for types in dict.fromkeys([types for _, types in listed])
        }
        return tuple([Typed(str(name), declared[types]) for name, types in listed])

    def within(self, variables: tuple[Typed, ...], line: int) -> Reader:
        """Return a reader with further variables; their names must be new."""
        names: set[str] = set()
        for variable in variables:
            name = variable.name
            if name in names or name in self.terms or not name.startswith("?"):
                raise PDDLError(f"{name!r} is not a new variable", line)
            names.add(name)
        return replace(self, terms=_Scope(frozenset(names), self.terms))

    def formula(self, node: Node) -> Formula:
        """Parse a condition."""
        node = group(node, "a condition", node.line)
        head, parts = node.head(), node[1:]
        if not node:
            return And(())
        if head == "and":
            return And(tuple(self.formula(part) for part in parts))
        if head == "or":
            return Or(tuple(self.formula(part) for part in parts))
        if head == "not":
            return Not(self.formula(self._parts(node, 1)[0]))
        if head == "imply":
            left, right = self._parts(node, 2)
            return Or((Not(self.formula(left)), self.formula(right)))
        if head in ("forall", "exists"):
            variables, part = self._quantified(node)
            kind = ForAll if head == "forall" else Exists
            return kind(variables, self.within(variables, node.line).formula(part))
        if head == "=":
            left, right = self._parts(node, 2)
            return Equal(self.term(left, node), self.term(right, node))
        return self.atom(node)

    def effects(self, node: Node) -> list[Effect]:
        """Parse an effect to a list of changes of single atoms."""
        node = group(node, "an effect", node.line)
        head = node.head()
        if head == "and" or not node:
            return [effect for part in node[1:] for effect in self.effects(part)]
        if head == "not":
            deleted = group(self._parts(node, 1)[0], "a deleted atom", node.line)
            return [Effect(self.atom(deleted), False)]
        if head == "when":
            left, right = self._parts(node, 2)
            asked = self.formula(left)
            return [
                replace(effect, condition=_both(asked, effect.condition))
                for effect in self.effects(right)
            ]
        if head == "forall":
            variables, part = self._quantified(node)
            return [
                replace(effect, variables=variables + effect.variables)
                for effect in self.within(variables, node.line).effects(part)
            ]
        return [Effect(self.atom(node), True)]

    def atom(self, node: Group) -> Atom:
        """Parse a predicate with its terms."""
        head = node.head()
        if head in _REFUSED:
            raise PDDLError(f"{_REFUSED[head]} ({head}) are not supported", node.line)
        if head not in self.predicates:
            kind = "misplaced" if head in _CONNECTIVES else "undeclared predicate"
            raise PDDLError(f"{kind} {head!r}", node.line)
        known = self.terms
        for part in node[1:]:
            if not isinstance(part, Word) or part not in known:
                self.term(part, node)
        terms = tuple(map(str, node[1:]))
        arity = len(self.predicates[head])
        if len(terms) != arity:
            given = len(terms)
            raise PDDLError(f"{head} has {given} terms, declared {arity}", node.line)
        return Atom(head, terms)

    def term(self, node: Node, parent: Group) -> str:
        """Parse a variable or an object, a part of ``parent``."""
        if isinstance(node, Group):
            raise PDDLError(
                f"numeric fluents ({node.head()}) are not supported", node.line
            )
        if node not in self.terms:
            variable = node.startswith("?")
            if variable or self.assumed is None:
                kind = "variable" if variable else "object"
                raise PDDLError(f"undeclared {kind} {str(node)!r}", node.line)
            self.assumed.setdefault(str(node), node.line)
        return str(node)

    def _type(self, name: Word) -> str:
        if name not in self.ancestors:
            raise PDDLError(f"undeclared type {str(name)!r}", name.line)
        return str(name)

    def _quantified(self, node: Group) -> tuple[tuple[Typed, ...], Node]:
        listed, part = self._parts(node, 2)
        names = group(listed, "a list of variables", node.line)
        return self.variables(list(names), node.line), part

    @staticmethod
    def _parts(node: Group, count: int) -> list[Node]:
        if len(node) != count + 1:
            raise PDDLError(
                f"{node.head()} takes {count}, not {len(node) - 1}", node.line
            )
        return node[1:]


def _both(first: Formula, second: Formula) -> Formula:
    """Return the conjunction of two conditions; the second may be empty."""
    return first if second == And(()) else And((first, second))
