"""Turn what a benchmark printed into its section of RESULTS.md.

``quiet_run.py`` calls it for each script. For a single one, name the command::

    python benchmarks/vectors.py | python benchmarks/results.py vectors.py

A table of :mod:`timing` becomes a row for each pair of ours and another's, a line
``target: ...`` a row or the end of one; other tables and lines are kept as they are.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).with_name("RESULTS.md")
# Candidates with these names are what ours are compared with.
OTHERS = (
    *("GEM", "TextArena", "minigrid", "pddlgym", "TextWorld", "jericho"),
    *("loop", "SyncVectorEnv", "template", "rapidfuzz", "no wrapper"),
)
HEADING = ("what", "ours", "other", "ratio", "target", "met")
_TARGET = re.compile(r"target: (.+?) (at (?:most|least) .+): (met|MISSED) \((.+)\)")
_PAIR = re.compile(r"at most (\S+ x) (.+)")
_UNIT = re.compile(r"median (us|ms|s)")
_SAMPLES = re.compile(r" \(median of \d+\)")


@dataclass(frozen=True)
class Row:
    """A measurement.

    Attributes:
        what: The operation and our candidate.
        ours: The time that ours takes.
        other: The other candidate and its time, "" for none.
        ratio: Our time divided by the other's.
        target: The limit, "" for none.
        met: "met", "MISSED" or "".
    """

    what: str
    ours: str
    other: str = ""
    ratio: str = ""
    target: str = ""
    met: str = ""


class Timing(NamedTuple):
    """A row of a printed table of times.

    Attributes:
        median: The median with its unit.
        ratio: The ratio to the table's reference.
    """

    median: str
    ratio: float


def section(command: str, printed: str, when: str = "") -> str:
    """Return the section of a benchmark.

    Args:
        command: The script and its options.
        printed: What it printed.
        when: The day and the machine; by default today and this one.
    """
    rows: list[Row] = []
    kept: list[str] = []
    for part in _parts(printed):
        if isinstance(part, str):
            kept.append(part)
        else:
            rows += part
    shown = [f"{table([HEADING, *map(_cells, rows)])}\n"] if rows else []
    rest = "\n".join(kept).strip()
    shown += [f"{rest}\n"] if rest else []
    return f"## `{command}`\n\n{when or provenance()}\n\n" + "\n".join(shown)


def provenance() -> str:
    """Return the day, the processor and the interpreter."""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {processor()}, {os.cpu_count()} cores, "
        f"{platform.python_implementation()} {platform.python_version()}."
    )


def processor() -> str:
    """Return the name of the processor."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose first row is the heading."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def replaced(page: str, new: str) -> str:
    """Return the page with a section replaced, or added at its end.

    Args:
        page: The page.
        new: The section; its heading says which it replaces.
    """
    heading = new.partition("\n")[0]
    first, *old = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    names = [one.partition("\n")[0] for one in old]
    if heading in names:
        old[names.index(heading)] = new
    else:
        old.append(new)
    return "\n".join(part.strip() + "\n" for part in (first, *old))


def _parts(printed: str) -> Iterator[str | list[Row]]:
    """Yield the rows of each table of times, and the other lines."""
    lines = [line.strip() for line in printed.splitlines()]
    text: list[str] = []  # the title of the next table, or a line of its own
    while lines:
        line = lines.pop(0)
        if _is_timing(line):
            title = _SAMPLES.sub("", " ".join(text).strip())
            text = []
            yield _rows(title, list(_timings(line, lines)), _targets(lines))
        elif found := _TARGET.fullmatch(line):
            yield [_alone(found, "")]
        elif line.startswith("|") or (line and text[-1:] == [""]):
            yield from text
            text = []
            if line.startswith("|"):
                yield line
            else:
                text.append(line)
        else:
            text.append(line)
    yield from text


def _is_timing(line: str) -> bool:
    return bool(_UNIT.search(line)) and line.endswith("ratio |")


def _timings(heading: str, lines: list[str]) -> Iterator[tuple[str, Timing]]:
    """Take the rows of a table from the lines, and yield them by candidate."""
    found = _UNIT.search(heading)
    unit = found[1] if found else ""
    while lines and lines[0].startswith("|"):
        cells = [cell.strip() for cell in lines.pop(0).strip("|").split("|")]
        if not cells[0].startswith("-"):
            yield cells[0], Timing(f"{float(cells[1]):g} {unit}", float(cells[-1]))


def _targets(lines: list[str]) -> list[re.Match[str]]:
    """Take the targets that follow a table from the lines."""
    targets = []
    while lines and (not lines[0] or lines[0].startswith("target: ")):
        if found := _TARGET.fullmatch(lines.pop(0)):
            targets.append(found)
    return targets


def _rows(
    title: str, times: Sequence[tuple[str, Timing]], targets: Sequence[re.Match[str]]
) -> list[Row]:
    """Return a row for each pair, with its target, and one for each other target."""
    rows = _pairs(title, times)
    alone = []
    for target in targets:
        name, limit, met, value = target.groups()
        pair = _PAIR.fullmatch(limit)
        key = (name, pair[2] if pair else "")
        if key not in rows:
            alone.append(_alone(target, title))
        elif pair:
            most = f"at most {pair[1]}"
            rows[key] = replace(rows[key], ratio=value, target=most, met=met)
        else:
            rows[key] = replace(rows[key], target=limit, met=met)
    return [*rows.values(), *alone]


def _pairs(
    title: str, times: Sequence[tuple[str, Timing]]
) -> dict[tuple[str, str], Row]:
    others = [(name, time) for name, time in times if name.startswith(OTHERS)]
    if not others:
        return {(name, ""): Row(f"{title}: {name}", its.median) for name, its in times}
    return {
        (name, other): Row(
            f"{title}: {name}",
            time.median,
            f"{other} {its.median}",
            f"{time.ratio / its.ratio:.2g}" if its.ratio else "",
        )
        for name, time in times
        if not name.startswith(OTHERS)
        for other, its in others
    }


def _alone(target: re.Match[str], title: str) -> Row:
    """Return the row of a target that belongs to no row of the table."""
    name, limit, met, value = target.groups()
    unit = re.search(r" (us|ms|s)$", limit)
    reached = f"{value} {unit[1]}" if unit else value
    return Row(f"{title}: {name}" if title else name, reached, "", "", limit, met)


def _cells(row: Row) -> tuple[str, ...]:
    return row.what, row.ours, row.other, row.ratio, row.target, row.met


def main() -> None:
    """Read what a benchmark printed, and write its section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", help="the script and its options, as on the page")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    new = section(options.command, sys.stdin.read())
    page = replaced(options.page.read_text("utf-8"), new)
    options.page.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
