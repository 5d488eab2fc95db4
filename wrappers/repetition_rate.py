"""Measure the repetition rate of an agent's actions (AgentQuest, section 3.2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type, resolve
from aq_gym.wrappers._arguments import mapping, method_of, refuse_autoreset, rename

COMPARISONS = ("unique", "all")
# The time of a comparison grows with the product of the lengths.
LONGEST_COMPARED = 2_000
# rapidfuzz's functions may return 0 for a score that equals the cutoff:
# Indel.normalized_similarity("b c d", "a b c") is 0.6, but 0 with a cutoff of 0.6.
_A_LITTLE_LOWER = 0.999


class ActionHistory:
    """Counts the actions that repeat an earlier one.

    An action is repeated if its similarity to an earlier one reaches the threshold.
    A text that is equal to an earlier one is always a repeat, found by a lookup; of
    other texts, the parts given as ``said`` are compared. "levenshtein" (below a
    threshold of 1) and "token_set" use the first 2,000 characters of each text, to
    bound the time of a comparison; texts that differ only after them are considered
    equal.

    Similarity and threshold are compared as floats, as in the paper's code: where they
    are mathematically equal, rounding decides. The similarity of "aaaaaaaaaa" and
    "aaaaaaabbb" is computed as ``1 - 6 / 20`` and reaches a threshold of 0.7.
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
                "module:function"; rapidfuzz cannot run a function, so it is called at
                most once for each earlier text.
            compare_to: "unique" compares with the earlier actions that were not repeats
                themselves (the paper), "all" with all earlier actions (its code).
            window: The number of the latest of these actions with which a text is
                compared, to bound the time of a step in a very long episode; None for
                all. ``cut`` says whether any were left out. Equal texts are always
                found.

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
        # Only equal texts have a Levenshtein ratio of 1. Public, because the wrapper
        # then need not compute ``said``.
        self.lookup_only = similarity == "exact" or (
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

    def add(self, text: str, said: str | None = None) -> bool:
        """Add an action and return whether it repeats an earlier one.

        Args:
            text: The action's text; equal actions have equal texts.
            said: The part of the text that is compared; None for the whole text.
        """
        self.steps += 1
        if text in self._seen:
            self.repetitions += 1
            return True
        said = text if said is None else said
        repeated = self._resembles(said)
        self.repetitions += repeated
        self._seen.add(text)
        if not self.lookup_only and (self._keep_repeats or not repeated):
            self._keep(said)
        return repeated

    def rate(self) -> float:
        """Return the repetition rate, repetitions / (T - 1), and 0.0 at T = 1."""
        return self.repetitions / (self.steps - 1) if self.steps > 1 else 0.0

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


class RepetitionRate(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Adds the agent's repetition rate to info (AgentQuest, section 3.2).

    The action of step t is repeated if its similarity to an earlier one reaches the
    threshold. With n repeated actions in t steps the repetition rate is n / (t - 1),
    and 0.0 for t = 1. Invalid actions count like any other. An action that is not a
    text is compared as JSON.

    Where the environment has the methods ``canonical_action(text) -> str`` and
    ``said(text) -> str``, as every :class:`aq_gym.TextEnv` has, two actions are equal
    if their canonical forms are, and as similar as what they say: ``Guess: 1234`` and
    ``1 2 3 4`` are one action of Mastermind, and ``Guess: 5678`` has nothing in common
    with it, because "1234" and "5678" are compared.

    The counts belong to the wrapper: they are part of its ``copy.deepcopy`` and pickle,
    but not of an environment's own ``get_state()``. See :class:`ActionHistory` for how
    actions are compared.

    Added to info on reset and step: ``repetitions: int``, ``repetition_rate: float``
    and ``action_repeated: bool``; on reset they are 0, 0.0 and False. With a window
    also ``repetition_cut: bool``: whether actions were left out of the comparison.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        threshold: float = 1.0,
        similarity: str | Callable[[str, str], float] = "levenshtein",
        compare_to: str = "unique",
        keys: Mapping[str, str] | None = None,
        window: int | None = None,
        raw: bool = False,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment.
            threshold: The similarity, in [0, 1], from which an action is a repeat.
            similarity: "levenshtein", "token_set", "exact", or a function of two
                texts as "module:function" or a callable; see :class:`ActionHistory`.
            compare_to: "unique" compares with the earlier actions that were not repeats
                themselves (the paper), "all" with all earlier actions (its code).
            keys: New names for the keys of info, by their default names.
            window: The number of the latest actions with which an action is compared,
                to bound the time of a step; None for all. See :class:`ActionHistory`.
            raw: Whether to compare the texts as they are.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If the value of an argument is not allowed.
        """
        given: dict[str, Any] = {"window": window, "raw": raw}
        RecordConstructorArgs.__init__(
            self,
            threshold=threshold,
            similarity=similarity,
            compare_to=compare_to,
            keys=mapping("keys", keys),
            **{name: value for name, value in given.items() if value},
        )
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        check_type("raw", raw, bool, "a bool")
        self._raw = raw
        self._canonical: Callable[[str], str] | None = None
        self._said: Callable[[str], str] | None = None
        self._history = ActionHistory(threshold, similarity, compare_to, window)
        names = ("repetitions", "repetition_rate", "action_repeated")
        renamed = rename((*names, *(("repetition_cut",) if window else ())), keys)
        self._count_key, self._rate_key, self._repeated_key = renamed[:3]
        self._cut_key = renamed[3] if window else ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment and the counts."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._history.clear()
        # Looked up once an episode, because the lookup passes through every wrapper.
        if not self._raw:
            self._canonical = method_of(self.env, "canonical_action")
            if self._canonical and not self._history.lookup_only:
                self._said = method_of(self.env, "said")
        return observation, self._with_counts(info, repeated=False)

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment and count the action."""
        # Counted before the step, because an environment may modify the action.
        written = as_text(action)
        text = self._canonical(written) if self._canonical else written
        said = self._said(written) if self._said else text
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = self._with_counts(info, repeated=self._history.add(text, said))
        return observation, reward, terminated, truncated, info

    def _with_counts(self, info: dict[str, Any], repeated: bool) -> dict[str, Any]:
        counts = {
            **info,
            self._count_key: self._history.repetitions,
            self._rate_key: self._history.rate(),
            self._repeated_key: repeated,
        }
        if self._cut_key:
            counts[self._cut_key] = self._history.cut
        return counts


def as_text(action: object) -> str:
    """Return an action as text; equal actions give equal texts, in every process.

    A str is returned unchanged. Numbers, arrays, sequences, sets and mappings are
    written as JSON, with mappings and sets in sorted order.

    Args:
        action: Any action of Gymnasium's fundamental and composite spaces.

    Raises:
        TypeError: If the action contains an object of another type.
    """
    if isinstance(action, str):
        return action
    return json.dumps(_plain(action), sort_keys=True, ensure_ascii=False)


def _plain(value: object) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {as_text(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=json.dumps)
    raise TypeError(
        f"RepetitionRate cannot compare an action with a {type(value).__name__}: it "
        "takes texts, numbers, arrays, sequences, sets and mappings"
    )


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
