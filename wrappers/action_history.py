"""Count repeated actions, without an environment (AgentQuest, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aq_gym.support.arguments import check_type, resolve

COMPARISONS = ("unique", "all")
# The time of a comparison grows with the product of the lengths.
LONGEST_COMPARED = 2_000
# rapidfuzz's functions may return 0 for a score that equals the cutoff:
# Indel.normalized_similarity("b c d", "a b c") is 0.6, but 0 with a cutoff of 0.6.
_A_LITTLE_LOWER = 0.999


class ActionHistory:
    """Counts the actions that repeat an earlier one.

    An action is repeated if its similarity to an earlier one reaches the threshold.
    An equal text is always a repeat and found by a lookup; every other text is compared
    with the earlier ones. "levenshtein" (below a threshold of 1) and "token_set" use
    the first 2,000 characters of each text, to bound the time of a comparison; texts
    that differ only after them are considered equal.

    Similarity and threshold are compared as floats, as in the paper's code, so that
    rounding decides if they are mathematically equal. The similarity of "aaaaaaaaaa"
    and "aaaaaaabbb" is computed as ``1 - 6 / 20`` and reaches a threshold of 0.7.
    """

    def __init__(
        self,
        threshold: float = 1.0,
        similarity: str | Callable[[str, str], float] = "levenshtein",
        compare_to: str = "unique",
        window: int | None = None,
    ) -> None:
        """Create an empty history.

        Args:
            threshold: The similarity from which an action counts as repeated, in
                [0, 1]. With 0, every action but the first is a repeat.
            similarity: "levenshtein" (the ratio of the paper's code, rapidfuzz's
                ``Indel.normalized_similarity``), "token_set" (``token_set_ratio``
                in [0, 1]), "exact", or a function of two texts as a callable or
                "module:function"; rapidfuzz cannot run that one, so it is called
                at most once for each earlier text.
            compare_to: "unique" compares with the actions that were no repeats
                themselves (the paper), "all" with all earlier ones (its code).
            window: With how many of these actions a text is compared, the latest ones,
                to bound the time of a step in a very long episode; ``cut`` says
                whether any were left out. Equal texts are found however long ago they
                were. None compares with all of them.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If the value of an argument is not allowed.
        """
        check_type("threshold", threshold, (int, float), "a number in [0, 1]")
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold={threshold!r} must be in [0, 1]")
        if compare_to not in COMPARISONS:
            raise ValueError(f"compare_to={compare_to!r} is not one of {COMPARISONS}")
        check_type("window", window, (int, type(None)), "an int, or None")
        if window is not None and window < 1:
            raise ValueError(f"window={window!r} must be at least 1, or None")
        self._threshold = float(threshold)
        self._similarity = _checked(similarity)
        self._keep_repeats = compare_to == "all"
        self._window = window
        # Only equal texts have a Levenshtein ratio of 1.
        self._lookup_only = similarity == "exact" or (
            similarity == "levenshtein" and threshold == 1.0
        )
        self.clear()

    def clear(self) -> None:
        """Remove all actions."""
        self._seen: set[str] = set()
        self._others: list[str] = []
        self._kept = 0
        self.steps = 0
        self.repetitions = 0

    @property
    def cut(self) -> bool:
        """Whether the window has dropped any action so far."""
        return self._window is not None and self._kept > self._window

    def add(self, text: str) -> bool:
        """Add an action and return whether it repeats an earlier one.

        Args:
            text: The action's text.
        """
        self.steps += 1
        if text in self._seen:
            self.repetitions += 1
            return True
        repeated = self._resembles(text)
        self.repetitions += repeated
        self._seen.add(text)
        if not self._lookup_only and (self._keep_repeats or not repeated):
            self._keep(text)
        return repeated

    def rate(self, horizon: int | None = None) -> float:
        """Return the repetition rate, repetitions / (T - 1), and 0.0 at T = 1.

        Args:
            horizon: T, if it is larger than the number of actions so far; otherwise T
                is that number.
        """
        length = self.steps if horizon is None else max(horizon, self.steps)
        return self.repetitions / (length - 1) if length > 1 else 0.0

    def _keep(self, text: str) -> None:
        self._others.append(self._compared_part(text))
        self._kept += 1
        if self._window is not None:
            del self._others[: -self._window]

    def _resembles(self, text: str) -> bool:
        if self._threshold == 0.0:
            return bool(self._seen)
        if not self._others:
            return False
        text = self._compared_part(text)
        if isinstance(self._similarity, str):
            best = _best_score(self._similarity, text, self._others, self._threshold)
            return best >= self._threshold
        return any(
            self._similarity(text, one) >= self._threshold for one in self._others
        )

    def _compared_part(self, text: str) -> str:
        named = isinstance(self._similarity, str)
        return text[:LONGEST_COMPARED] if named else text


def _checked(
    similarity: str | Callable[[str, str], float],
) -> str | Callable[[str, str], float]:
    """Return the name of a similarity, or the function given."""
    if isinstance(similarity, str):
        if similarity in ("exact", "levenshtein", "token_set"):
            return similarity
        if ":" not in similarity:
            raise ValueError(
                f"similarity={similarity!r} is not 'levenshtein', 'exact', "
                "'token_set', 'module:function' or a callable"
            )
    return resolve(similarity, "similarity")


def _best_score(
    similarity: str, text: str, others: Sequence[str], threshold: float
) -> float:
    """Return the highest similarity, or 0.0 if it is clearly below a threshold."""
    # Imported late: rapidfuzz is slow to import, and most histories do not need it.
    # Its scorers cannot be pickled, so they are not attributes.
    from rapidfuzz.distance import Indel
    from rapidfuzz.fuzz import token_set_ratio
    from rapidfuzz.process import extractOne

    cutoff = _A_LITTLE_LOWER * threshold
    if similarity == "levenshtein":
        scorer = Indel.normalized_similarity
        found = extractOne(text, others, scorer=scorer, score_cutoff=cutoff)
        return found[1] if found else 0.0
    found = extractOne(
        text, others, scorer=token_set_ratio, score_cutoff=100.0 * cutoff
    )
    return found[1] / 100.0 if found else 0.0
