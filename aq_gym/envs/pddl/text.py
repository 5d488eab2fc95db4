"""The sentences of a domain, and the texts of observations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any

from aq_gym.core.text import listing
from aq_gym.envs.pddl.logic.formulas import condition, conjuncts
from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Domain,
    Effect,
    Equal,
    Exists,
    ForAll,
    Formula,
    Not,
    Or,
    Schema,
    conjuncts_of,
)
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.task import Goal, Task

_NO_BINDING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Words:
    """Sentence templates; a predicate without a template is written as in PDDL.

    Attributes:
        about: A description of the domain in one or two sentences.
        facts: A template for each predicate, with ``{0}`` for its first term.
        actions: A template for the English form of each action.
        fillers: Words that are ignored in an action.
    """

    about: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    fillers: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, text: str, domain: Domain) -> Words:
        """Read ``words.json`` and check it against its domain.

        Raises:
            ValueError: If a template is for an unknown predicate or action, or does
                not contain each of its terms once.
        """
        data: dict[str, Any] = json.loads(text)
        words = cls(
            data.get("about", ""),
            data.get("facts", {}),
            data.get("actions", {}),
            tuple(data.get("fillers", ())),
        )
        arities = {name: len(terms) for name, terms in domain.predicates.items()}
        _check(words.facts, arities)
        arities = {name: len(s.parameters) for name, s in domain.schemas.items()}
        _check(words.actions, arities)
        return words

    def only(self, arities: Mapping[str, int]) -> Words:
        """Return a copy with the templates that fit another domain's predicates."""
        facts = {
            name: template
            for name, template in self.facts.items()
            if arities.get(name) == _terms(template)
        }
        return replace(self, facts=facts)

    def fact(self, atom: Atom) -> str:
        """Return a fact as a sentence."""
        template = self.facts.get(atom.predicate)
        if template is None:
            return " ".join((atom.predicate, *atom.terms)) + "."
        sentence = template.format(*atom.terms)
        return sentence[:1].upper() + sentence[1:] if template[0] != "{" else sentence

    def clause(self, formula: Formula, binding: Mapping[str, str] = _NO_BINDING) -> str:
        """Return a condition as part of a sentence."""
        if isinstance(formula, Atom):
            sentence = self.fact(formula.bind(binding))[:-1]
            template = self.facts.get(formula.predicate, "{")
            return (
                sentence if template[0] == "{" else sentence[:1].lower() + sentence[1:]
            )
        if isinstance(formula, Equal):
            left, right = formula.left, formula.right
            return f"{binding.get(left, left)} is {binding.get(right, right)}"
        if isinstance(formula, Not):
            return f"not ({self.clause(formula.part, binding)})"
        if isinstance(formula, And | Or):
            parts = [self.clause(part, binding) for part in formula.parts]
            word = "and" if isinstance(formula, And) else "or"
            return _joined(parts, word)
        return self._quantified(formula, binding)

    def _quantified(self, formula: ForAll | Exists, binding: Mapping[str, str]) -> str:
        kind = "for every" if isinstance(formula, ForAll) else "for some"
        names = listing(
            [f"{one.name} ({' or '.join(one.types)})" for one in formula.variables]
        )
        return f"{kind} {names}: {self.clause(formula.part, binding)}"


def _terms(template: str) -> int:
    """Return the number of terms in a template; -1 if any is missing or repeated."""
    fields = sorted(f for _, f, _, _ in Formatter().parse(template) if f is not None)
    return len(fields) if fields == [str(i) for i in range(len(fields))] else -1


def _joined(parts: list[str], word: str) -> str:
    if not parts:
        return "nothing is asked" if word == "and" else "never"
    return parts[0] if len(parts) == 1 else f"({f' {word} '.join(parts)})"


def _check(templates: Mapping[str, str], arities: Mapping[str, int]) -> None:
    for name, template in templates.items():
        if name not in arities:
            raise ValueError(f"words for {name!r}: the domain has {sorted(arities)}")
        if _terms(template) != arities[name]:
            raise ValueError(
                f"words for {name!r}: {template!r} must contain each of its "
                f"{arities[name]} terms once"
            )


