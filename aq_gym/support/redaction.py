"""Keep the keys that this process has read out of files, errors and output.

A key is read with :func:`read_secret` or registered with :func:`keep_secret`. There are
two ways to keep it out:

- :func:`redact` removes every registered secret from a text that comes from outside and
  is not played: the body of a response, an exception, a traceback, a log line.
- :func:`masked` removes secrets that look like keys from the strings of a value that is
  about to be written. An agent's actions and observations are among them; they are
  played unchanged. A secret that could be part of a game, such as a short number or a
  word, is not removed there.

:func:`holds_secret` recognizes keys in arguments, which are written to a run's files;
they are refused. :func:`recordable` removes from the other arguments the values that
may be keys without looking like keys: the values of headers and of a URL's query.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Mapping
from threading import Lock
from typing import Any
from urllib.parse import quote, unquote

_MARK = "***"
# Shorter secrets are placeholders, such as "none"; removing them would damage texts.
_SHORTEST = 8
_SHORTEST_KEY = 20
# The levels of JSON nested in JSON, such as a body in an error in a record.
_NESTED = 4
# The characters that are not quoted in a URL's query, in its path, and by browsers.
_UNQUOTED = ("", "/", "/!$&'()*+,;=:@")
_URL_SAFE = str.maketrans("+/", "-_")
_LOCK = Lock()
# Each form of each secret, and whether the secret looks like a key.
_FORMS: tuple[tuple[str, bool], ...] = ()


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
        secret: The secret; ignored if it has fewer than 8 characters, or fewer than 20
            and only letters: such a word is a placeholder.
    """
    if len(secret) < (_SHORTEST_KEY if secret.isalpha() else _SHORTEST):
        return
    raw = base64.b64encode(secret.encode(errors="replace")).decode()
    forms = {secret, repr(secret)[1:-1], *(quote(secret, safe) for safe in _UNQUOTED)}
    forms |= {raw, raw.rstrip("="), raw.translate(_URL_SAFE)}
    escaped = secret
    for _ in range(_NESTED):
        escaped = json.dumps(escaped)[1:-1]
        forms |= {escaped, escaped.replace("/", "\\/")}
    with _LOCK:
        _keep(forms, _is_key(secret))


def _is_key(secret: str) -> bool:
    has_both = re.search("[A-Za-z]", secret) and re.search("[0-9]", secret)
    return len(secret) >= _SHORTEST_KEY and bool(has_both)


def _keep(forms: set[str], is_key: bool) -> None:
    # A new tuple, which readers in other threads see whole or not at all. The longest
    # form comes first, because some contain others.
    global _FORMS
    known = {**dict.fromkeys(forms, is_key), **dict(_FORMS)}
    _FORMS = tuple(sorted(known.items(), key=lambda form: (-len(form[0]), form[0])))


def redact(text: str) -> str:
    """Return a text, which is not played, with every known secret replaced by "***"."""
    return _without(text, [form for form, _ in _FORMS])


def masked(value: Any) -> Any:
    """Return a JSON value with each secret that looks like a key replaced by "***"."""
    forms = [form for form, is_key in _FORMS if is_key]
    return _masked(value, forms) if forms else value


def _masked(value: Any, forms: list[str]) -> Any:
    if isinstance(value, str):
        return _without(value, forms)
    if isinstance(value, Mapping):
        return {_masked(k, forms): _masked(item, forms) for k, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(item, forms) for item in value]
    return value


def _without(text: str, forms: list[str]) -> str:
    for form in forms:
        if form in text:
            text = text.replace(form, _MARK)
    return text


