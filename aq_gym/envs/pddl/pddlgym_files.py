"""pddlgym's domains and problems, read from pddlgym's files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from gymnasium.error import DependencyNotInstalled

from aq_gym.core.tasks import UserTasks
from aq_gym.envs.pddl.instance import Instance, grade
from aq_gym.envs.pddl.library import words_for
from aq_gym.envs.pddl.logic import (
    PDDLError,
    Task,
    parse_domain,
    parse_problem,
)
from aq_gym.envs.pddl.logic.language import And, Atom, Domain, Formula, conjuncts_of
from aq_gym.support.extras import pip_command
from aq_gym.support.user_files import read_text

PREFIX = "pddlgym:"

# pddlgym's files declare in a comment which predicates stand for actions.
_ACTIONS = re.compile(r"\(:actions([^)]*)\)")


def pddlgym_folder() -> Path:
    """Return the folder of pddlgym's files, without importing pddlgym, which is slow.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """
    spec = find_spec("pddlgym")
    if spec is None or not spec.submodule_search_locations:
        raise DependencyNotInstalled(
            "pddlgym's domains need an extra, for Python below 3.12: "
            + pip_command("pddlgym")
        )
    return Path(next(iter(spec.submodule_search_locations))) / "pddl"


def pddlgym_problems(domain: str, problem: int | str | None) -> UserTasks[Instance]:
    """Return the problem files of one of pddlgym's domains, in pddlgym's order.

    Args:
        domain: ``pddlgym:NAME``.
        problem: A file's index or name; None for all.

    Raises:
        ValueError: If there is no such domain or problem.
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """
    return problems_in(pddlgym_folder(), domain, problem)


def problems_in(
    folder: Path, domain: str, problem: int | str | None
) -> UserTasks[Instance]:
    """Return the problem files of a domain, in a folder laid out like pddlgym's.

    Args:
        folder: The folder.
        domain: ``PREFIX:NAME``.
        problem: A file's index or name; None for all.

    Raises:
        ValueError: If there is no such domain or problem.
    """
    domain_file = folder / f"{domain.partition(':')[2]}.pddl"
    if domain_file.parent != folder or not domain_file.is_file():
        known = sorted(path.stem for path in folder.glob("*.pddl"))
        raise ValueError(f"domain={domain!r}: there are {', '.join(known)}")
    paths = sorted((folder / domain_file.stem).glob("*.pddl"))
    if not paths:
        raise ValueError(f"domain={domain!r} has no problems in {folder.name}")
    if problem is not None:
        paths = [_chosen(paths, problem)]
    files = {
        f"{domain}:{path.stem}": ProblemFile(f"{domain}:{path.stem}", domain_file, path)
        for path in paths
    }
    return UserTasks(files, f"the problems of {domain!r}", ProblemFile.load)


class ProblemFile(NamedTuple):
    """A problem file, with the file of its domain."""

    task_id: str
    domain: Path
    problem: Path

    def load(self) -> Instance:
        """Read the problem.

        Raises:
            PDDLError: If the domain or the problem is not supported.
        """
        domain_pddl, domain = _read_domain(self.domain)
        atoms = pseudo_actions(domain_pddl).values()
        pseudo = frozenset(atom.predicate for atom in atoms)
        problem_pddl = read_text(self.problem, self.domain.parent)
        try:
            problem = parse_problem(problem_pddl, domain)
        except PDDLError as error:
            raise PDDLError(f"{self.task_id}: {error}") from None
        init = tuple(atom for atom in problem.init if atom.predicate not in pseudo)
        task = Task(_without(domain, pseudo), replace(problem, init=init))
        return Instance(
            self.task_id,
            task,
            words_for(task.domain),
            grade(task),
            domain_pddl,
            problem_pddl,
        )


def _chosen(paths: Sequence[Path], problem: int | str) -> Path:
    names = [path.stem for path in paths]
    if problem in names:
        return paths[names.index(str(problem))]
    if isinstance(problem, int) and 0 <= problem < len(names):
        return paths[problem]
    raise ValueError(
        f"problem={problem!r}: give an index below {len(names)}, or one of "
        f"{', '.join(names)}"
    )


@lru_cache
def pseudo_actions(domain_pddl: str) -> dict[str, Atom]:
    """Return the atom that stands for each action in pddlgym.

    In several of pddlgym's domains, a comment declares some predicates as actions, and
    preconditions use them. These predicates are not part of the state.

    Args:
        domain_pddl: A domain's text.

    Returns:
        The atoms by action; empty if the domain has no such predicates.
    """
    listed = _ACTIONS.search(domain_pddl.lower())
    names = frozenset(listed.group(1).split()) if listed else frozenset()
    if not names:
        return {}
    found = {}
    for schema in parse_domain(domain_pddl).schemas.values():
        for part in conjuncts_of(schema.precondition):
            if isinstance(part, Atom) and part.predicate in names:
                found[schema.name] = part
    return found


@lru_cache
def _read_domain(path: Path) -> tuple[str, Domain]:
    text = read_text(path, path.parent)
    try:
        return text, parse_domain(text)
    except PDDLError as error:
        raise PDDLError(f"{path.stem}: {error}") from None


def _without(domain: Domain, pseudo: frozenset[str]) -> Domain:
    """Return a domain without the predicates that stand for actions."""
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
