"""The record of a step, as a line of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, SupportsFloat

from aq_gym.support.redaction import redact_bytes
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.light_encoding import encode_for_utf8
from aq_gym.trajectory.one_line import one_line, one_line_ascii

__all__ = ["step_line"]


def step_line(
    number: int, action: object, result: tuple[Any, ...], notes: Mapping[str, object]
) -> bytes:
    """Return the record of a step as a line of UTF-8, without known secrets.

    It is that of :func:`.jsonl.dumps`, in less time.

    Args:
        number: The number of the step, from 1.
        action: The action, as JSON.
        result: The five values that ``step`` returned.
        notes: The notes on the action; empty if there are none.
    """
    try:
        return _line(encode_for_utf8, one_line, number, action, notes, *result)
    except (RecursionError, ValueError):
        pass
    try:
        return _line(encode, one_line, number, action, notes, *result)
    except UnicodeEncodeError:
        return _line(encode, one_line_ascii, number, action, notes, *result)


def _line(
    encoded: Callable[[Any], Any],
    text: Callable[[object], str],
    number: int,
    action: object,
    notes: Mapping[str, object],
    observation: object,
    reward: SupportsFloat,
    terminated: object,
    truncated: object,
    info: object,
) -> bytes:
    noted = f',"notes":{text(encoded(notes))}' if notes else ""
    # Converting a dict with these items would take twice the time.
    line = (
        f'{{"kind":"step","t":{number},"action":{text(action)},'
        f'"observation":{text(encoded(observation))},'
        f'"reward":{text(encoded(reward))},'
        f'"terminated":{"true" if terminated else "false"},'
        f'"truncated":{"true" if truncated else "false"},'
        f'"info":{text(encoded(info))}{noted}}}'
    )
    return redact_bytes(line.encode())