# Names of arguments, with "_" for each character that is not a letter or a digit.
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:(?:access|api|auth|bearer|client|hf|id|openai|private|refresh|session)"
    r"_?(?:key|token)|apikey|pat|pwd|jwt)$|^(?:x_)?(?:key|token)$"
    r"|authorization|bearer|credential|pass(?:w|phrase)|secret"
)
# Names in a URL's query and in HTTP headers; "token" there never means a count.
_SECRET_FIELD = re.compile(
    r"key|token|secret|pass(?:w|phrase)|auth|cookie|cred|signature"
    r"|(?:^|_)(?:sig|pat|pwd|jwt)$"
)
_SECRET_VALUE = re.compile(
    r"(?<![\w-])(?:sk-(?=[\w-]*\d)[\w-]{8,}|(?:hf_|gh[pousr]_|github_pat_|xox[abprs]-"
    r"|glpat-|AKIA|AIza)[\w-]{12,}|eyJ[\w-]{10,}\.[\w-]{10,})"
    r"|(?i:^\s*(?:bearer|basic)\s+\S{8,})|://\S{0,500}@"
)
_QUERY_NAME = re.compile(r"[?&;]([^?=&;#\s]+)=")
_LEFT_OUT = "[not recorded]"
_HOLDS_FIELDS = re.compile(r"header|cookie|(?:extra|default)_query|query_param")
_SPACE = re.compile(r"\s")
_HARMLESS_QUERY = re.compile(r"api[-_]version=[\w.-]{1,40}", re.IGNORECASE)
# Words of a model's name or of a path are shorter, and a hash has only small letters.
_LONG, _LONG_IN_URL = (re.compile(rf"\w{{{n},}}", re.ASCII) for n in (32, 24))
_KINDS = [re.compile(kind) for kind in ("[0-9]", "[a-z]", "[A-Z]")]
_KINDS_IN_URL = [re.compile(kind) for kind in ("[0-9]", "[A-Za-z]")]


def holds_secret(name: str, value: object) -> bool:
    """Return whether an argument looks like a key or a password, or contains one.

    Args:
        name: The argument's name.
        value: Its value; in a mapping, the keys are names. A URL is recognized by its
            user or by the names in its query.
    """
    # A list instead of recursion, because a value from a file can be nested deeply.
    pending: list[tuple[str, object, re.Pattern[str]]] = [(name, value, _SECRET_NAME)]
    while pending:
        name, value, names = pending.pop()
        if isinstance(value, Mapping):
            fields = "header" in _plain(name) or "query" in _plain(name)
            inner = _SECRET_FIELD if fields else names
            pending += [(str(key), item, inner) for key, item in value.items()]
        elif isinstance(value, list | tuple):
            pending += [(name, item, names) for item in value]
        elif isinstance(value, str) and (
            names.search(_plain(name))
            or _SECRET_VALUE.search(value)
            or _queries_secret(value)
        ):
            return True
    return False


def _queries_secret(text: str) -> bool:
    """Return whether a text has a URL with a secret in its query."""
    named = (_plain(unquote(name)) for name in _QUERY_NAME.findall(text))
    return "://" in text and any(map(_SECRET_FIELD.search, named))


def recordable(value: Any, name: str = "") -> Any:
    """Return a JSON value without possible keys, in the form for a run's files.

    Values of headers and cookies, values in a URL's query except ``api-version``, and
    long random words are replaced by "[not recorded]"; a text of several words is kept.

    Args:
        value: The value.
        name: Its name, by which headers are known.
    """
    if _HOLDS_FIELDS.search(_plain(name)) and value:
        fields = value if isinstance(value, Mapping) else ()
        return dict.fromkeys(fields, _LEFT_OUT) or _LEFT_OUT
    if isinstance(value, Mapping):
        return {key: recordable(item, str(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [recordable(item) for item in value]
    return _recordable_text(value) if isinstance(value, str) else value


def is_recorded(value: Any) -> bool:
    """Return whether a value has no part that :func:`recordable` left out."""
    return _LEFT_OUT not in json.dumps(value)


def _recordable_text(text: str) -> str:
    # Prose, such as a system prompt, is recorded as it is.
    if _SPACE.search(text.strip()):
        return text
    return _without_random(_recordable_url(text), _LONG, _KINDS)


def _recordable_url(text: str) -> str:
    if "://" not in text:
        return text
    address, mark, rest = re.split(r"([?#]|$)", text, maxsplit=1)
    address = _without_random(address, _LONG_IN_URL, _KINDS_IN_URL)
    kept = [
        part if _HARMLESS_QUERY.fullmatch(part) else _LEFT_OUT
        for part in rest.split("&")
        if part
    ]
    return f"{address}{mark}{'&'.join(kept)}"


def _without_random(
    text: str, words: re.Pattern[str], kinds: list[re.Pattern[str]]
) -> str:
    """Leave out the long words that have each kind of characters."""

    def left(word: re.Match[str]) -> str:
        return _LEFT_OUT if all(kind.search(word[0]) for kind in kinds) else word[0]

    return words.sub(left, text)


def _plain(name: str) -> str:
    """Return a name in lower case, with "_" between its words."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
