"""Convert values to JSON that every client can read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

# In bits. Python refuses to read an int of more than 4300 digits.
_LONGEST_INT = 3 * 4300


def sendable(value: Any) -> Any:
    """Return a value as strict JSON that can be sent as UTF-8.

    Numpy's scalars and arrays become numbers and lists, and sets become sorted lists; a
    number that is not finite becomes "nan", "inf" or "-inf", which ``float`` reads; a
    lone surrogate, which has no UTF-8, becomes its escape; an object of another type
    becomes its ``repr``.

    Args:
        value: The value, for example an info dict.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _LONGEST_INT else hex(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return {sendable(str(key)): sendable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(item) for item in value]
    if isinstance(value, set | frozenset):
        return [sendable(item) for item in sorted(value, key=repr)]
    items = value.tolist() if hasattr(value, "tolist") else value
    # numpy's longdouble returns itself.
    return sendable(repr(value) if type(items) is type(value) else items)


@contextmanager
def sendable_errors() -> Iterator[None]:
    """Re-raise errors of the block with a message that can be sent.

    OpenEnv sends only the message, and ends the session if it cannot be sent.

    Raises:
        RuntimeError: In place of an error whose message is empty or has no UTF-8
            encoding.
    """
    try:
        yield
    except Exception as error:
        message = str(error)
        sent = sendable(message)
        if sent and sent == message:
            raise
        raise RuntimeError(sent or type(error).__name__) from error
