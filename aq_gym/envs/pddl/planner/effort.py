"""The planner's work, counted so that it ends at the same point on every machine."""

from __future__ import annotations

# A unit takes about half a microsecond.
MOST_UNITS = 12_500_000


class Effort:
    """The work that is left for a search.

    Attributes:
        left: The units of work left; a search ends when it is negative. The searches
            subtract from it.
        complete: Whether a search saw every state that can be reached, so that there is
            no plan.
    """

    def __init__(self, units: int | None = None) -> None:
        self.left = MOST_UNITS if units is None else units
        self.complete = False
