"""The token of servers."""

from __future__ import annotations

import os

from aq_gym.support.redaction import keep_secret

VARIABLE = "AQ_GYM_SERVE_TOKEN"
_SHORTEST, _LONGEST = 16, 4096


def read_token(file: str | None) -> str:
    """Return the token from a file, or else from the environment variable.

    The variable is removed, so that no process that an environment starts inherits it.
    Messages do not show the token, and it is removed from everything the process
    writes.

    Returns:
        The token, "" if there is no file and the variable is not set.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is not a token: 16 to 4,096 characters of printable ASCII
            without whitespace.
    """
    token, where = os.environ.pop(VARIABLE, ""), VARIABLE
    keep_secret(token.strip())
    if file is not None:
        with open(file, encoding="latin-1") as opened:
            token, where = opened.read(_LONGEST + 1), file
    elif not token:
        return ""
    token = token.strip()
    keep_secret(token)
    plain = token.isascii() and token.isprintable() and " " not in token
    if not plain or not _SHORTEST <= len(token) <= _LONGEST:
        raise ValueError(
            f"{where} must have a token of {_SHORTEST} to {_LONGEST} characters of "
            "printable ASCII without whitespace, such as `openssl rand -hex 32` prints"
        )
    return token
