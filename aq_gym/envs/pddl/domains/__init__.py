"""The draft of a generated problem, and its PDDL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aq_gym.core.canonical_form import canonical_form

# AgentBoard's cutoff for goal conditions, and its step limit; problems that exceed
# either are hard.
MOST_EASY_CONDITIONS = 6
MOST_EASY_STEPS = 30


@dataclass
class ProblemDraft:
    """Objects, facts and goal conditions.

    Attributes:
        objects: The names of the objects, by type.
        init: The initial facts, without brackets: ``on b1 b2``.
        goal: The goal conditions, likewise.
        steps: The length of a shortest plan, if the generator knows it.
    """

    objects: Mapping[str, Sequence[str]]
    init: list[str] = field(default_factory=list)
    goal: list[str] = field(default_factory=list)
    steps: int = 0

    @property
    def difficulty(self) -> str:
        """The difficulty: "hard" if it exceeds one of AgentBoard's limits."""
        hard = len(self.goal) > MOST_EASY_CONDITIONS or self.steps > MOST_EASY_STEPS
        return "hard" if hard else "easy"

    def canonical_form(self) -> str:
        """Return a text that is equal for problems that differ only in names."""
        kinds = {name: kind for kind, names in self.objects.items() for name in names}
        facts = [("init", self.init), ("goal", self.goal)]
        return canonical_form(
            kinds,
            [
                (f"{part} {name}", *terms)
                for part, lines in facts
                for name, *terms in map(str.split, lines)
            ],
        )

    def pddl(self, domain: str, name: str) -> str:
        """Return the problem as PDDL."""
        objects = [f"{' '.join(n)} - {kind}" for kind, n in self.objects.items() if n]
        return (
            f"(define (problem {name})\n  (:domain {domain})\n"
            f"  (:objects\n    {_lines(objects)})\n"
            f"  (:init\n    {_lines([f'({fact})' for fact in self.init])})\n"
            f"  (:goal (and\n    {_lines([f'({one})' for one in self.goal])})))\n"
        )


def numbered(prefix: str, count: int) -> list[str]:
    """Return numbered names: ``b1``, ``b2``."""
    return [f"{prefix}{i + 1}" for i in range(count)]


def _lines(parts: list[str]) -> str:
    return "\n    ".join(parts)
