"""How often and how fast does Cipher's expert break a cipher from the ciphertext alone?

"solved" counts the instances that its first solution solves, and "listed" those whose
text is among its solutions at all. ADFGVX is left out: there the expert knows the text.
"""

from __future__ import annotations

import argparse
from statistics import mean
from time import process_time

import numpy as np
from timing import percentile_95

from aq_gym.envs.cipher import expert
from aq_gym.envs.cipher.logic.alphabet import letters
from aq_gym.envs.cipher.logic.ciphers import CIPHERS, CipherName
from aq_gym.envs.cipher.logic.cryptogram import Cryptogram
from aq_gym.envs.cipher.logic.instance import draw_instance
from aq_gym.envs.cipher.logic.keys import Band
from aq_gym.envs.cipher.logic.similarity import similarity

THRESHOLD = 0.9
BANDS: tuple[Band, ...] = ("easy", "hard")


def main() -> None:
    """Print a row for each cipher and band."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=500, help="of each")
    parser.add_argument("--sentences", type=int, default=3, help="of a text")
    options = parser.parse_args()
    print("| cipher | keys | solved | listed | mean ms | p95 ms | most ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for cipher in filter(expert.can_break, CIPHERS):
        for band in BANDS:
            print(row(cipher, band, options.instances, options.sentences), flush=True)


def row(cipher: CipherName, band: Band, instances: int, sentences: int) -> str:
    """Break many instances and return a row of the table."""
    rng = np.random.default_rng(0)
    solved, listed, times = 0, 0, []
    for _ in range(instances):
        game = Cryptogram(draw_instance((cipher,), band, sentences, rng))
        start = process_time()
        found = expert.plaintexts(cipher, band, game.ciphertext)
        times.append(1_000 * (process_time() - start))
        near = [similarity(letters(t), letters(game.plaintext)) for t in found]
        solved += near[0] >= THRESHOLD
        listed += max(near) >= THRESHOLD
    return (
        f"| {cipher} | {band} | {solved / instances:.1%} | {listed / instances:.1%} | "
        f"{mean(times):.2f} | {percentile_95(times):.2f} | {max(times):.1f} |"
    )


if __name__ == "__main__":
    main()
