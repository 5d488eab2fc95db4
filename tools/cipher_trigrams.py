"""Write the frequencies of English trigrams for Cipher's expert.

The words are SCOWL's (Debian's package ``scowl``) up to level 35, and the commonest
words of English have half of the weight. Words are taken as independent of each other.

Run it: python tools/cipher_trigrams.py /usr/share/dict/scowl
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

DATA = Path(__file__).parents[1] / "aq_gym" / "envs" / "cipher" / "data"
ALPHABET = "abcdefghijklmnopqrstuvwxyz "
# The total weight of the words of a level.
LEVELS = {10: 0.3, 20: 0.1, 35: 0.1}
COMMON_WEIGHT = 0.5
# The commonest words, commonest first: each weighs as its rank's inverse (Zipf's law).
COMMON = """
the of and to a in that it is was i for on you he be with as by at have are this
not but had his they from she which or we an there her were one do been all
their has would will what if can when so no said who more about up them some
could him into its then two out time like only my did other me your now over
just may these new also people any know very see first well after should than
where back how get most way down our made got much think between go years many
being those before right because through yeah good three make us such still year
must last even take own too off here come both does say oh used going
""".split()  # noqa: SIM905  # one name a line would be a hundred lines
FLOOR = 1e-7
STEP = 0.2


def words(folder: Path) -> dict[str, float]:
    """Return the relative frequency of each word."""
    total = sum(1 / rank for rank in range(1, len(COMMON) + 1))
    shares: defaultdict[str, float] = defaultdict(float)
    for rank, word in enumerate(COMMON, 1):
        shares[word] += COMMON_WEIGHT / rank / total
    for level, weight in LEVELS.items():
        lines = (folder / f"english-words.{level}").read_text("latin-1").split()
        plain = [w for w in lines if w.isascii() and w.isalpha() and w.islower()]
        for word in plain:
            shares[word] += weight / len(plain)
    return shares


def trigrams(shares: dict[str, float]) -> Iterator[tuple[str, float]]:
    """Yield the trigrams of random text, with their expected number."""
    firsts: defaultdict[str, float] = defaultdict(float)
    lasts: defaultdict[str, float] = defaultdict(float)
    for word, share in shares.items():
        padded = f" {word} "
        for i in range(len(word)):
            yield padded[i : i + 3], share
        firsts[word[0]] += share
        lasts[word[-1]] += share
    for (last, one), (first, other) in product(lasts.items(), firsts.items()):
        yield f"{last} {first}", one * other


def main() -> None:
    """Write the table: one printable character per trigram, in alphabetical order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="SCOWL's final lists")
    expected: defaultdict[str, float] = defaultdict(float)
    for trigram, number in trigrams(words(parser.parse_args().folder)):
        expected[trigram] += number
    total = sum(expected.values())
    costs = (
        round(-math.log(expected[a + b + c] / total + FLOOR) / STEP)
        for a, b, c in product(ALPHABET, repeat=3)
    )
    table = "".join(chr(33 + cost) for cost in costs)
    lines = [table[i : i + 81] for i in range(0, len(table), 81)]
    (DATA / "trigrams.txt").write_text("\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
