"""Grounding of schemas that require, add and delete atoms and do nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import TypeAlias

from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.envs.pddl.logic.table import Key, Table

__all__ = ["Plain", "Row"]

Row: TypeAlias = tuple[int, ...]


class Plain:
    """A schema of atoms only, which is grounded column by column.

    Two atoms of such a schema are equal either for all lists of different arguments or
    for none, so that what is required, added and deleted twice is found once a schema.

    Args:
        names: The parameters.
        required: The atoms that must hold.
        adds: The atoms that are set.
        deletes: The atoms that are cleared.

    Attributes:
        requires: A function from a row to the positions of the required atoms.
        adds: One to the positions of the added atoms.
        deletes: One to the positions of the deleted atoms.
    """

    def __init__(
        self,
        names: Sequence[str],
        required: list[Atom],
        adds: list[Atom],
        deletes: list[Atom],
    ) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._atoms = atoms = [*required, *adds, *deletes]
        terms = {term for atom in atoms for term in atom.terms}
        self._constants = frozenset(terms.difference(names))
        gone = [atom for atom in deletes if atom not in adds]
        self._idle = not gone and set(adds) <= set(required)
        first, last = len(required), len(required) + len(adds)
        self.requires = _pick(atoms[:first], required, 0)
        self.adds = _pick(atoms[first:last], adds, first)
        self.deletes = _pick(atoms[last:], gone, last)

    def rows(self, found: list[tuple[str, ...]], table: Table) -> Iterator[Row | None]:
        """Yield the positions of all atoms for each list of arguments.

        None where the arguments are not different, so that atoms may be equal, and for
        actions that change nothing.
        """
        width = len(self._atoms)
        if self._idle or not found or not width:
            yield from repeat(None, len(found))
            return
        columns = list(zip(*found, strict=True))
        keys = [self._keys(atom, columns, len(found)) for atom in self._atoms]
        numbers = iter(
            table.all_positions(chain.from_iterable(zip(*keys, strict=True)))
        )
        constants = self._constants
        different = len(columns) + len(constants)
        for args, row in zip(found, zip(*[numbers] * width, strict=True), strict=True):
            if len({*args, *constants}) == different:
                yield row
            else:
                yield None

    def _keys(
        self, atom: Atom, columns: list[tuple[str, ...]], count: int
    ) -> Iterator[Key]:
        places = self._places
        terms = [
            columns[places[term]] if term in places else repeat(term, count)
            for term in atom.terms
        ]
        return zip(repeat(atom.predicate, count), *terms, strict=True)


def _pick(atoms: list[Atom], wanted: list[Atom], offset: int) -> Callable[[Row], Row]:
    """Return a function from all positions to those of some atoms, each once."""
    places = [offset + atoms.index(atom) for atom in dict.fromkeys(wanted)]
    first = places[0] if places else 0
    together = slice(first, first + len(places))
    if places == list(range(together.start, together.stop)):
        return itemgetter(together)
    return itemgetter(*places)
