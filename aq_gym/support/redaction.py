"""Remove the secrets that this process has read from everything it writes.

A key is read with :func:`read_secret` or made known with :func:`keep_secret`. Every
file and every line that the package writes passes through :func:`redact`, so that a key
which an endpoint, a library or a model repeats is not written.
"""

from __future__ import annotations

import base64
import json
import os
from threading import Lock
from urllib.parse import quote

_MARK = "***"
# Shorter ones are placeholders, such as "none"; removing them would damage texts.
_SHORTEST = 8
# How many times JSON is nested in JSON: a body in an error in a record.
_NESTED = 4
# What a part of a query, a path and a browser leave as they are in a URL.
_UNQUOTED = ("", "/", "/!$&'()*+,;=:@")
_URL_SAFE = str.maketrans("+/", "-_")
_LOCK = Lock()
_FORMS: tuple[tuple[str, bytes], ...] = ()


def read_secret(variable: str) -> str:
    """Return a secret from an environment variable, "" if it is not set.

    Whitespace around it is removed: files with keys often end in a line break.

    Raises:
        ValueError: If it contains characters that a key cannot have. The message does
            not show the value.
    """
    secret = os.environ.get(variable, "").strip()
    keep_secret(secret)
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise ValueError(
            f"{variable} contains whitespace or characters that are not printable "
            "ASCII: set it to just the key"
        )
    return secret


def keep_secret(secret: str) -> None:
    """Register a secret, so that it is removed from now on.

    Args:
        secret: The secret; ignored if it has fewer than 8 characters.
    """
    if len(secret) < _SHORTEST:
        return
    raw = base64.b64encode(secret.encode(errors="replace")).decode()
    forms = {secret, repr(secret)[1:-1], *(quote(secret, safe) for safe in _UNQUOTED)}
    forms |= {raw, raw.rstrip("="), raw.translate(_URL_SAFE)}
    escaped = secret
    for _ in range(_NESTED):
        escaped = json.dumps(escaped)[1:-1]
        forms |= {escaped, escaped.replace("/", "\\/")}
    with _LOCK:
        _keep(forms)


def _keep(forms: set[str]) -> None:
    # A new tuple, which readers in other threads see whole or not at all. The longest
    # form comes first, because some contain others.
    global _FORMS
    known = {form for form, _ in _FORMS} | forms
    _FORMS = tuple(
        (form, form.encode(errors="replace"))
        for form in sorted(known, key=lambda form: (-len(form), form))
    )


def redact(text: str) -> str:
    """Return a text with every known secret replaced by "***"."""
    for form, _ in _FORMS:
        if form in text:
            text = text.replace(form, _MARK)
    return text


def redact_bytes(data: bytes) -> bytes:
    """Return UTF-8 with every known secret replaced by "***"."""
    for _, form in _FORMS:
        if form in data:
            data = data.replace(form, _MARK.encode())
    return data
