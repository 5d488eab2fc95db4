"""Mutation testing: do the tests that are meant for a file notice changes of it?

Run it with ``python tools/mutate.py``; an interrupted run is continued. It works in a
copy of the checkout, one mutant at a time, and appends a line of JSON for each to the
file ``--out``. ``tools/mutation_tests.json`` names the files, by room, and the tests
that are meant for them; ``tools/mutation_equivalents.json`` the mutants that change
nothing that a test could see, with the reason.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mutation_runner import TestRunner
from mutations import Mutation, mutations_of

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "tools"


class Mutant(NamedTuple):
    """A mutation of a file.

    Attributes:
        room: The room of the file, as ``mutation_tests.json`` names it.
        path: The file, relative to the checkout.
        mutation: The change.
        tests: The arguments of pytest that run the tests meant for the file.
        before: The line of the change, as it is.
        after: The line of the change, with it.
        number: How many mutants of the file before this one have the same lines.
    """

    room: str
    path: str
    mutation: Mutation
    tests: tuple[str, ...]
    before: str
    after: str
    number: int

    def to_record(self) -> dict[str, Any]:
        """Return the mutant as a JSON object, which identifies it."""
        place = {"room": self.room, "path": self.path, "line": self.mutation.line}
        lines = {"before": self.before, "after": self.after, "number": self.number}
        return {**place, **lines}


def main() -> int:
    """Run the sampled mutants that have no result yet, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=20, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the sample")
    parser.add_argument(
        "--room", action="append", help="only this room; can be repeated"
    )
    parser.add_argument("--path", help="only files whose path has this in it")
    parser.add_argument("--line", help="only mutants whose line has this in it")
    parser.add_argument("--factor", type=float, default=3.0, help="time limit, in runs")
    parser.add_argument("--out", type=Path, default=ROOT / "mutants.jsonl")
    options = parser.parse_args()
    chosen = sample(options)
    results = read_results(options.out)
    missing = [one for one in chosen if key(one.to_record()) not in results]
    if missing:
        play(missing, options)
    results = read_results(options.out)
    report([results[key(one.to_record())] for one in chosen])
    return 0


def sample(options: argparse.Namespace) -> list[Mutant]:
    """Return the same mutants of a room as long as its files do not change."""
    chosen = []
    for room, files in json.loads((TOOLS / "mutation_tests.json").read_text()).items():
        if options.room and room not in options.room:
            continue
        found = [
            mutant
            for mutant in mutants_of(room, files)
            if (options.path or "") in mutant.path
            and (options.line or "") in mutant.before
        ]
        found.sort(key=lambda mutant: rank(mutant, options.seed))
        chosen += found[: options.each]
    return chosen


def mutants_of(room: str, files: dict[str, list[str]]) -> Iterator[Mutant]:
    """Yield the mutants of a room; the first pattern that a file matches counts."""
    seen: set[Path] = set()
    for pattern, tests in files.items():
        for path in sorted(ROOT.glob(pattern)):
            if path in seen or path.name == "__init__.py":
                continue
            seen.add(path)
            name = path.relative_to(ROOT).as_posix()
            source, found = path.read_text("utf-8"), Counter[tuple[str, str]]()
            for mutation in mutations_of(source):
                lines = mutation.lines(source)
                number, found[lines] = found[lines], found[lines] + 1
                yield Mutant(room, name, mutation, tuple(tests), *lines, number)


def rank(mutant: Mutant, seed: int) -> str:
    """Return a random rank that other changes of the file leave as it is."""
    names = (mutant.path, mutant.before, mutant.after, mutant.number)
    text = json.dumps([seed, *names])
    return hashlib.sha256(text.encode()).hexdigest()


def key(record: dict[str, Any]) -> tuple[str, ...]:
    """Return what identifies a mutant, whatever else changes in its file."""
    return tuple(str(record[name]) for name in ("path", "before", "after", "number"))


def read_results(path: Path) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the results of earlier runs."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {key(record): record for record in map(json.loads, lines)}


def play(mutants: list[Mutant], options: argparse.Namespace) -> None:
    """Try mutants, those with the same tests together, and append their results."""
    mutants = sorted(mutants, key=lambda mutant: (mutant.tests, mutant.path))
    with tempfile.TemporaryDirectory() as folder, options.out.open("a") as out:
        copy = Path(folder) / "copy"
        copy_checkout(copy)
        runner = TestRunner(copy, options.factor)
        for number, mutant in enumerate(mutants, 1):
            file = copy / mutant.path
            original = file.read_text("utf-8")
            runner.measure(mutant.tests)
            file.write_text(mutant.mutation.apply(original), "utf-8")
            try:
                outcome = runner.run(mutant.tests)
            finally:
                file.write_text(original, "utf-8")
            record = {**mutant.to_record(), **outcome._asdict()}
            out.write(json.dumps(record) + "\n")
            out.flush()
            print(
                f"{number}/{len(mutants)} {outcome.result} {outcome.seconds:.1f} s "
                f"{mutant.path}:{mutant.mutation.line}: {record['after']}",
                flush=True,
            )


def copy_checkout(target: Path) -> None:
    """Copy the files that git knows, and those that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, place = ROOT / name, target / name
        if source.is_symlink() or source.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place, follow_symlinks=False)


def report(results: list[dict[str, Any]]) -> None:
    """Print the figures by room, and the mutants that no test noticed."""
    known = json.loads((TOOLS / "mutation_equivalents.json").read_text())
    reasons = {tuple(one[n] for n in _NAMES): one["why"] for one in known}
    total: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    for one in results:
        total[one["room"]] += 1
        noticed[one["room"]] += one["result"] != "alive"
    for one in results:
        if one["result"] == "alive":
            why = reasons.get(tuple(one[name] for name in _NAMES), "NOT EXPLAINED")
            print(f"{one['path']}:{one['line']}: {one['before']}")
            print(f"    {one['after']}\n    {why}")
    for room, count in total.items():
        print(f"{room:12} {noticed[room]:4} of {count:4}")
    share = 100 * noticed.total() / max(total.total(), 1)
    print(f"{'all':12} {noticed.total():4} of {total.total():4} noticed: {share:.1f}%")


_NAMES = ("path", "before", "after")

if __name__ == "__main__":
    sys.exit(main())
