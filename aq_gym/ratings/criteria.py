"""Criteria by which episodes are rated, and their file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from aq_gym.support.json_files import read_object, read_text, write_json

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


MOST_CRITERIA = 200


MOST_VALUES = 20


_LONGEST = {"name": 80, "description": 2_000, "value": 200}


# The key that holds the values also states their order.
_ORDERS = ("worst_to_best", "best_to_worst", "unordered")


_KEYS = {"name", "description", *_ORDERS}


@dataclass(frozen=True)
class Criterion:
    """A criterion by which an episode is rated.

    Attributes:
        name: Its name, different from that of every other criterion.
        description: What it measures.
        values: The accepted values; those of an ordinal criterion from worst to best.
        ordinal: Whether the values are ordered. Values without an order are counted,
            never averaged.
    """

    name: str
    description: str
    values: tuple[str, ...]
    ordinal: bool = True

    def to_record(self) -> dict[str, Any]:
        """Return the criterion in the form of the file."""
        record = {"name": self.name, "description": self.description}
        order = "worst_to_best" if self.ordinal else "unordered"
        return {**record, order: list(self.values)}


def load_criteria(path: Path) -> list[Criterion]:
    """Read a file of criteria, which a person can write.

    It is ``{"criteria": [...]}``; each has a ``name``, a ``description`` and its
    accepted values as ``worst_to_best``, ``best_to_worst`` or ``unordered``.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is not of this form; the message names the criterion.
    """
    records = read_object(path).get("criteria")
    try:
        return criteria_of(records)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def save_criteria(path: Path, criteria: Sequence[Criterion]) -> None:
    """Write a file of criteria.

    Args:
        path: The file; replaced if it exists.
        criteria: The criteria.
    """
    write_json(path, {"criteria": [one.to_record() for one in criteria]})


def criteria_of(records: object) -> list[Criterion]:
    """Return the criteria of a JSON value.

    Args:
        records: A list of objects, as :func:`load_criteria` describes them.

    Raises:
        ValueError: If it is not such a list, or two criteria have one name.
    """
    if not isinstance(records, list) or not 0 < len(records) <= MOST_CRITERIA:
        raise ValueError(f"criteria must be a list of 1 to {MOST_CRITERIA} objects")
    criteria = [_criterion(number, one) for number, one in enumerate(records, 1)]
    names = Counter(one.name.casefold() for one in criteria)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise ValueError(f"criterion {twice[0]!r} is given twice; rename one")
    return criteria


def _criterion(number: int, record: object) -> Criterion:
    if not isinstance(record, Mapping):
        raise ValueError(f"criterion {number} must be an object, not {record!r:.80}")
    where = f"criterion {record.get('name', number)!r:.90}"
    if unknown := sorted(map(str, record.keys() - _KEYS)):
        raise ValueError(f"{where} must not have {unknown[0]!r:.80}")
    name = _text(where, "name", record.get("name"))
    description = _text(where, "description", record.get("description"))
    orders = [order for order in _ORDERS if order in record]
    if len(orders) != 1:
        raise ValueError(f"{where} must have one of {', '.join(_ORDERS)}")
    given = record[orders[0]]
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_VALUES:
        raise ValueError(f"{where}: {orders[0]} must list 2 to {MOST_VALUES} values")
    # Numbers are accepted, because people and models write them so.
    plain = [
        str(one) if type(one) is int or (type(one) is float and isfinite(one)) else one
        for one in given
    ]
    values = tuple(_text(where, "value", value) for value in plain)
    if len(set(values)) < len(values):
        raise ValueError(f"{where}: {orders[0]} has a value twice")
    if orders[0] == "best_to_worst":
        values = values[::-1]
    return Criterion(name, description, values, orders[0] != "unordered")


def _text(where: str, what: str, value: object) -> str:
    """Return a text on one line, so that it cannot imitate other parts of a request."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not 0 < len(text) <= _LONGEST[what]:
        raise ValueError(
            f"{where}: {what}={value!r:.80} must be a text of 1 to {_LONGEST[what]} "
            "characters"
        )
    return text
