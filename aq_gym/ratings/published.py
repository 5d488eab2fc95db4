"""Reader of the ratings that the authors of AgentEval have published.

Their repository has no licence, so nothing of it is part of this package: clone it and
give the paths. The criteria are a JSON object of names, each with ``description`` and
``accepted_values`` from worst to best; a file for each repetition has an object of
episodes; another has pairs of ratings, of an episode and of its disturbed copy. An
episode is a JSON text, with ``actual_success`` and ``estimated_performance``. Where a
model rated all criteria in one answer, this text is the answer, as JSON or as a dict of
Python. For ALFWorld an episode is just the object of its ratings, or a pair of such
objects.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from aq_gym.ratings.criteria import Criterion, criteria_of
from aq_gym.ratings.verifier import Ratings
from aq_gym.support.json_files import read_json, read_object

_DISTURBED = "disturbed"
_LONGEST_ANSWER = 20_000


def published_criteria(path: Path, unordered: Collection[str] = ()) -> list[Criterion]:
    """Read a file of criteria in the authors' form.

    Args:
        path: The file.
        unordered: The names of nominal criteria, which the file does not mark.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it has another format.
    """
    records = []
    for name, given in read_object(path).items():
        if not isinstance(given, Mapping):
            raise ValueError(f"{path}: {name!r:.80} must be an object")
        order = "unordered" if name in unordered else "worst_to_best"
        about = given.get("description")
        values = given.get("accepted_values")
        records.append({"name": name, "description": about, order: values})
    try:
        return criteria_of(records)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def published_ratings(
    criteria: Sequence[Criterion],
    repeats: Sequence[Path],
    disturbed: Path | None = None,
) -> dict[str, Ratings]:
    """Read ratings in the authors' form.

    Args:
        criteria: The criteria.
        repeats: The file of each repetition.
        disturbed: The file of pairs; it may have episodes that the others lack.

    Returns:
        The ratings of each criterion. A rating counts as missing if it is not an
        accepted value (quotation marks around it are ignored), or if its answer cannot
        be read.

    Raises:
        OSError: If a file cannot be read.
        ValueError: If a file is of another form.
    """
    found = {one.name: Ratings({}) for one in criteria}
    for path in repeats:
        for name, (success, rated) in _episodes(path, found).items():
            for one in criteria:
                own = found[one.name]
                value = _index(one, rated.get(one.name))
                own.repeats.setdefault(name, []).append(value)
                if success is not None:
                    own.truth.setdefault("success", {})[name] = success
    for name, (_, rated) in _episodes(disturbed, found).items() if disturbed else ():
        for one in criteria:
            pair = rated.get(one.name)
            values = [_index(one, v) for v in pair] if isinstance(pair, list) else []
            match values:
                case [int(before), int(after)]:
                    pairs = found[one.name].disturbed.setdefault(_DISTURBED, {})
                    pairs[name] = before, after
    return found


def _episodes(
    path: Path, names: Collection[str]
) -> dict[str, tuple[float | None, Mapping[str, Any]]]:
    """Return the success, if it is known, and the ratings of each episode of a file."""
    episodes: dict[str, tuple[float | None, Mapping[str, Any]]] = {}
    for name, given in read_object(path).items():
        record = read_json(given) if isinstance(given, str) else given
        match record:
            case {"estimated_performance": str(text)}:
                rated: Any = _answer(text)
            case {"estimated_performance": rated}:
                pass
            case [{**before}, {**after}]:
                rated = {one: [before.get(one), after.get(one)] for one in names}
            case {**rated} if rated.keys() & set(names):
                pass
            case _:
                rated = None
        if not isinstance(rated, Mapping):
            raise ValueError(f"{path}: {name!r:.80} has no 'estimated_performance'")
        success = None
        if isinstance(record, dict) and "actual_success" in record:
            success = float(str(record["actual_success"]).lower() == "true")
        episodes[name] = success, rated
    return episodes


def _answer(text: str) -> Mapping[str, Any]:
    """Return the ratings of an answer of a model, none if it cannot be read."""
    for parse in (read_json, ast.literal_eval):
        try:
            rated = parse(text[:_LONGEST_ANSWER])
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(rated, dict):
            return rated
    return {}


def _index(criterion: Criterion, value: object) -> int | None:
    # An answer in Python can have values that JSON cannot write.
    plain = json.dumps(value) if isinstance(value, int | float) else ""
    if isinstance(value, str):
        plain = value.strip("'\"")
    return criterion.values.index(plain) if plain in criterion.values else None
