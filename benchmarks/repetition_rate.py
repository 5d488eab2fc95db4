"""Measure RepetitionRate in episodes of long actions that are all different.

That is the worst case: an equal action is only looked up. The actions have 200
characters: random letters, or words drawn from a list of 2,000. Each threshold is one
episode, in processor time; the last row compares with the latest 500 actions only
(``window``).
"""

from __future__ import annotations

import argparse
from random import Random
from string import ascii_lowercase

from timing import seconds

from aq_gym.wrappers import ActionHistory

LENGTH = 200
THRESHOLDS = (0.5, 0.7, 0.8, 0.9)
WINDOW = 500


def letters(count: int) -> list[str]:
    """Draw texts of random letters."""
    rng = Random(0)
    alphabet = f"{ascii_lowercase} "
    return ["".join(rng.choices(alphabet, k=LENGTH)) for _ in range(count)]


def words(count: int) -> list[str]:
    """Draw texts of random words."""
    rng = Random(0)
    known = [
        "".join(rng.choices("aaeeeiioutnsrhldcmpg", k=rng.randint(2, 9)))
        for _ in range(2_000)
    ]
    return [" ".join(rng.choices(known, k=LENGTH))[:LENGTH] for _ in range(count)]


def row(actions: str, texts: list[str], threshold: float, window: int | None) -> str:
    """Play an episode and return its row of the table."""
    history = ActionHistory(threshold, window=window)
    took = seconds(history.add, [(text,) for text in texts])
    return f"| {actions} | {threshold} | {window or ''} | {took:.2f} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2_000)
    steps = parser.parse_args().steps
    print(f"{steps:,} actions of {LENGTH} characters\n")
    print("| actions | threshold | window | seconds |")
    print("|---|---|---|---|")
    for draw in (letters, words):
        texts = draw(steps)
        for threshold in THRESHOLDS:
            print(row(draw.__name__, texts, threshold, None), flush=True)
    print(row(words.__name__, texts, THRESHOLDS[0], WINDOW))


if __name__ == "__main__":
    main()
