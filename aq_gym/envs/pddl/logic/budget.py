"""A limit on the work that a PDDL problem may cause."""

from __future__ import annotations

from typing import NoReturn

from aq_gym.envs.pddl.logic.sexpr import PDDLError

# A unit takes up to a microsecond, so that a refusal takes less than two seconds.
MOST_UNITS = 2_000_000


class Budget:
    """Counts units of work and raises when there are too many.

    Units instead of seconds make the outcome the same on every machine. A ground
    formula part and a pair of a type and a supertype cost one unit, a binding of
    variables and a ground action several.

    Attributes:
        left: The units that are left. Loops that count each part subtract from it
            themselves and call ``exceeded`` when it is negative: a call for each part
            would take longer than the part.
    """

    def __init__(self) -> None:
        self.left = MOST_UNITS

    def renew(self) -> None:
        """Start again with the whole budget."""
        self.left = MOST_UNITS

    def spend(self, units: int, reason: str) -> None:
        """Count units of work.

        Args:
            units: Their number.
            reason: What they are spent on, for the message.

        Raises:
            PDDLError: If the budget is exceeded.
        """
        self.left -= units
        if self.left < 0:
            self.exceeded(reason)

    def exceeded(self, reason: str) -> NoReturn:
        """Raise the error of an exceeded budget.

        Args:
            reason: What the last units were spent on.

        Raises:
            PDDLError: Always.
        """
        raise PDDLError(
            f"the problem is too large: grounding exceeds {MOST_UNITS} units of "
            f"work at {reason}; use fewer objects, types or quantified variables"
        )
