"""Decide by a request's headers whether it may use a server."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import NamedTuple

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


class Refusal(NamedTuple):
    """The answer to a request that is not allowed."""

    status: HTTPStatus
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Access:
    """The checks that all servers of this package share.

    Args:
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
    """

    def __init__(self, token: str, hosts: Collection[str] | None) -> None:
        self._token = token.encode()
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    def refuse_page(self, headers: Iterable[tuple[bytes, bytes]]) -> Refusal | None:
        """Return why a request may come from a web page, or None if it cannot.

        A request with another Host than the allowed ones is refused, so that no page
        can reach the server through a name of its own (DNS rebinding), and so is a
        request with an Origin, which browsers add for pages from elsewhere.
        """
        found = list(headers)
        hosts = _values(found, b"host")
        if self._hosts is not None and (
            len(hosts) != 1 or _host(hosts[0]) not in self._hosts
        ):
            return Refusal(HTTPStatus.FORBIDDEN, "this server has another name")
        if _values(found, b"origin"):
            return Refusal(HTTPStatus.FORBIDDEN, "pages of browsers are not served")
        return None

    def refuse_stranger(self, headers: Iterable[tuple[bytes, bytes]]) -> Refusal | None:
        """Return the refusal of a request without the token, None for one with it."""
        values = _values(headers, b"authorization")
        kind, _, given = (values[0] if len(values) == 1 else b"").partition(b" ")
        if not self._token or (self.is_token(given) and kind.lower() == b"bearer"):
            return None
        return Refusal(
            HTTPStatus.UNAUTHORIZED,
            "a token is needed: Authorization: Bearer TOKEN",
            ((b"www-authenticate", b"Bearer"),),
        )

    def is_token(self, given: bytes) -> bool:
        """Return whether bytes are the token, compared in constant time."""
        return hmac.compare_digest(given.strip(), self._token)


def _values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _host(value: bytes) -> str:
    """Return the host of a Host header without its port, in lower case."""
    text = value.decode("latin-1").strip().lower()
    if text.startswith("[") and "]" in text:
        return text[1:].partition("]")[0]
    return text.partition(":")[0]
