"""Decide by a request's headers whether it may use a server."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import NamedTuple

from aq_gym.support.redaction import keep_secret

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
# The longest body of a request, and the longest message of a WebSocket, in bytes.
LARGEST_BODY = 16 * 1024 * 1024
TOKEN_VARIABLE = "AQ_GYM_SERVE_TOKEN"
_SHORTEST_TOKEN, _LONGEST_TOKEN = 16, 4096
_HOST = re.compile(r"(?:\[([^\[\]]*)\]|([^:]*))(?::[0-9]*)?")


class Refusal(NamedTuple):
    """The answer to a request that is not allowed."""

    status: HTTPStatus
    message: str


class Access:
    """The checks that all servers of this package share.

    Args:
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
        own_pages: Whether pages of the server itself send requests.
    """

    def __init__(
        self, token: str, hosts: Collection[str] | None, own_pages: bool = False
    ) -> None:
        self._token = token
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._own_pages = own_pages

    def refuse(
        self, hosts: Sequence[str], origins: Sequence[str], token: str | None
    ) -> Refusal | None:
        """Return the reason why a request is refused, or None.

        A web page can reach a server on this machine by resolving its own name to this
        machine (DNS rebinding); its requests then have that name as their host.
        Browsers add an origin to requests of pages from other hosts.

        Args:
            hosts: The request's Host headers.
            origins: Its Origin headers.
            token: The token in the request, "" if it has none; None if no token is
                needed.
        """
        if self._hosts is not None and (
            len(hosts) != 1 or _name(hosts[0]) not in self._hosts
        ):
            return Refusal(HTTPStatus.FORBIDDEN, "this server has another name")
        foreign = [
            one
            for one in origins
            if not self._own_pages or [one.partition("://")[2]] != list(hosts)
        ]
        if foreign:
            message = "pages from elsewhere are not served"
            return Refusal(HTTPStatus.FORBIDDEN, message)
        if token is None or not self._token or self.is_token(token):
            return None
        return Refusal(
            HTTPStatus.UNAUTHORIZED,
            "a token is needed: Authorization: Bearer TOKEN, or the address that "
            "aq-gym printed",
        )

    def is_token(self, given: str) -> bool:
        """Return whether a text is the token, compared in constant time."""
        return hmac.compare_digest(given.strip().encode(), self._token.encode())


def _name(host: str) -> str:
    """Return the name in a Host header, without its port and in lower case."""
    found = _HOST.fullmatch(host.strip().lower())
    return "" if found is None else found[1] or found[2]


def read_token(file: str | None) -> str:
    """Return the token from a file, or else from the environment variable.

    The variable is removed, so that no process that an environment starts inherits it.
    Messages do not show the token.

    Returns:
        The token, "" if there is no file and the variable is not set.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is not a token: 16 to 4,096 characters of printable ASCII
            without whitespace.
    """
    token, source = os.environ.pop(TOKEN_VARIABLE, ""), TOKEN_VARIABLE
    keep_secret(token.strip())
    if file is not None:
        with open(file, encoding="latin-1") as opened:
            token, source = opened.read(_LONGEST_TOKEN + 1), file
    elif not token:
        return ""
    token = token.strip()
    keep_secret(token)
    plain = token.isascii() and token.isprintable() and " " not in token
    if not plain or not _SHORTEST_TOKEN <= len(token) <= _LONGEST_TOKEN:
        raise ValueError(
            f"{source} must have a token of {_SHORTEST_TOKEN} to {_LONGEST_TOKEN} "
            "characters of printable ASCII without whitespace, such as "
            "`openssl rand -hex 32` prints"
        )
    return token


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(32)
