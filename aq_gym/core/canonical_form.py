"""The canonical form of a structure: objects of some kinds, and facts about them.

Structures that differ only in the names of their objects have the same form. Colour
refinement separates objects with different roles. If some objects are not separated,
each of them in turn gets a new colour, and the smallest form is the result (McKay and
Piperno, "Practical Graph Isomorphism, II", Journal of Symbolic Computation 60, 2014).
Symmetries found on the way avoid repeated work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

# A fact: the number of its name, and its objects.
_Fact: TypeAlias = tuple[int, tuple[int, ...]]
# The name of a fact, the position of an object in it, and all its objects.
_Part: TypeAlias = tuple[int, int, tuple[int, ...]]
_Form: TypeAlias = tuple[tuple[int, ...], ...]


def canonical_form(kinds: Mapping[str, str], facts: Iterable[Sequence[str]]) -> str:
    """Return a text that two structures share only if renaming makes them equal.

    Args:
        kinds: The kind of each object; objects of different kinds are never exchanged.
        facts: Facts, each a name and objects. An object that is not in ``kinds`` is
            never exchanged.
    """
    facts = sorted({tuple(fact) for fact in facts})
    named = {name for fact in facts for name in fact[1:]} - set(kinds)
    of = {name: f"kind {kind}" for name, kind in kinds.items()}
    of |= {name: f"name {name}" for name in named}
    labels = sorted({fact[0] for fact in facts})
    colours = sorted(set(of.values()))
    number = {name: place for place, name in enumerate(sorted(of))}
    search = _Search(
        [
            (labels.index(fact[0]), tuple(number[name] for name in fact[1:]))
            for fact in facts
        ],
        len(number),
    )
    start = [colours.index(of[name]) for name in sorted(of)]
    form = search.least(start)
    counts = [(colour, start.count(n)) for n, colour in enumerate(colours)]
    return f"{counts} {labels} {form}"


class _Search:
    """The search for the least form of one structure."""

    def __init__(self, facts: list[_Fact], count: int) -> None:
        self._facts = facts
        self._set = frozenset(facts)
        self._parts: list[list[_Part]] = [[] for _ in range(count)]
        for label, terms in facts:
            for place, term in enumerate(terms):
                self._parts[term].append((label, place, terms))
        # The order of the objects in the first leaf and in the best leaf, and the
        # symmetries found.
        self._leaves: dict[_Form, list[int]] = {}
        self._symmetries: list[list[int]] = []

    def least(self, colours: list[int]) -> _Form:
        """Return the least form to which a colouring can be refined."""
        return self._visit(colours, ())

    def _visit(self, colours: list[int], fixed: tuple[int, ...]) -> _Form:
        colours = self._refine(colours)
        cell = _smallest_cell(colours)
        if not cell:
            return self._leaf(colours)
        best: _Form | None = None
        done: list[int] = []
        for one in cell:
            if self._is_equivalent(one, done, fixed):
                continue
            done.append(one)
            alone = [2 * colour for colour in colours]
            alone[one] -= 1
            form = self._visit(alone, (*fixed, one))
            best = form if best is None else min(best, form)
        assert best is not None
        return best

    def _refine(self, colours: list[int]) -> list[int]:
        """Return ranks that separate objects which appear in different facts."""
        ranks = _ranks(colours)
        while True:
            finer = _ranks(
                [
                    (ranks[one], self._signature(parts, ranks))
                    for one, parts in enumerate(self._parts)
                ]
            )
            if max(finer, default=0) == max(ranks, default=0):
                return ranks
            ranks = finer

    @staticmethod
    def _signature(parts: Sequence[_Part], ranks: list[int]) -> tuple[Any, ...]:
        return tuple(
            sorted(
                (label, place, tuple([ranks[term] for term in terms]))
                for label, place, terms in parts
            )
        )

    def _leaf(self, ranks: list[int]) -> _Form:
        form = tuple(
            sorted(
                (label, *(ranks[term] for term in terms))
                for label, terms in self._facts
            )
        )
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        same = self._leaves.setdefault(form, order)
        if same is not order:
            symmetry = [0] * len(order)
            for here, there in zip(same, order, strict=True):
                symmetry[here] = there
            self._symmetries.append(symmetry)
        return form

    def _is_equivalent(self, one: int, done: list[int], fixed: tuple[int, ...]) -> bool:
        """Return whether a symmetry keeping ``fixed`` maps a finished object here."""
        if any(self._are_twins(one, other) for other in done):
            return True
        kept = [s for s in self._symmetries if all(s[f] == f for f in fixed)]
        reached, waiting = set(done), list(done)
        while waiting:
            now = waiting.pop()
            for symmetry in kept:
                if symmetry[now] not in reached:
                    reached.add(symmetry[now])
                    waiting.append(symmetry[now])
        return one in reached

    def _are_twins(self, one: int, other: int) -> bool:
        """Return whether exchanging two objects changes nothing."""
        if len(self._parts[one]) != len(self._parts[other]):
            return False
        swap = {one: other, other: one}
        return all(
            (label, tuple(swap.get(term, term) for term in terms)) in self._set
            for label, _, terms in (*self._parts[one], *self._parts[other])
        )


def _ranks(values: Sequence[Any]) -> list[int]:
    """Return the rank of each value among the distinct values."""
    rank = {value: n for n, value in enumerate(sorted(set(values)))}
    return [rank[value] for value in values]


def _smallest_cell(ranks: Sequence[int]) -> list[int]:
    """Return the first of the smallest sets of several objects with equal rank."""
    cells: dict[int, list[int]] = {}
    for one, rank in enumerate(ranks):
        cells.setdefault(rank, []).append(one)
    shared = [(len(cell), rank) for rank, cell in cells.items() if len(cell) > 1]
    return cells[min(shared)[1]] if shared else []
