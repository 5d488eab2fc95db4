"""A player that asks the most informative question."""

from __future__ import annotations

import math
from functools import lru_cache

from aq_gym.envs.mystery.game import VALUES, Aspect, aspects


@lru_cache(maxsize=4096)
def best_names(aspect: int, possible: int) -> tuple[str, ...]:
    """Return the best question about a fact: a category, or several values.

    Its answer has the highest entropy, if all values that are still possible are
    equally likely. A category is preferred to an equally good list.

    Args:
        aspect: The index of the fact.
        possible: The set of values that are still possible, at least two.
    """
    known = aspects()[aspect]
    half = _half(possible)
    masks: dict[tuple[str, ...], int] = {
        (name,): mask for name, mask in known.categories.items()
    }
    masks[_names(known, half)] = half
    return max(masks, key=lambda names: round(_entropy(masks[names], possible), 9))


def _half(possible: int) -> int:
    """Return the first half of a set of values."""
    values = [i for i in range(VALUES) if possible >> i & 1]
    return sum(1 << i for i in values[: len(values) // 2])


def _names(aspect: Aspect, mask: int) -> tuple[str, ...]:
    return tuple(v for i, v in enumerate(aspect.values) if mask >> i & 1)


def _entropy(mask: int, possible: int) -> float:
    """Return the entropy of the answer, in bits."""
    share = (mask & possible).bit_count() / possible.bit_count()
    if share in (0.0, 1.0):
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)
