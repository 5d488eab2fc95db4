"""Ratings by people, from a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from aq_gym.ratings.criteria import Criterion
from aq_gym.support.json_files import read_text

_COLUMNS = ("task", "criterion", "value")


def read_labels(
    path: Path, criteria: Sequence[Criterion], episodes: Collection[str]
) -> Mapping[str, list[tuple[str, int]]]:
    """Read labels: a row with ``task``, ``criterion`` and ``value`` for each.

    Several people can label an episode; further columns are ignored.

    Returns:
        For each criterion the episodes and their labels, as numbers from 0 on.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If a column is missing, or a row names something unknown.
    """
    rows = csv.DictReader(io.StringIO(read_text(path).removeprefix("\ufeff")))
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(f"{path} must have the column {missing[0]!r}")
    known = {one.name: one for one in criteria}
    labels: dict[str, list[tuple[str, int]]] = {one.name: [] for one in criteria}
    for row in rows:
        task, name, value = (row[column] or "" for column in _COLUMNS)
        values = known[name].values if name in known else ()
        for column, given, allowed in (
            ("task", task, episodes),
            ("criterion", name, known),
            ("value", value, values),
        ):
            if given not in allowed:
                some = ", ".join(map(repr, list(allowed)[:8]))
                raise ValueError(
                    f"{path}: line {rows.line_num}: {column}={given!r:.80} is unknown; "
                    f"there are {some}"
                )
        labels[name].append((task, values.index(value)))
    return labels
