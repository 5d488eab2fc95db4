"""A player that uses the host's answers alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.mastermind.consistent import consistent_codes
from aq_gym.envs.mastermind.logic import Feedback, Rules

Codes = NDArray[np.uint8]

_MOST_ENUMERATED = 50_000
_MOST_PAIRS = 4_000_000
_SAMPLE = 2_000


def best_guess(rules: Rules, history: Mapping[str, Feedback]) -> str:
    """Choose the guess after which the fewest codes remain on average.

    Guesses are weighed as Knuth (1976) does, by how they part the codes that agree
    with all answers so far, but by the expected instead of the largest part, which
    needs fewer guesses on average. Where the codes are too many to enumerate, a
    sample of those that agree stands for them.

    Args:
        rules: What a code looks like.
        history: The guesses so far and their answers; nothing else is consulted.
    """
    return _best_guess(rules, tuple(history.items()))


@lru_cache(maxsize=4096)
def _best_guess(rules: Rules, history: tuple[tuple[str, Feedback], ...]) -> str:
    if rules.code_count <= _MOST_ENUMERATED:
        codes = _all_codes(rules)
        candidates = _agreeing(rules, codes, history)
        pool = np.concatenate([candidates, _spread(codes, len(candidates))])
    else:
        candidates = pool = _sample(rules, history)
    if not history:
        pool = _patterns(rules)
    if len(candidates) <= 2:
        pool = candidates[:1]
    pool = pool[: max(1, _MOST_PAIRS // len(candidates))]
    sizes = [_expected_size(rules, guess, candidates) for guess in pool]
    return _decode(rules, pool[int(np.argmin(sizes))])


@lru_cache(maxsize=8)
def _all_codes(rules: Rules) -> Codes:
    size = len(rules.symbols)
    codes = (
        product(range(size), repeat=rules.code_length)
        if rules.repeats
        else permutations(range(size), rules.code_length)
    )
    return np.array(list(codes), dtype=np.uint8)


def _spread(codes: Codes, candidates: int) -> Codes:
    """Thin codes out evenly, so that weighing them all stays affordable."""
    step = max(1, len(codes) * candidates // _MOST_PAIRS + 1)
    return codes[::step]


def _agreeing(
    rules: Rules, codes: Codes, history: tuple[tuple[str, Feedback], ...]
) -> Codes:
    for guess, feedback in history:
        answers = _answers(rules, _encode(rules, guess), codes)
        codes = codes[answers == _pack(rules, feedback)]
    return codes


def _sample(rules: Rules, history: tuple[tuple[str, Feedback], ...]) -> Codes:
    if history:
        found = consistent_codes(rules, history)
    else:
        rng = np.random.default_rng(0)
        found = [rules.random_code(rng) for _ in range(_SAMPLE)]
    return np.array([_encode(rules, code) for code in found])


def _patterns(rules: Rules) -> Codes:
    """Return one first guess for each number of different symbols: 0000, 0101, ..."""
    most = min(len(rules.symbols), rules.code_length)
    fewest = 1 if rules.repeats else most
    return np.array(
        [np.arange(rules.code_length) % k for k in range(fewest, most + 1)],
        dtype=np.uint8,
    )


def _expected_size(rules: Rules, guess: Codes, candidates: Codes) -> float:
    """Return how many candidates the answer leaves on average, less when it may win."""
    parts = np.bincount(_answers(rules, guess, candidates))
    won = _pack(rules, Feedback(rules.code_length, 0))
    bonus = parts[won] if won < len(parts) else 0
    return float((parts.astype(np.int64) ** 2).sum() - bonus) / len(candidates)


def _answers(rules: Rules, guess: Codes, codes: Codes) -> NDArray[np.int64]:
    """Answer one guess for each of many codes, packed into one number each."""
    exact = (codes == guess).sum(axis=1)
    common = np.zeros(len(codes), dtype=np.int64)
    for symbol, in_guess in zip(*np.unique(guess, return_counts=True), strict=True):
        common += np.minimum((codes == symbol).sum(axis=1), in_guess)
    packed: NDArray[np.int64] = exact * (rules.code_length + 1) + common - exact
    return packed


def _pack(rules: Rules, feedback: Feedback) -> int:
    return feedback.exact * (rules.code_length + 1) + feedback.misplaced


def _encode(rules: Rules, code: str) -> Codes:
    return np.array([rules.symbols.index(symbol) for symbol in code], dtype=np.uint8)


def _decode(rules: Rules, code: Codes) -> str:
    return "".join(rules.symbols[index] for index in code)
