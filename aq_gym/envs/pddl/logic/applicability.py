"""An index of the actions that are applicable in a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aq_gym.envs.pddl.logic.bits import mask, positions
from aq_gym.envs.pddl.logic.grounding import GroundAction


class ApplicabilityIndex:
    """Finds the applicable actions of a state without testing all actions.

    Each action is listed under the atom of its precondition that fewest actions
    require. A state's candidates are the actions listed under its atoms, whose number
    follows that of the applicable actions instead of that of all actions.
    """

    def __init__(self, actions: Sequence[GroundAction]) -> None:
        required = [action.literals.requires for action in actions]
        counts = Counter(position for found in required for position in found)
        self._listed: dict[int, list[int]] = {}
        self._unconditional: list[int] = []
        for index, found in enumerate(required):
            if found:
                rarest = min(found, key=counts.__getitem__)
                self._listed.setdefault(rarest, []).append(index)
            else:
                self._unconditional.append(index)
        self._mask = mask(self._listed)
        self._actions = actions

    def valid(self, state: int) -> list[int]:
        """Return the positions of the applicable actions, in ascending order."""
        candidates = list(self._unconditional)
        for position in positions(state & self._mask):
            candidates += self._listed[position]
        actions = self._actions
        found = []
        for index in candidates:
            condition = actions[index].condition
            required, forbidden, clauses = condition
            if (
                state & required == required
                and not state & forbidden
                and (not clauses or condition.holds(state))
            ):
                found.append(index)
        found.sort()
        return found
