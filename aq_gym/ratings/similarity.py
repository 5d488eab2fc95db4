"""Which criteria mean the same, and how many distinct ones the seeds suggested."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from aq_gym.models import EmbeddingClient
from aq_gym.ratings.criteria import Criterion
from aq_gym.ratings.journal import Request
from aq_gym.ratings.judge import Caller

Similar: TypeAlias = Callable[[str, str], bool]


def same_name(first: str, second: str) -> bool:
    """Return whether two names are equal, apart from case and punctuation.

    A similarity of spelling would not be better: it is 0.78 for "problem type" and
    "problem level", and lower for most pairs of equal meaning.
    """
    return _plain(first) == _plain(second)


def embedded(
    names: Sequence[str], model: str, base_url: str | None, caller: Caller
) -> Callable[[float], Similar] | None:
    """Return a function that, given a threshold, returns a test for equal meaning.

    Args:
        names: All names that will be compared.
        model: The embedding model.
        base_url: Its endpoint.
        caller: Keeps the embeddings in its journal, and limits the call.

    Returns:
        The function; None if the call is only counted.

    Raises:
        EndpointError: If the call failed.
        LimitReachedError: If the limit is reached.
        ValueError: If the endpoint is refused.
    """
    unique = list(dict.fromkeys(map(_plain, names)))
    judge, request = f"embeddings of {model}", Request("", tuple(unique))
    journal = caller.journal
    known = journal.find(judge, request)
    if known is None:
        if caller.plan:
            caller.planned["calls"] += 1
            return None
        caller.check_limit()
        vectors = EmbeddingClient(model, base_url).embed(unique).round(6)
        known = journal.add(judge, request, json.dumps(vectors.tolist()), {"calls": 1})
    rows = dict(zip(unique, np.array(json.loads(known["answer"])), strict=True))

    def above(threshold: float) -> Similar:
        def similar(first: str, second: str) -> bool:
            cosine = rows[_plain(first)] @ rows[_plain(second)]
            return same_name(first, second) or bool(cosine > threshold)

        return similar

    return above


def distinct(criteria: Sequence[Criterion], similar: Similar) -> list[Criterion]:
    """Return the criteria without those that an earlier one resembles."""
    kept: list[Criterion] = []
    for one in criteria:
        if not any(similar(one.name, other.name) for other in kept):
            kept.append(one)
    return kept


def diversity(
    suggestions: Sequence[Sequence[Criterion]], similar: Similar
) -> list[int]:
    """Return the number of distinct criteria after each seed (the paper's Figure 4)."""
    kept: list[Criterion] = []
    counts = []
    for own in suggestions:
        kept = distinct([*kept, *own], similar)
        counts.append(len(kept))
    return counts


def _plain(name: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in name).casefold().split())
