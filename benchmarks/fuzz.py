"""Does any of very many texts break an environment?

hypothesis writes the texts, arbitrary ones and damaged actions. Each is said in the
same state, has to be answered and, where it is invalid, to leave the state as it was.
The first text that breaks a promise ends the run, cut down to what breaks it.
"""

from __future__ import annotations

import argparse
from time import perf_counter

from aq_gym.registration import TABLE
from aq_gym.testing import Case, check_any_text


def main() -> None:
    """Try every environment, and print how long it took."""
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
    arguments = parser.parse_args()
    for id in arguments.ids:
        missing = known[id].missing() if id in known else ""
        if missing:
            print(f"{id}: skipped, needs {missing}")
            continue
        start = perf_counter()
        check_any_text(Case(id), examples=arguments.texts)
        took = perf_counter() - start
        print(f"{id}: {arguments.texts:,} texts answered in {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
