"""Describe the differences between two manifests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_ABSENT = object()


def differences(here: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return each difference as text, such as "versions.x: 1 here, 2 now".

    Args:
        here: The contents of ``run.json``; keys that ``now`` lacks are ignored.
        now: The manifest of the run to be made, which gives the order. Its ``notes``
            may differ; only the numbers of tasks and trials are read from them.
    """
    found = []
    for key, value in now.items():
        before = here.get(key, _ABSENT)
        if key == "notes" or before == value:
            continue
        if key == "suite" and isinstance(before, Mapping):
            found.append(f"suite: {_suite(here)} here, {_suite(now)} now")
            found += _leaves("trials", _trials(here), _trials(now))
        else:
            found += _leaves(key, before, value)
    return found


def _leaves(key: str, before: Any, now: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in sorted({*before, *now}):
            values = before.get(name, _ABSENT), now.get(name, _ABSENT)
            yield from _leaves(f"{key}.{name}", *values)
    elif before != now:
        yield f"{key}: {_shown(before)} here, {_shown(now)} now"


def _shown(value: object) -> str:
    return "none" if value is _ABSENT else f"{value!r:.200}"


def _suite(manifest: Mapping[str, Any]) -> str:
    suite, notes = manifest["suite"], manifest.get("notes")
    count = notes.get("tasks") if isinstance(notes, Mapping) else None
    tasks = "" if count is None else f", {count} tasks"
    return f"{suite.get('name')!r} ({suite.get('hash')}{tasks})"


def _trials(manifest: Mapping[str, Any]) -> object:
    notes = manifest.get("notes")
    return notes.get("trials", 1) if isinstance(notes, Mapping) else 1