class Prose:
    """Describes a task with a domain's sentence templates."""

    def __init__(self, task: Task, words: Words) -> None:
        self._task = task
        self._words = words
        self._predicates = {name: i for i, name in enumerate(task.domain.predicates)}
        self._objects = {name: i for i, name in enumerate(task.problem.objects)}
        arities = map(len, task.domain.predicates.values())
        self._width = len(self._objects) ** max(arities, default=0)
        # Filled on demand, because only few atoms of a large task are ever shown.
        self._shown: dict[int, tuple[int, str]] = {}
        self.conditions = tuple(self._condition(goal) for goal in task.goals)
        self.goal = (
            "The goal is to satisfy the following conditions: "
            f"{', '.join(self.conditions)}."
        )

    def state(self, state: int) -> str:
        """Return every fact of a state that can change, in a fixed order."""
        facts = sorted([self._fact(one) for one in self._task.facts(state)])
        return " ".join([sentence for _, sentence in facts]) or "Nothing holds."

    def static(self) -> str:
        """Return every fact that never changes, in the order of the problem."""
        return " ".join(self._words.fact(atom) for atom in self._task.static)

    def opening(self, state: int, instructions: bool) -> str:
        """Return the first observation."""
        parts = self.rules() if instructions else []
        parts.append(f"Objects: {self._listed_objects()}.")
        if self._task.static:
            parts.append(f"What never changes: {self.static()}")
        return "\n".join([*parts, self.goal, self.state(state)])

    def rules(self) -> list[str]:
        """Return the explanation of the task and its actions, line by line."""
        parts = [self._words.about] if self._words.about else []
        parts.append("Actions, with their objects in this order:")
        parts += [self._action(one) for one in self._task.domain.schemas.values()]
        parts.append(
            'Give one action at a time. "check valid actions" lists what can be '
            'done now, "look around" repeats what holds; both take a step.'
        )
        return parts

    def refusal(self, schema: str, args: tuple[str, ...], state: int) -> str:
        """Return why an action can't be carried out in a state."""
        action = " ".join((schema, *args))
        form = self._task.domain.schemas[schema]
        for parameter, name in zip(form.parameters, args, strict=True):
            if name not in self._task.table.objects.of(parameter.types):
                kind = listing(list(parameter.types), "or")
                return f"{action} is not possible: {name} is no {kind}."
        binding = dict(zip([p.name for p in form.parameters], args, strict=True))
        try:
            missing = [
                self._words.clause(part, inner)
                for part, inner in self._unmet(form.precondition, binding, state)
            ]
        except PDDLError:  # The precondition quantifies over too many objects.
            return f"{action} is not possible now."
        if not missing:
            return f"{action} would change nothing."
        return f"{action} is not possible now. It needs: {'; '.join(missing)}."

    def _unmet(
        self, formula: Formula, binding: dict[str, str], state: int
    ) -> Iterator[tuple[Formula, Mapping[str, str]]]:
        """Yield the conjuncts that don't hold; this has a budget of its own."""
        table = self._task.table
        table.budget.renew()
        for part, inner in conjuncts(formula, table, binding):
            if not condition(part, table, inner).holds(state):
                yield part, inner

    def _fact(self, position: int) -> tuple[int, str]:
        """Return the rank and the sentence of an atom.

        Atoms are ordered by their predicates, then by their objects.
        """
        shown = self._shown.get(position)
        if shown is None:
            atom = self._task.atoms[position]
            objects = 0
            for term in atom.terms:
                objects = objects * len(self._objects) + self._objects[term]
            rank = self._predicates[atom.predicate] * self._width + objects
            shown = self._shown[position] = (rank, self._words.fact(atom))
        return shown

    def _condition(self, goal: Goal) -> str:
        return self._words.clause(goal.formula, goal.binding)

    def _listed_objects(self) -> str:
        by_types: dict[str, list[str]] = {}
        for name, types in self._task.problem.objects.items():
            by_types.setdefault(" or ".join(types), []).append(name)
        return "; ".join(f"{kind}: {', '.join(o)}" for kind, o in by_types.items())

    def _action(self, schema: Schema) -> str:
        """Describe a schema, with its parameters in angle brackets."""
        binding = {one.name: f"<{one.name[1:]}>" for one in schema.parameters}
        parts = [f"- {' '.join([schema.name, *binding.values()])}"]
        needs = [
            self._words.clause(one, binding)
            for one in conjuncts_of(schema.precondition)
        ]
        if needs:
            parts.append(f"needs: {'; '.join(needs)}")
        for label, positive in (("then", True), ("no longer", False)):
            effects = [e for e in schema.effects if e.positive is positive]
            described = [self._effect(effect, binding) for effect in effects]
            if described:
                parts.append(f"{label}: {'; '.join(described)}")
        return f"{parts[0]}: {'. '.join(_capitals(parts[1:]))}."

    def _effect(self, effect: Effect, binding: dict[str, str]) -> str:
        clause = self._words.clause(effect.atom, binding)
        if effect.condition != And(()):
            clause += f" (if {self._words.clause(effect.condition, binding)})"
        names = listing([one.name for one in effect.variables])
        return f"for every {names}: {clause}" if names else clause


def _capitals(parts: list[str]) -> list[str]:
    return [part[:1].upper() + part[1:] for part in parts]
