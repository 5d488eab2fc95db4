"""Reading a text as an action of a planning task."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from aq_gym.core.text import listing, plural, quote
from aq_gym.envs.pddl.logic.language import Schema
from aq_gym.envs.pddl.logic.table import Objects
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.text import Words

# Prepositions of one group are interchangeable, such as "in", "on" and "into".
_GROUPS = {
    word: group
    for group, words in {
        "from": "from off out",
        "to": "at in inside into on onto to toward towards",
        "with": "by using via with",
    }.items()
    for word in words.split()
}
# With more objects, a text must have them in the order of the parameters.
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
        the English form; an object without a preposition to a parameter without one.

        Args:
            objects: The objects of a text, at least one and at most as many as
                parameters.
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


_MOST_WORDS = 64
_BREAK = re.compile(r"[\s,()\[\]{}<>\"`;:!]+")
_EDGES = ".?!'*\u2018\u2019\u201c\u201d"
_JOINTS = re.compile(r"[-_]")
_LITTLE_WORDS = """
a action an and at by from i in into my of off on onto over please the then to using
while with you your
"""


class Reading(NamedTuple):
    """A parsed action; exactly one of ``schema`` and ``problem`` is empty.

    Attributes:
        schema: The schema's name.
        args: Its arguments, of the right number.
        problem: The reason why the text is not an action.
        partial: The schema and arguments of an action that leaves objects out, with ""
            in their places. Such a text is an action if exactly one completion is
            valid; otherwise ``problem`` explains it.
    """

    schema: str
    args: tuple[str, ...] = ()
    problem: str = ""
    partial: tuple[str, tuple[str, ...]] | None = None

    @property
    def name(self) -> str:
        """The canonical text."""
        return " ".join((self.schema, *self.args))


class Grammar:
    """Parses canonical actions and their English forms.

    The verb may be anywhere, with its parts joined by ``-``, ``_`` or whitespace. The
    objects are in the order of the parameters, or after the prepositions of the English
    form. Articles, prepositions and the domain's filler words are dropped. A text with
    any other word is not an action.
    """

    def __init__(self, task: Task, words: Words) -> None:
        self._schemas = task.domain.schemas
        self._objects = task.problem.objects
        self._verbs: dict[str, str] = {}
        for name in self._schemas:
            self._verbs.setdefault(_JOINTS.sub("", name), name)
        # A verb of one word may also be written as two, such as "pick up".
        self._longest = 1 + max(
            (len(_JOINTS.split(name)) for name in self._schemas), default=1
        )
        self._fillers = {
            name: self._words_around(name, words, task) for name in self._schemas
        }
        self._slots = {
            name: Slots(schema, words.actions.get(name, ""), task.table.objects)
            for name, schema in self._schemas.items()
        }

    def read(self, action: str) -> Reading:
        """Parse an action, whether or not it is valid in the current state."""
        tokens = self._tokens(action)
        if not tokens or len(tokens) > _MOST_WORDS:
            return Reading("", problem=f"{quote(action)} is not an action.")
        if tokens[0] in self._schemas:
            schema, args = tokens[0], tuple(tokens[1:])
            fits = len(args) == len(self._schemas[schema].parameters)
            if fits and all(one in self._objects for one in args):
                return Reading(schema, args)
        return self._read_noisy(action, tokens)

    def canonical(self, action: str) -> str | None:
        """Return the canonical form of an action of the task, or None for other text.

        A text that leaves objects out is its own canonical form, because its meaning
        depends on the state.
        """
        reading = self.read(action)
        if reading.partial is not None:
            return action
        return None if reading.problem else reading.name

    def _read_noisy(self, action: str, tokens: list[str]) -> Reading:
        problem, partial = "", None
        for start in range(len(tokens)):
            for end in range(min(len(tokens), start + self._longest), start, -1):
                joined = _JOINTS.sub("", "".join(tokens[start:end]))
                schema = self._verbs.get(joined)
                if schema is None:
                    continue
                reading = self._arguments(schema, tokens[:start], tokens[end:])
                if reading.schema:
                    return reading
                problem = problem or f"{quote(action)}: {reading.problem}"
                partial = partial or reading.partial
        if not problem:
            known = listing([self.usage(name) for name in self._schemas], "or")
            problem = f"{quote(action)} is not an action: use {known}."
        return Reading("", problem=problem, partial=partial)

    def usage(self, schema: str) -> str:
        """Return the canonical form of an action, with its parameters."""
        parameters = self._schemas[schema].parameters
        return " ".join([schema, *(f"<{one.name[1:]}>" for one in parameters)])

    def _arguments(self, schema: str, before: list[str], after: list[str]) -> Reading:
        """Collect the objects before and after a verb, in order."""
        fillers = self._fillers[schema]
        found: list[str] = []
        for token in before + after:
            if token in self._objects:
                found.append(token)
            elif token not in fillers:
                return Reading("", problem=f"there is no {quote(token)} here.")
        count = len(self._schemas[schema].parameters)
        if len(found) > count:
            # An object may have the name of an article, as in `pick up a block b`.
            names = [token for token in found if token not in fillers]
            found = names if len(names) == count else found
        prepositions = token_prepositions(before, after, set(found))
        assigned = self._slots[schema].assign(found, prepositions)
        if len(found) == count:
            return Reading(schema, assigned or tuple(found))
        return Reading(
            "",
            problem=f"{schema} takes {plural(count, 'object')}, not {len(found)}: "
            f"{self.usage(schema)}.",
            partial=(schema, assigned) if assigned else None,
        )

    def _tokens(self, action: str) -> list[str]:
        tokens = []
        for token in _BREAK.split(action.lower()):
            if token not in self._objects and token not in self._schemas:
                token = token.strip(_EDGES)
            if token:
                tokens.append(token)
        return tokens

    def _words_around(self, schema: str, words: Words, task: Task) -> set[str]:
        """Return the words that are ignored in an action, beside verb and objects."""
        fillers = set(_LITTLE_WORDS.split()).union(words.fillers)
        template = words.actions.get(schema, "")
        for token in re.sub(r"\{\d+\}", " ", template.lower()).split():
            fillers.add(token.strip(_EDGES + ","))
        for parameter in self._schemas[schema].parameters:
            fillers.add(parameter.name[1:])
            for kind in parameter.types:
                fillers |= task.domain.ancestors[kind]
        for types in task.problem.objects.values():
            fillers.update(types)
        fillers.discard("")
        return fillers
