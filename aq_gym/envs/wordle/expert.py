"""The reference policy, which uses only the marks and the packaged words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.wordle.game import GREEN, GREY, YELLOW, Clue, Hints, lexicon

Words: TypeAlias = NDArray[np.uint8]

_DIGITS = {GREY: 0, YELLOW: 1, GREEN: 2}

# The best first guess of each length; best_of takes about a second to find it.
OPENINGS = {4: "sale", 5: "tares", 6: "caries", 7: "saltier", 8: "articles"}
# The pairs of guess and answer that are compared at once, about 10 MB.
_MOST_PAIRS = 1_000_000


def best_guess(
    length: int,
    clues: Sequence[Clue],
    hard_mode: bool,
    separate: bool = False,
    more: tuple[str, ...] = (),
) -> str:
    """Choose the guess after which the fewest answers remain on average.

    The marks of a guess divide the answers that agree with all clues into parts. The
    packaged guess with the smallest expected size of the remaining part is chosen; in a
    tie, a word that can be the answer is preferred. With two answers or fewer left, the
    first is guessed.

    Args:
        length: Number of letters.
        clues: The guesses so far with their marks; no other information is used.
        hard_mode: Whether guesses have to use every hint.
        separate: Whether each letter is marked separately.
        more: Words that can be the answer besides the packaged ones.

    Returns:
        The guess; "" if no packaged word agrees.
    """
    if not clues:
        return OPENINGS[length]
    return _best_guess(length, tuple(clues), hard_mode, separate, more)


def agreeing(
    length: int, clues: Sequence[Clue], separate: bool, more: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the words that can be the answer and agree with all clues.

    Args:
        length: Number of letters.
        clues: The guesses so far with their marks.
        separate: Whether each letter is marked separately.
        more: Words that can be the answer besides the packaged ones.
    """
    answers = lexicon(length, more).answers
    return tuple(answers[row] for row in _agreeing(answers, clues, separate))


def best_of(guesses: Sequence[str], answers: Sequence[str]) -> str:
    """Choose the guess whose marks divide the answers best.

    Args:
        guesses: The words that can be guessed.
        answers: The words that can be the answer, at least one, of the same length.
    """
    return guesses[_best_of(_encoded(tuple(guesses)), _encoded(tuple(answers)))]


@lru_cache(maxsize=4096)
def _best_guess(
    length: int,
    clues: tuple[Clue, ...],
    hard_mode: bool,
    separate: bool,
    more: tuple[str, ...],
) -> str:
    words = lexicon(length, more)
    candidates = _agreeing(words.answers, clues, separate)
    if not len(candidates):
        # The hidden word is not packaged: guess any other word that agrees, if there is
        # one.
        others = _agreeing(words.guesses, clues, separate)
        return words.guesses[int(others[0])] if len(others) else ""
    if len(candidates) <= 2:
        return words.answers[int(candidates[0])]
    rows = np.arange(len(words.guesses))
    if hard_mode:
        hints = Hints(clues)
        allowed = [hints.unused(guess) is None for guess in words.guesses]
        rows = rows[allowed]
    answers = _encoded(words.answers)[candidates]
    best = rows[_best_of(_encoded(words.guesses)[rows], answers, separate)]
    return words.guesses[int(best)]


def _agreeing(
    answers: tuple[str, ...], clues: Sequence[Clue], separate: bool
) -> NDArray[np.intp]:
    """Return the indices of the answers that agree with all clues."""
    encoded = _encoded(answers)
    rows = np.arange(len(answers))
    for clue in clues:
        codes = _codes(_encoded((clue.guess,)), encoded[rows], separate)[0]
        rows = rows[codes == _code(clue.marks)]
    return rows


def _best_of(guesses: Words, answers: Words, separate: bool = False) -> int:
    step = max(1, _MOST_PAIRS // len(answers))
    sizes = np.concatenate(
        [
            _sums_of_squares(_codes(guesses[start : start + step], answers, separate))
            for start in range(0, len(guesses), step)
        ]
    )
    impossible = np.isin(_whole(guesses), _whole(answers), invert=True)
    return int(np.lexsort((impossible, sizes))[0])


def _codes(guesses: Words, answers: Words, separate: bool) -> NDArray[np.uint16]:
    """Return the marks of each guess for each answer, as numbers in base 3.

    A letter that is not green is yellow if the answer has it more often, apart from
    greens, than the guess has it before this position. This equals the rule of the two
    passes. If each letter is marked separately, it is yellow if the answer has it.
    """
    positions = range(guesses.shape[1])
    green = [guesses[:, None, p] == answers[None, :, p] for p in positions]
    codes = np.zeros((len(guesses), len(answers)), np.uint16)
    for p in positions:
        letter = guesses[:, p, None]
        supply = np.zeros(codes.shape, np.int8)
        for q in positions:
            supply += (letter == answers[None, :, q]) & (separate | ~green[q])
        for q in () if separate else range(p):
            rows = np.flatnonzero(guesses[:, q] == guesses[:, p])
            supply[rows] -= ~green[q][rows]
        yellow = (supply > 0) & ~green[p]
        codes += np.uint16(3**p) * yellow + np.uint16(2 * 3**p) * green[p]
    return codes


def _code(marks: str) -> int:
    return sum(_DIGITS[mark] * 3**p for p, mark in enumerate(marks))


def _sums_of_squares(codes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return, for each row, the sum of the squared counts of its distinct numbers."""
    rows, columns = codes.shape
    ordered = np.sort(codes, axis=1)
    begins = np.ones(codes.shape, np.bool_)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(begins)
    runs = np.diff(starts, append=codes.size)
    sums = np.bincount(starts // columns, weights=runs * runs, minlength=rows)
    return sums.astype(np.float64)


@lru_cache(maxsize=16)
def _encoded(words: tuple[str, ...]) -> Words:
    letters = np.frombuffer("".join(words).encode("ascii"), np.uint8)
    return letters.reshape(len(words), -1)


def _whole(words: Words) -> NDArray[np.bytes_]:
    return np.ascontiguousarray(words).view(f"S{words.shape[1]}").ravel()
