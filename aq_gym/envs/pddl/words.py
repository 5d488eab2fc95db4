"""A domain's sentence templates, as given in its ``words.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any

from aq_gym.core.text import listing
from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Domain,
    Equal,
    Exists,
    ForAll,
    Formula,
    Not,
    Or,
)

_NO_BINDING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Words:
    """Sentence templates; predicates without one are written as in PDDL.

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
            said = self.fact(formula.bind(binding))[:-1]
            template = self.facts.get(formula.predicate, "{")
            return said if template[0] == "{" else said[:1].lower() + said[1:]
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
    said = sorted(f for _, f, _, _ in Formatter().parse(template) if f is not None)
    return len(said) if said == [str(i) for i in range(len(said))] else -1


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
