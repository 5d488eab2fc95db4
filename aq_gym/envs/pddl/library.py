"""The included domains: ``NAME.pddl``, ``NAME.json`` with words, and a generator."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from random import Random
from typing import NamedTuple, Protocol

from aq_gym.envs.pddl.domains import ProblemDraft
from aq_gym.envs.pddl.logic import parse_domain
from aq_gym.envs.pddl.logic.language import Domain
from aq_gym.envs.pddl.text import Words
from aq_gym.support.data import packaged_text

DIFFICULTIES = ("easy", "hard")

_PACKAGE = "aq_gym.envs.pddl.domains"


class Generate(Protocol):
    """The generator of a domain."""

    def __call__(
        self, rng: Random, difficulty: str, size: int | None = None
    ) -> ProblemDraft:
        """Generate a problem of a difficulty, or of a size."""


class IncludedDomain(NamedTuple):
    """An included domain.

    Attributes:
        pddl: The domain's text.
        domain: The domain.
        words: Its sentence templates.
        generate: Its generator, a function of a ``Random``, a difficulty and a size.
        sizes: The sizes of its problems.
    """

    pddl: str
    domain: Domain
    words: Words
    generate: Generate
    sizes: range


def domain_names() -> tuple[str, ...]:
    """Return the names of the included domains, sorted."""
    names = (one.name for one in files(_PACKAGE).iterdir())
    suffix = ".pddl"
    return tuple(sorted(n.removesuffix(suffix) for n in names if n.endswith(suffix)))


@lru_cache
def load_domain(name: str) -> IncludedDomain:
    """Read an included domain.

    Raises:
        ValueError: If there is no such domain.
    """
    if name not in domain_names():
        raise ValueError(
            f"domain={name!r}: choose one of {', '.join(domain_names())}, or "
            "'pddlgym:NAME', or give domain_file and problem_file"
        )
    pddl = packaged_text(_PACKAGE, f"{name}.pddl")
    domain = parse_domain(pddl)
    words = Words.from_json(packaged_text(_PACKAGE, f"{name}.json"), domain)
    generator = import_module(f"{_PACKAGE}.{name}")
    return IncludedDomain(pddl, domain, words, generator.generate, generator.SIZES)


def words_for(domain: Domain) -> Words:
    """Return the templates of an included domain with the same actions, or none.

    Predicates that it lacks, or that have another number of terms there, get no
    template.
    """
    for name in domain_names():
        shipped = load_domain(name)
        if _arities(shipped.domain) == _arities(domain):
            return shipped.words.only(
                {one: len(terms) for one, terms in domain.predicates.items()}
            )
    return Words()


def _arities(domain: Domain) -> dict[str, int]:
    return {name: len(one.parameters) for name, one in domain.schemas.items()}
