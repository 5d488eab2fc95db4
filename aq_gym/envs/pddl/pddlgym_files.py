"""The domains and problems that pddlgym ships, read from its files."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from gymnasium.error import DependencyNotInstalled

from aq_gym.envs.pddl.instance import Instance, grade
from aq_gym.envs.pddl.library import words_for
from aq_gym.envs.pddl.logic import PDDLError, Task, parse_domain, parse_problem
from aq_gym.envs.pddl.logic.joining import demands
from aq_gym.envs.pddl.logic.language import And, Atom, Domain, Formula

__all__ = ["PREFIX", "Shipped", "pddlgym_folder", "pseudo_actions"]

PREFIX = "pddlgym:"

# pddlgym's own way to say which predicates stand for actions, in a comment.
_ACTIONS = re.compile(r"\(:actions([^)]*)\)")


def pddlgym_folder() -> Path:
    """Find pddlgym's files without importing it, which would take a second.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """
    spec = find_spec("pddlgym")
    if spec is None or not spec.submodule_search_locations:
        raise DependencyNotInstalled(
            "pddlgym's domains and engine need an extra, for Python below 3.12: "
            "pip install 'aq-gym[pddlgym]'"
        )
    return Path(next(iter(spec.submodule_search_locations))) / "pddl"


class Shipped:
    """One of pddlgym's domains with its problem files, in pddlgym's order.

    Args:
        domain: ``pddlgym:NAME``.
        problem: A file's index or name, None for any.

    Raises:
        ValueError: If there is no such domain or problem, or it is not supported.
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """

    def __init__(self, domain: str, problem: int | str | None) -> None:
        folder = pddlgym_folder()
        self._prefix = domain
        self._domain_file = folder / f"{domain.removeprefix(PREFIX)}.pddl"
        self._files = {
            path.stem: path
            for path in sorted((folder / self._domain_file.stem).glob("*.pddl"))
        }
        if self._domain_file.parent != folder or not self._domain_file.is_file():
            known = sorted(path.stem for path in folder.glob("*.pddl"))
            raise ValueError(f"domain={domain!r}: pddlgym ships {', '.join(known)}")
        if not self._files:
            raise ValueError(f"domain={domain!r}: pddlgym ships no problem for it")
        self._fixed = None if problem is None else self._fix(problem)

    def draw(self, rng: np.random.Generator) -> Instance:
        """Draw one of the files."""
        names = list(self._files)
        return self._make(self._fixed or names[int(rng.integers(len(names)))])

    def named(self, task_id: str) -> Instance:
        """Read a file again, from ``pddlgym:NAME:FILE``."""
        domain, _, name = str(task_id).rpartition(":")
        if domain != self._prefix or name not in self._files:
            raise ValueError(
                f"task_id={task_id!r}: give one of "
                f"{', '.join(f'{self._prefix}:{one}' for one in self._files)}"
            )
        return self._make(name)

    def _fix(self, problem: int | str) -> str:
        names = list(self._files)
        if problem in names:
            return str(problem)
        if isinstance(problem, int) and 0 <= problem < len(names):
            return names[problem]
        raise ValueError(
            f"problem={problem!r}: give an index below {len(names)}, or one of "
            f"{', '.join(names)}"
        )

    def _make(self, name: str) -> Instance:
        domain_pddl, domain = _read_domain(self._domain_file)
        atoms = pseudo_actions(domain_pddl).values()
        pseudo = frozenset(atom.predicate for atom in atoms)
        path = self._files[name]
        problem_pddl = path.read_text("utf-8")
        try:
            problem = parse_problem(problem_pddl, domain)
        except PDDLError as error:
            raise PDDLError(f"{self._prefix}:{name}: {error}") from None
        init = tuple(atom for atom in problem.init if atom.predicate not in pseudo)
        task = Task(_without(domain, pseudo), replace(problem, init=init))
        return Instance(
            f"{self._prefix}:{name}",
            task,
            words_for(task.domain),
            grade(task),
            domain_pddl,
            problem_pddl,
        )


@lru_cache
def pseudo_actions(domain_pddl: str) -> dict[str, Atom]:
    """Return the atom that stands for each action in pddlgym's eyes.

    Several of its domains say in a comment which predicates are actions, and ask for
    them in preconditions; they hold nothing of the world.

    Args:
        domain_pddl: A domain's text.

    Returns:
        The atoms by action; nothing where the actions stand for themselves.
    """
    listed = _ACTIONS.search(domain_pddl.lower())
    names = frozenset(listed.group(1).split()) if listed else frozenset()
    if not names:
        return {}
    found = {}
    for schema in parse_domain(domain_pddl).schemas.values():
        for part in demands(schema.precondition):
            if isinstance(part, Atom) and part.predicate in names:
                found[schema.name] = part
    return found


@lru_cache
def _read_domain(path: Path) -> tuple[str, Domain]:
    text = path.read_text("utf-8")
    try:
        return text, parse_domain(text)
    except PDDLError as error:
        raise PDDLError(f"pddlgym's {path.stem}: {error}") from None


def _without(domain: Domain, pseudo: frozenset[str]) -> Domain:
    """Drop predicates that hold nothing of the world."""
    schemas = {
        name: replace(schema, precondition=_drop(schema.precondition, pseudo))
        for name, schema in domain.schemas.items()
    }
    predicates = {n: t for n, t in domain.predicates.items() if n not in pseudo}
    return replace(domain, schemas=schemas, predicates=predicates)


def _drop(formula: Formula, pseudo: frozenset[str]) -> Formula:
    if isinstance(formula, And):
        return And(tuple(_drop(part, pseudo) for part in formula.parts))
    if isinstance(formula, Atom) and formula.predicate in pseudo:
        return And(())
    return formula
