"""The repetition map: the similarity of the actions of an episode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

__all__ = ["SimilarityMap", "similarity_map"]

# A map of more steps can't be read on a screen, and longer actions take too long.
MOST_STEPS = 400
_LONGEST = 400


class SimilarityMap(NamedTuple):
    """The pairwise similarity of the distinct actions.

    Attributes:
        distinct: For each step, the index of its action among the distinct ones.
        rows: For each distinct action, its similarity to earlier ones, in percent.
    """

    distinct: list[int]
    rows: list[list[int]]


def similarity_map(actions: Sequence[str]) -> SimilarityMap:
    """Compare the actions of an episode (AgentQuest, Figure 3).

    The similarity is the Levenshtein ratio of AgentQuest's code, which is rapidfuzz's
    ``Indel.normalized_similarity``, of the first 400 characters of each action.

    Args:
        actions: The actions in their order; only the first 400 are compared.
    """
    texts = [action[:_LONGEST] for action in actions[:MOST_STEPS]]
    numbers: dict[str, int] = {}
    distinct = [numbers.setdefault(text, len(numbers)) for text in texts]
    unique = list(numbers)
    if len(unique) < 2:
        return SimilarityMap(distinct, [[] for _ in unique])
    ratios = cdist(
        unique,
        unique,
        scorer=Indel.normalized_similarity,
        score_multiplier=100,
        dtype=np.uint8,
    )
    rows = [ratios[n, :n].tolist() for n in range(len(unique))]
    return SimilarityMap(distinct, rows)
