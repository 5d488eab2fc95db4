"""The work that the planner may do, counted so that it ends alike on every machine."""

from __future__ import annotations

# At most some microseconds each: a few seconds in all.
MOST_UNITS = 5_000_000


class Effort:
    """The work that is left for a search.

    Attributes:
        left: The units of work left; a search ends when it is negative. The searches
            subtract from it.
        complete: Whether a search saw every state that can be reached, so that there is
            no plan.
    """

    def __init__(self, units: int = MOST_UNITS) -> None:
        self.left = units
        self.complete = False
