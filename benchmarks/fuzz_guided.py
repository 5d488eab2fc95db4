"""Does a text that a coverage-guided search finds break an environment?

atheris changes texts so that they reach more of the environment's code; what is checked
of each is what ``fuzz.py`` checks. Ends with an error at the first text that breaks an
environment. One id at a time, as the search ends its process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import islice
from pathlib import Path

import atheris
import gymnasium as gym

with atheris.instrument_imports(include=["aq_gym"], enable_loader_override=False):
    import aq_gym  # noqa: F401  registers the ids
    from aq_gym.testing.case import generator, inner, into_episode
    from aq_gym.testing.fuzz import check_text

    _PARSER = argparse.ArgumentParser(description=__doc__)
    _PARSER.add_argument("id", help="of the environment")
    _PARSER.add_argument("--texts", type=int, default=10_000, help="%(default)s")
    _PARSER.add_argument("--seed", type=int, default=1, help="for other texts")
    ARGUMENTS = _PARSER.parse_args()
    WORLD = inner(gym.make(ARGUMENTS.id))

from fuzz import samples
from hostile_texts import hostile_texts

LONGEST = 4_096
STEP_SECONDS = 5


def main() -> None:
    """Search, beginning with hostile texts."""
    into_episode(WORLD, ARGUMENTS.seed, 2)
    state, rng = WORLD.get_state(), generator(ARGUMENTS.seed)
    with tempfile.TemporaryDirectory() as corpus:
        known = samples(WORLD, rng)
        texts = [*known, *islice(hostile_texts(rng, known), 200)]
        for number, text in enumerate(texts):
            content = text.encode(errors="surrogatepass")
            Path(corpus, str(number)).write_bytes(content[:LONGEST])

        def check(content: bytes) -> None:
            check_text(WORLD, state, content.decode(errors="surrogateescape"))

        options = {
            "runs": ARGUMENTS.texts,
            "seed": ARGUMENTS.seed,
            "max_len": LONGEST,
            "timeout": STEP_SECONDS,
            "verbosity": 0,
            "print_final_stats": 1,
        }
        flags = [f"-{name}={value}" for name, value in options.items()]
        atheris.Setup([sys.argv[0], *flags, corpus], check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
