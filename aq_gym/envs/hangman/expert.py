"""The reference policy, which uses only the shown letters and the wrong guesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import log

from aq_gym.envs.hangman.logic.words import words_of_length

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# How many nats of information a sure miss is worth with one life left; of 1, 2, 4 and
# 8, this found the most words.
_PRICE_OF_A_MISS = 8.0


def best_guess(shown: Sequence[str], wrong: Iterable[str], lives: int) -> str:
    """Choose the most informative guess for its risk.

    A letter is weighed by the information in its answer (the entropy over where it
    stands, among the packaged words that agree with everything so far), less the
    chance that it is wrong times 8 nats divided by the lives left. With two words or
    fewer left, the first of them is said.

    Args:
        shown: The letter at each position, "" where it is hidden.
        wrong: Letters and words that were wrong.
        lives: How many lives are left.

    Returns:
        A letter or a word.
    """
    return _best_guess(tuple(shown), frozenset(wrong), lives)


@lru_cache(maxsize=4096)
def _best_guess(shown: tuple[str, ...], wrong: frozenset[str], lives: int) -> str:
    index = _index(len(shown))
    candidates = index.agreeing(shown, wrong)
    if not candidates:
        # A word that is not packaged: the letters that most words have.
        untried = [one for one in _ALPHABET if one not in wrong and one not in shown]
        return max(untried, key=lambda one: index.having[one].bit_count())
    if candidates.bit_count() <= 2:
        first = candidates & -candidates
        return index.words[first.bit_length() - 1]
    hidden = [position for position, letter in enumerate(shown) if not letter]
    letters = [
        letter
        for letter in _ALPHABET
        if letter not in wrong
        and letter not in shown
        and candidates & index.having[letter]
    ]
    price = _PRICE_OF_A_MISS / max(1, lives)
    return max(
        letters, key=lambda letter: index.worth(candidates, letter, hidden, price)
    )


class _Index:
    """Sets of words as integers, in which bit i stands for word i.

    Args:
        words: All words of one length.

    Attributes:
        words: The same.
        at: For each position and letter, the words that have it there.
        having: For each letter, the words that have it anywhere.
        everything: All words.
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.everything = (1 << len(words)) - 1
        self._number = {word: number for number, word in enumerate(words)}
        columns = [
            "".join([word[position] for word in reversed(words)])
            for position in range(len(words[0]))
        ]
        self.at = [
            {letter: _bits(column, letter) for letter in _ALPHABET}
            for column in columns
        ]
        self.having = dict.fromkeys(_ALPHABET, 0)
        for sets in self.at:
            for letter, bits in sets.items():
                self.having[letter] |= bits

    def agreeing(self, shown: tuple[str, ...], wrong: frozenset[str]) -> int:
        """Return the words that are consistent with what is shown and all guesses.

        A shown letter stands nowhere else, as all its positions are revealed.
        """
        bits = self.everything
        for letter in set(shown) - {""}:
            for position, other in enumerate(shown):
                at = self.at[position][letter]
                bits &= at if other == letter else ~at
        for guess in wrong:
            if len(guess) == 1:
                bits &= ~self.having[guess]
            elif guess in self._number:
                bits &= ~(1 << self._number[guess])
        return bits

    def worth(self, bits: int, letter: str, hidden: list[int], price: float) -> float:
        """Return the expected information of a letter, minus the cost of a miss."""
        count = bits.bit_count()
        missed = (bits & ~self.having[letter]).bit_count()
        unknown = missed * log(missed) if missed else 0.0
        for part in self._parts(bits & self.having[letter], letter, hidden):
            size = part.bit_count()
            unknown += size * log(size)
        return log(count) - (unknown + price * missed) / count

    def _parts(self, bits: int, letter: str, hidden: list[int]) -> Iterator[int]:
        """Yield the words with a letter, grouped by the positions of the letter."""
        parts = [bits]
        for position in hidden:
            at = self.at[position][letter]
            parts = [half for part in parts for half in (part & at, part & ~at) if half]
        yield from parts


def _bits(column: str, letter: str) -> int:
    zeros = dict.fromkeys(map(ord, _ALPHABET), "0")
    return int(column.translate(zeros | {ord(letter): "1"}), 2)


@cache
def _index(length: int) -> _Index:
    return _Index(words_of_length(length))
