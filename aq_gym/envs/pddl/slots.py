"""Assignment of objects to parameters by their prepositions and types."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from aq_gym.envs.pddl.logic.language import Schema
from aq_gym.envs.pddl.logic.objects import Objects

# Prepositions of one group are interchangeable: put it in, on or into something.
_GROUPS = {
    word: group
    for group, words in {
        "from": "from off out",
        "to": "at in inside into on onto to toward towards",
        "with": "by using via with",
    }.items()
    for word in words.split()
}
# Longer texts are given in the order of the parameters.
_MOST_OBJECTS = 6


class Slots:
    """The parameters of a schema, as places for the objects of a text.

    Args:
        schema: The schema.
        template: Its English form, such as ``Move from {0} to {1}.``
        objects: The objects of the task.
    """

    def __init__(self, schema: Schema, template: str, objects: Objects) -> None:
        count = len(schema.parameters)
        self._allowed = [frozenset(objects.of(one.types)) for one in schema.parameters]
        self._prepositions: list[str | None] = [None] * count
        latest = None
        for word in re.findall(r"\{\d+\}|[\w-]+", template.lower()):
            if word.startswith("{"):
                self._prepositions[int(word[1:-1])] = latest
                latest = None
            else:
                latest = _GROUPS.get(word, latest)

    def assign(
        self, objects: Sequence[str], prepositions: Sequence[str | None]
    ) -> tuple[str, ...] | None:
        """Return the only assignment of objects to parameters, with "" for the rest.

        An object after a preposition belongs to a parameter with that preposition in
        the English form, an object without one to a parameter without one.

        Args:
            objects: Objects of a text, at least one and not more than parameters.
            prepositions: The group of each object's preposition, or None.

        Returns:
            The assignment; None if there is not exactly one.
        """
        if not objects or not len(objects) == len(prepositions) <= _MOST_OBJECTS:
            return None
        found = None
        for slots in self._assignments(objects, prepositions, ()):
            if found is not None:
                return None
            found = slots
        if found is None:
            return None
        args = [""] * len(self._allowed)
        for one, slot in zip(objects, found, strict=True):
            args[slot] = one
        return tuple(args)

    def _assignments(
        self,
        objects: Sequence[str],
        prepositions: Sequence[str | None],
        taken: tuple[int, ...],
    ) -> Iterator[tuple[int, ...]]:
        if len(taken) == len(objects):
            yield taken
            return
        one, preposition = objects[len(taken)], prepositions[len(taken)]
        for slot, allowed in enumerate(self._allowed):
            fits = self._prepositions[slot] == preposition and one in allowed
            if fits and slot not in taken:
                yield from self._assignments(objects, prepositions, (*taken, slot))


def token_prepositions(
    before: Sequence[str], after: Sequence[str], objects: Collection[str]
) -> list[str | None]:
    """Return the group of the preposition before each object of a text."""
    found: list[str | None] = []
    for tokens in (before, after):
        latest = None
        for token in tokens:
            if token in objects:
                found.append(latest)
                latest = None
            else:
                latest = _GROUPS.get(token, latest)
    return found
