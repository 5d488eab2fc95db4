"""Ground conditions: masks over the bits of a state."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

# Bits that must be set, and bits that must not be.
Case: TypeAlias = tuple[int, int]
ANYWAY: Case = (0, 0)


class Condition(NamedTuple):
    """A ground condition: required and forbidden bits, and clauses.

    Attributes:
        required: Bits that must be set.
        forbidden: Bits that must not be set.
        clauses: Disjunctions; at least one case of each must hold.
    """

    required: int = 0
    forbidden: int = 0
    clauses: tuple[tuple[Case, ...], ...] = ()

    def holds(self, state: int) -> bool:
        """Return whether the condition holds in a state."""
        return (
            state & self.required == self.required
            and not state & self.forbidden
            and (not self.clauses or self._clauses_hold(state))
        )

    def _clauses_hold(self, state: int) -> bool:
        return all(
            any(state & p == p and not state & n for p, n in clause)
            for clause in self.clauses
        )


NEVER = Condition(clauses=((),))
