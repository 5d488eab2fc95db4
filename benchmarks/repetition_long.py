"""Measure RepetitionRate in an episode of 10,000 long actions, at several thresholds.

The actions have 200 characters and are all different: random letters, or words drawn
from a list of 2,000. Each threshold is one episode, in processor time; the last rows
compare with the latest 1,000 actions only (``window``).
"""

from __future__ import annotations

import argparse
import resource
from random import Random
from string import ascii_lowercase

from timing import seconds

from aq_gym.wrappers import ActionHistory

LENGTH = 200
THRESHOLDS = (0.5, 0.7, 0.8, 0.9)
WINDOW = 1_000


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


def play(texts: list[str], threshold: float, window: int | None) -> str:
    """Play an episode; return its time and the number of repetitions."""
    history = ActionHistory(threshold, window=window)
    took = seconds(history.add, [(text,) for text in texts])
    return f"{took:.1f} | {history.repetitions:,}"


def memory() -> float:
    """Return the most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000)
    steps = parser.parse_args().steps
    print("| actions | threshold | window | seconds | repeated |")
    print("|---|---|---|---|---|")
    before = memory()
    for draw in (letters, words):
        texts = draw(steps)
        for threshold in THRESHOLDS:
            cells = play(texts, threshold, None)
            print(f"| {draw.__name__} | {threshold} | | {cells} |", flush=True)
        cells = play(texts, 0.5, WINDOW)
        print(f"| {draw.__name__} | 0.5 | {WINDOW:,} | {cells} |", flush=True)
    print(f"\nMemory grew by {memory() - before:.0f} MB.")


if __name__ == "__main__":
    main()
