"""Read users' files of published scores."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym.core.text import did_you_mean
from aq_gym.evaluation import Suite
from aq_gym.evaluation.metrics import METRICS as KNOWN
from aq_gym.support.escaping import visible
from aq_gym.support.user_files import UserFileError, read_text

# The columns of published scores where a file does not name others.
METRICS = ("progress rate", "success rate", "grounding accuracy")
_MOST_BYTES, _MOST_DIGITS = 1_000_000, 20
_FIELDS = {
    "protocol": str, "name": str, "steps": int, "source": str, "tasks": dict,
    "models": dict,
}  # fmt: skip
_OPTIONAL = {"metrics": list, "suites": dict, "settings": dict, "differs": dict}
Paper = Mapping[str, Any]


def read_published(*paths: str | os.PathLike[str]) -> list[Paper]:
    """Read users' files of published scores, in the form of ``published.json``.

    Raises:
        FileNotFoundError: If a file does not exist.
        UserFileError: If one is too large or not of this form, the message names the
            key; or if they have the scores of a model twice.
    """
    papers = [paper for path in paths for paper in _read(Path(path))]
    given = Counter(
        (paper["protocol"], env, model)
        for paper in papers
        for model, scores in paper["models"].items()
        for env in scores
    )
    for (protocol, env, model), times in given.items():
        if times > 1:
            raise UserFileError(
                f"{', '.join(map(str, paths))}: the scores of {model!r:.80} in {env}, "
                f"protocol {protocol!r:.80}, are given {times} times: keep one"
            )
    return papers


def _read(file: Path) -> list[Paper]:
    text = read_text(file, _MOST_BYTES)
    try:
        papers = json.loads(text, object_pairs_hook=_object, parse_int=_whole)
        _expect(isinstance(papers, list) and bool(papers), "it", "a list of objects")
        for number, paper in enumerate(papers):
            _check(f"[{number}]", paper)
    except RecursionError:
        raise UserFileError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        raise UserFileError(f"{file}: {error}") from None
    return [{**paper, "file": visible(file.name)} for paper in papers]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, times in Counter(key for key, _ in pairs).items():
        _expect(times == 1, f"the key {key!r:.80}", "given once in an object")
    return dict(pairs)


def _whole(text: str) -> int:
    _expect(len(text) <= _MOST_DIGITS, f"{text:.20}...", "a number of fewer digits")
    return int(text)


def _check(place: str, paper: Any) -> None:
    """Check an object of a user's file, and name the first key that is wrong."""
    _expect(isinstance(paper, dict), place, "an object")
    for key in (*paper, *_FIELDS):
        at, keys = f"{place}[{key!r:.80}]", _FIELDS | _OPTIONAL
        _expect(key in keys, at, f"one of the keys {', '.join(keys)}")
        right = type(paper.get(key)) is keys[key]
        _expect(right, at, f"of the type {keys[key].__name__}")
    names = paper.get("metrics", METRICS)
    for name in names:
        where = f"{place}['metrics']: {name!r:.80}"
        _expect(name in [*KNOWN], where, f"one of {', '.join(KNOWN)}")
    _expect(len({*names}) == len(names), f"{place}['metrics']", "all different")
    models = [
        (f"['models'][{name!r:.80}]", own) for name, own in paper["models"].items()
    ]
    for where, scores in (("['tasks']", paper["tasks"]), *models):
        _expect(type(scores) is dict, place + where, "an object")
        for env, value in scores.items():
            at, hint = f"{place}{where}[{env!r:.80}]", did_you_mean(env, gym.registry)
            _expect(env in gym.registry, at, f"the id of an environment. {hint}")
            if where == "['tasks']":
                _expect(type(value) is int and value > 0, at, "an integer above 0")
            else:
                _expect(env in paper["tasks"], at, "an id of 'tasks', too")
                form = f"values (rates in percent) or null of {', '.join(names)}"
                _expect(_are_values(value, names), f"{at}: {value!r:.80}", form)
    _expect(paper["steps"] > 0, f"{place}['steps']", "above 0")
    for key in ("suites", "settings", "differs"):
        kind = dict if key == "settings" else str
        for env, value in paper.get(key, {}).items():
            at = f"{place}[{key!r}][{env!r:.80}]"
            _expect(env in paper["tasks"], at, "an id of 'tasks', too")
            _expect(type(value) is kind, at, f"of the type {kind.__name__}")
    for suite in paper.get("suites", {}).values():
        Suite.load(suite)


def _are_values(value: Any, names: Sequence[str]) -> bool:
    if not isinstance(value, list) or len(value) != len(names):
        return False
    return all(
        one is None or (type(one) in (int, float) and _is_value(one, name))
        for one, name in zip(value, names, strict=True)
    )


def _is_value(value: float, name: str) -> bool:
    least, most = KNOWN[name].bounds or (-inf, inf)
    # Rates are in percent.
    most = 100 if most == 1 else most
    return least <= value <= most and abs(value) < 1e6


def _expect(condition: bool, where: str, form: str) -> None:
    if not condition:
        raise ValueError(f"{where} must be {form}")
