"""What a continued run may change, such as the endpoint, and its notes in run.json."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["identity", "with_changes"]


def identity(record: Mapping[str, Any], may_change: Collection[str]) -> dict[str, Any]:
    """Return a manifest without the agent's parameters that may change.

    Args:
        record: The manifest, or the contents of a ``run.json``.
        may_change: The names of these parameters.
    """
    params = record.get("agent_params")
    if not isinstance(params, dict):
        return dict(record)
    fixed = {key: value for key, value in params.items() if key not in may_change}
    return {**record, "agent_params": fixed}


def with_changes(
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    may_change: Collection[str],
    episodes: int,
) -> dict[str, Any] | None:
    """Return the contents of ``run.json`` with what is different now.

    ``agent_params`` and ``workers`` stay those of the beginning. Each entry of
    ``changes`` in the notes has the new values, None where there is none any more, and
    as ``after`` the number of rows in ``episodes.jsonl`` before which they do not hold.

    Args:
        before: The contents of ``run.json``.
        now: The manifest and notes of this session.
        may_change: The names of the agent's parameters that may change.
        episodes: The number of rows.

    Returns:
        None if nothing changed.
    """
    notes = before.get("notes")
    notes = notes if isinstance(notes, dict) else {}
    changes = notes.get("changes")
    changes = changes if isinstance(changes, list) else []
    held = _settings(before, may_change)
    for change in changes:
        held.update(change if isinstance(change, dict) else {})
    held.pop("after", None)
    new = _settings(now, may_change)
    if held["workers"] is None:
        # Earlier versions did not note them.
        held["workers"] = new["workers"]
    changed = {key: new.get(key) for key in new | held if new.get(key) != held.get(key)}
    if not changed:
        return None
    changes = [*changes, {"after": episodes, **changed}]
    return {**before, "notes": {**notes, "changes": changes}}


def _settings(record: Mapping[str, Any], may_change: Collection[str]) -> dict[str, Any]:
    params, notes = record.get("agent_params"), record.get("notes")
    found = {"workers": notes.get("workers") if isinstance(notes, dict) else None}
    if isinstance(params, dict):
        found |= {key: value for key, value in params.items() if key in may_change}
    return found
