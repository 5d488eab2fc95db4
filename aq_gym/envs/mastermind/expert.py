"""The reference policy, which uses only the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, islice, permutations

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.mastermind.game import Feedback, Rules

_WANTED = 100
_PER_RESTART = 10
_FEWEST_NODES = 1_000
_MOST_RESTARTS = 16


def consistent_codes(
    rules: Rules, history: tuple[tuple[str, Feedback], ...]
) -> list[str]:
    """Find some codes that are consistent with all answers.

    Each restart tries the symbols in a different fixed order, so that the codes found
    are spread over all consistent codes. A search has a limit of nodes, so that a bad
    order ends early; the limit grows until a code is found.

    Args:
        rules: The form of a code.
        history: The guesses so far and their answers.

    Returns:
        At least one code; no duplicates; in a deterministic order.
    """
    found: dict[str, None] = {}
    nodes = _FEWEST_NODES
    for restart in count():
        search = _Search(rules, history, seed=restart, nodes=nodes)
        found.update(dict.fromkeys(islice(search.codes(), _PER_RESTART)))
        if found and (len(found) >= _WANTED or restart >= _MOST_RESTARTS):
            break
        if restart % _MOST_RESTARTS == _MOST_RESTARTS - 1:
            nodes *= 4
    return list(found)


@dataclass
class _Clue:
    """An answered guess, and the counts that the rest of the code must still add."""

    guess: str
    exact: int
    common: int
    supply: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for symbol in self.guess:
            self.supply[symbol] = self.supply.get(symbol, 0) + 1

    def place(self, position: int, symbol: str, sign: int) -> None:
        """Put a symbol at a position (sign 1), or remove it again (-1)."""
        if self.guess[position] == symbol:
            self.exact -= sign
        if symbol in self.supply:
            left = self.supply[symbol]
            if sign > 0:
                self.common -= left > 0
                self.supply[symbol] = left - 1
            else:
                self.common += left >= 0
                self.supply[symbol] = left + 1

    def can_hold(self, remaining: int) -> bool:
        """Return whether the remaining positions can still satisfy this clue."""
        return 0 <= self.exact <= remaining and 0 <= self.common <= remaining


class _Search:
    def __init__(
        self,
        rules: Rules,
        history: tuple[tuple[str, Feedback], ...],
        seed: int,
        nodes: int,
    ) -> None:
        rng = np.random.default_rng(seed)
        symbols = np.array(list(rules.symbols))
        self._orders = [
            [str(symbol) for symbol in rng.permutation(symbols)]
            for _ in range(rules.code_length)
        ]
        self._rules = rules
        self._clues = [_Clue(g, f.exact, f.exact + f.misplaced) for g, f in history]
        self._nodes = nodes
        self._prefix: list[str] = []

    def codes(self) -> Iterator[str]:
        """Yield consistent codes until none is left or the nodes are used up."""
        position = len(self._prefix)
        if position == self._rules.code_length:
            yield "".join(self._prefix)
            return
        remaining = self._rules.code_length - position - 1
        for symbol in self._orders[position]:
            if not self._rules.repeats and symbol in self._prefix:
                continue
            self._nodes -= 1
            if self._nodes < 0:
                return
            self._place(position, symbol, 1)
            if all(clue.can_hold(remaining) for clue in self._clues):
                self._prefix.append(symbol)
                yield from self.codes()
                self._prefix.pop()
            self._place(position, symbol, -1)

    def _place(self, position: int, symbol: str, sign: int) -> None:
        for clue in self._clues:
            clue.place(position, symbol, sign)


Codes = NDArray[np.uint16]

_MOST_ENUMERATED = 50_000
_MOST_COUNTED = 1_000_000
_MOST_PAIRS = 500_000
_SAMPLE = 2_000


def count_codes(rules: Rules, history: Mapping[str, Feedback]) -> int | None:
    """Count the codes that are consistent with all answers.

    Args:
        rules: The form of a code.
        history: The guesses so far and their answers; a guess may be shorter than a
            code, and is compared with its first symbols.

    Returns:
        The number; None if there are more than 1,000,000 codes in all.
    """
    if rules.code_count > _MOST_COUNTED:
        return None
    return len(_agreeing(rules, _all_codes(rules), tuple(history.items())))


def best_guess(rules: Rules, history: Mapping[str, Feedback]) -> str:
    """Choose the guess after which the fewest codes remain on average.

    As in Knuth (1976), guesses are compared by how their answers partition the
    consistent codes. Knuth minimizes the largest part; the expected size, used here,
    needs fewer guesses on average. If there are too many codes to enumerate, a sample
    of the consistent codes is used.

    Args:
        rules: The form of a code.
        history: The guesses so far and their answers; no other information is used.
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
    best = int(np.argmin(_expected_sizes(rules, pool, candidates)))
    return _decode(rules, pool[best])


@lru_cache(maxsize=8)
def _all_codes(rules: Rules) -> Codes:
    size = len(rules.symbols)
    length = rules.code_length
    if rules.repeats:
        # Without a list of tuples, which takes a second for a million codes.
        grid = np.indices((size,) * length, np.uint16)
        return np.ascontiguousarray(grid.reshape(length, -1).T)
    return np.array(list(permutations(range(size), length)), dtype=np.uint16)


def _spread(codes: Codes, candidates: int) -> Codes:
    """Return an evenly spaced part of the codes, to bound the number of pairs."""
    step = max(1, len(codes) * candidates // _MOST_PAIRS + 1)
    return codes[::step]


def _agreeing(
    rules: Rules, codes: Codes, history: tuple[tuple[str, Feedback], ...]
) -> Codes:
    for guess, feedback in history:
        answers = _answers(rules, _encode(rules, guess)[None], codes)[0]
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
        dtype=np.uint16,
    )


def _expected_sizes(rules: Rules, pool: Codes, codes: Codes) -> NDArray[np.float64]:
    """Return the expected number of codes left after each guess.

    For a guess that may be the code, this is one less, so that it wins ties.
    """
    answers = _answers(rules, pool, codes)
    won = _pack(rules, Feedback(rules.code_length, 0))
    rows = np.arange(len(pool))[:, None] * (won + 1)
    parts = np.bincount((rows + answers).ravel(), minlength=len(pool) * (won + 1))
    parts = parts.reshape(len(pool), won + 1)
    sizes: NDArray[np.float64] = ((parts**2).sum(axis=1) - parts[:, won]) / len(codes)
    return sizes


def _answers(rules: Rules, guesses: Codes, codes: Codes) -> NDArray[np.int64]:
    """Return the packed answer to each guess (rows) for each code (columns)."""
    shape = len(guesses), len(codes)
    exact, common = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for position in range(guesses.shape[1]):
        exact += guesses[:, None, position] == codes[None, :, position]
    for symbol in np.unique(guesses):
        in_guess = (guesses == symbol).sum(axis=1)[:, None]
        common += np.minimum(in_guess, (codes == symbol).sum(axis=1)[None])
    return exact * (rules.code_length + 1) + common - exact


def _pack(rules: Rules, feedback: Feedback) -> int:
    return feedback.exact * (rules.code_length + 1) + feedback.misplaced


def _encode(rules: Rules, code: str) -> Codes:
    return np.array([rules.symbols.index(symbol) for symbol in code], dtype=np.uint16)


def _decode(rules: Rules, code: Codes) -> str:
    return "".join(rules.symbols[index] for index in code)
