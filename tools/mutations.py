"""One-place changes of a Python source: of operators, of 0 and 1, of True and False."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Mutation", "mutations_of"]

_OPERATORS: dict[type[ast.AST], tuple[str, tuple[str, ...]]] = {
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.And: ("and", ("or",)),
    ast.Or: ("or", ("and",)),
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("//",)),
    ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("*",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: ("|", ("&",)),
    ast.BitXor: ("^", ("|",)),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
}
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


class Mutation(NamedTuple):
    """A change of one place of a source.

    Attributes:
        line: The number of the line, from 1.
        begin: The first character that is replaced, counted in the whole source.
        end: The character after the last one that is replaced.
        after: The text that replaces it.
    """

    line: int
    begin: int
    end: int
    after: str

    def apply(self, source: str) -> str:
        """Return a source with the change.

        Args:
            source: The source that the mutation was made from.
        """
        return source[: self.begin] + self.after + source[self.end :]

    def lines(self, source: str) -> tuple[str, str]:
        """Return the line of the change before and after it, stripped.

        Args:
            source: The source that the mutation was made from.
        """
        begin = source.rfind("\n", 0, self.begin) + 1
        end = source.find("\n", self.end)
        before, after = source[begin : self.begin], source[self.end : end]
        changed = " ".join((before + self.after + after).split())
        return " ".join(source[begin:end].split()), changed


def mutations_of(source: str) -> list[Mutation]:
    """Return the mutations of a source, in the order of their places.

    Annotations, and what only type checkers read, are left out.

    Args:
        source: The text of a module.
    """
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.found), key=lambda found: (found.begin, found.after))


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.found: list[Mutation] = []
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        # The places of operators are in no node of the tree.
        self._tokens = list(_code_tokens(source))

    def visit(self, node: ast.AST) -> None:
        """Visit a node, but no annotations, ``if TYPE_CHECKING`` and f-strings."""
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if isinstance(node, ast.JoinedStr):
            # Python 3.11 does not know the places of what is in them.
            return
        getattr(self, f"visit_{type(node).__name__}", lambda node: None)(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Add changes of each comparison of a chain."""
        parts = [node.left, *node.comparators]
        for left, operator, right in zip(parts, node.ops, parts[1:], strict=False):
            self._operator(left, operator, right)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Add the other operator in each place."""
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._operator(left, node.op, right)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Add other operators, and the swapped operands of a difference."""
        self._operator(node.left, node.op, node.right)
        if isinstance(node.op, ast.Sub):
            left, right = (self._text(part) for part in (node.left, node.right))
            self._add(node, f"({right}) - ({left})")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Add other operators."""
        before, others = _OPERATORS.get(type(node.op), ("", ()))
        for after in others:
            self._between(node.target, node.value, f"{before}=", f"{after}=")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Add the operand without its ``not``, ``-`` or ``~``."""
        self._add(node, f"({self._text(node.operand)})")

    def visit_Constant(self, node: ast.Constant) -> None:
        """Add the other truth value, 1 for 0 and 0 for 1, and the next number."""
        if isinstance(node.value, bool):
            self._add(node, repr(not node.value))
        elif isinstance(node.value, int | float):
            if node.value in (0, 1):
                self._add(node, repr(type(node.value)(1 - node.value)))
            else:
                self._add(node, f"({self._text(node)} + 1)")

    def visit_Name(self, node: ast.Name) -> None:
        """Add the opposite of a function."""
        if isinstance(node.ctx, ast.Load) and node.id in _NAMES:
            self._add(node, _NAMES[node.id])

    def visit_Break(self, node: ast.Break) -> None:
        """Add ``continue``."""
        self._add(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Add ``break``."""
        self._add(node, "break")

    def _operator(self, left: ast.AST, operator: ast.AST, right: ast.AST) -> None:
        before, others = _OPERATORS.get(type(operator), ("", ()))
        for after in others:
            self._between(left, right, before, after)

    def _between(self, left: ast.AST, right: ast.AST, before: str, after: str) -> None:
        """Add the change of the operator between two nodes."""
        first, last = self._span(left)[1], self._span(right)[0]
        inside = [token for token in self._tokens if first <= token[0] < last]
        words = before.split()
        for place, _ in enumerate(inside):
            found = inside[place : place + len(words)]
            if [text for _, text in found] == words:
                begin, end = found[0][0], found[-1][0] + len(found[-1][1])
                self._change(begin, end, after)
                return

    def _add(self, node: ast.AST, after: str) -> None:
        self._change(*self._span(node), after)

    def _change(self, begin: int, end: int, after: str) -> None:
        line = self._source.count("\n", 0, begin) + 1
        self.found.append(Mutation(line, begin, end, after))

    def _text(self, node: ast.AST) -> str:
        begin, end = self._span(node)
        return self._source[begin:end]

    def _span(self, node: Any) -> tuple[int, int]:
        return (
            self._place(node.lineno, node.col_offset),
            self._place(node.end_lineno, node.end_col_offset),
        )

    def _place(self, line: int, column: int) -> int:
        # The tree counts columns in UTF-8 bytes.
        begin = self._starts[line - 1]
        text = self._source[begin : self._starts[line]]
        return begin + len(text.encode()[:column].decode())


def _code_tokens(source: str) -> Iterator[tuple[int, str]]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.OP, tokenize.NAME):
            yield starts[token.start[0] - 1] + token.start[1], token.string
