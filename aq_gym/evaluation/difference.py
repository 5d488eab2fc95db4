"""How two runs differ, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["differences"]

_ABSENT = object()


def differences(here: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Name what differs, in the order of the second: "versions.x: 1 here, 2 now".

    Args:
        here: What ``run.json`` says; what else it has does not count.
        now: What is to be run. Its ``notes`` may differ, and are only looked at for
            the number of tasks.
    """
    found = []
    for key, value in now.items():
        before = here.get(key, _ABSENT)
        if key == "notes" or before == value:
            continue
        if key == "suite" and isinstance(before, Mapping):
            found.append(f"suite: {_suite(here)} here, {_suite(now)} now")
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


def _suite(what: Mapping[str, Any]) -> str:
    suite, notes = what["suite"], what.get("notes", {})
    tasks = f", {notes['tasks']} tasks" if "tasks" in notes else ""
    return f"{suite.get('name')!r} ({suite.get('hash')}{tasks})"
