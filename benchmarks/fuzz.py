"""Does any of many texts break an environment?

Half of the texts are arbitrary, half are actions with damage. Each is said in the same
state, has to be answered and, where it is invalid, to leave the state as it was. The
contract's own check leaves the texts to hypothesis, which finds nastier ones but takes
minutes for 100,000; it runs first, on some hundreds.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from time import process_time

import numpy as np

from aq_gym.registration import TABLE
from aq_gym.testing import Case, check_any_text
from aq_gym.testing.case import inner, into_episode
from aq_gym.testing.fuzz import check_text

LONGEST = 300
MOST_DAMAGE = 4
# ASCII with its control characters, the basic plane with its surrogates, everything.
ALPHABETS = (0x80, 0x10000, 0x110000)


def noise(rng: np.random.Generator, longest: int) -> str:
    """Write an arbitrary text."""
    size = int(rng.integers(longest + 1))
    alphabet = ALPHABETS[int(rng.integers(len(ALPHABETS)))]
    return "".join(map(chr, rng.integers(alphabet, size=size).tolist()))


def damaged(rng: np.random.Generator, action: str) -> str:
    """Replace some part of an action, which may be empty, by noise."""
    start, end = sorted(rng.integers(len(action) + 1, size=2).tolist())
    return action[:start] + noise(rng, MOST_DAMAGE) + action[end:]


def texts(rng: np.random.Generator, samples: list[str]) -> Iterator[str]:
    """Yield texts endlessly."""
    while True:
        yield noise(rng, LONGEST)
        yield damaged(rng, samples[int(rng.integers(len(samples)))])


def fuzz(env_id: str, count: int, seed: int) -> None:
    """Step an environment with many texts in mid-episode."""
    check_any_text(Case(env_id))
    rng = np.random.default_rng(seed)
    world = inner(Case(env_id).make())
    into_episode(world, seed, 2)
    samples = [world.sample_action(rng) for _ in range(20)] + sorted(world.help_actions)
    state = world.get_state()
    for text in islice(texts(rng, samples), count):
        try:
            check_text(world, state, text)
        except Exception as error:
            error.add_note(f"after {text!r}")
            raise


def main() -> None:
    """Fuzz every environment, and print how long it took."""
    known = {row.id: row for row in TABLE}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "ids",
        nargs="*",
        default=[row.id for row in TABLE if not row.family],
        help="which environments; by default all, without variants of another",
    )
    parser.add_argument(
        "--texts",
        type=int,
        default=100_000,
        help="how many texts for each (%(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="for other texts")
    arguments = parser.parse_args()
    for env_id in arguments.ids:
        missing = known[env_id].missing() if env_id in known else ""
        if missing:
            print(f"{env_id}: skipped, needs {missing}")
            continue
        start = process_time()
        fuzz(env_id, arguments.texts, arguments.seed)
        took = process_time() - start
        print(
            f"{env_id}: {arguments.texts:,} texts answered in {took:.0f} s of "
            "processor time",
            flush=True,
        )


if __name__ == "__main__":
    main()
