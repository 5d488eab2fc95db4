"""How similar are unrelated texts?

Progress in Cipher is 0 up to the similarity that 99% of such pairs stay below. English
of other origin comes from text files that are named as arguments.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Indel

from aq_gym.envs.cipher.logic.alphabet import letters
from aq_gym.envs.cipher.logic.ciphers import CIPHERS
from aq_gym.envs.cipher.logic.grammar import grammar
from aq_gym.envs.cipher.logic.instance import draw_instance
from aq_gym.envs.cipher.logic.statistics import UNRELATED, similarity

WORDS = 45


def main() -> None:
    """Print the mean, 99th percentile and maximum for several kinds of pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="English texts")
    parser.add_argument("--pairs", type=int, default=5_000)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    texts = list(drawn(rng, options.pairs + 1))
    show("two texts", [near(a, b) for a, b in pairwise(texts)])
    show(
        "two texts, AgentQuest's measure",
        [Indel.normalized_similarity(a, b) for a, b in pairwise(texts)],
    )
    other = [part for file in options.files for part in parts(file)]
    if other:
        show("other English", [near(a, b) for a, b in zip(other, texts, strict=False)])
    for cipher in CIPHERS:
        for band in ("easy", "hard"):
            instances = [draw_instance((cipher,), band, 3, rng) for _ in range(300)]
            pairs = [(i.key.encipher(i.plaintext), i.plaintext) for i in instances]
            show(f"{cipher}, {band}: its ciphertext", [near(*pair) for pair in pairs])


def near(one: str, other: str) -> float:
    """Return the similarity of two texts."""
    return similarity(letters(one), letters(other))


def drawn(rng: np.random.Generator, count: int) -> Iterator[str]:
    """Draw texts of three sentences."""
    for _ in range(count):
        yield grammar().text(tuple(grammar().draw(rng) for _ in range(3)))


def parts(file: Path) -> Iterator[str]:
    """Cut a file into texts of about the same length."""
    words = file.read_text("utf-8", "replace").split()
    for start in range(0, len(words) - WORDS, WORDS):
        yield " ".join(words[start : start + WORDS])


def show(name: str, values: list[float]) -> None:
    """Print a line."""
    mean, high, most = np.mean(values), np.quantile(values, 0.99), max(values)
    below = np.mean(np.array(values) <= UNRELATED)
    print(
        f"{name}: {len(values)} pairs, mean {mean:.3f}, 99% below {high:.3f}, most "
        f"{most:.3f}; {below:.1%} at most {UNRELATED}"
    )


if __name__ == "__main__":
    main()
