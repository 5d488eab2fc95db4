"""Decide by a request's headers whether it may use a server."""

from __future__ import annotations

import hmac
import re
import socket
from collections.abc import Collection, Iterable
from enum import Enum
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
# The begin of a request, and where its token is: in the path of a page, or a header.
_BEGIN = re.compile(rb"[A-Z]{1,10}( |\Z)")
_IN_PATH = re.compile(rb"\A[A-Z]{1,10} /([^/ \r\n]+)/")
_IN_HEADER = re.compile(rb"\nauthorization:[ \t]*bearer[ \t]+([^\r\n]+)", re.I)
_HOST = re.compile(r"(?:\[([^\[\]]*)\]|([^:]*))(?::[0-9]*)?")


class Refusal(NamedTuple):
    """The answer to a request that is not allowed."""

    status: HTTPStatus
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Client(Enum):
    """Who has opened a connection, as far as it has begun."""

    KNOWN = "has shown the token, or a whole request if there is none"
    UNKNOWN = "may still do so"
    STRANGER = "will not"


class Access:
    """The checks that all servers of this package share.

    Args:
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
        pages: Whether the token is the begin of each path, as browsers send no header.
        public: A path that needs no token, "" for none.

    Attributes:
        unknown: The connections of unknown clients by their host and port, if the
            listener keeps them.
    """

    def __init__(
        self,
        token: str,
        hosts: Collection[str] | None,
        pages: bool = False,
        public: str = "",
    ) -> None:
        self.unknown: dict[tuple[str, int], socket.socket] = {}
        self.public = public
        self._begins_public = (
            re.compile(b"(?:GET|HEAD) %s[ ?]" % re.escape(public.encode()))
            if public
            else None
        )
        self._token = token.encode()
        self._pages = pages
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    def refuse_page(
        self, headers: Iterable[tuple[bytes, bytes]], own: bool = False
    ) -> Refusal | None:
        """Return why a request may come from a web page, or None if it cannot.

        A request with another Host than the allowed ones is refused, so that no page
        can reach the server through a name of its own (DNS rebinding), and so is a
        request with an Origin, which browsers add for pages from elsewhere.

        Args:
            headers: The request's headers.
            own: Whether a page of the server itself may have sent it. Browsers add its
                Origin, too.
        """
        found = list(headers)
        hosts = _values(found, b"host")
        origins = _values(found, b"origin")
        if own:
            origins = [one for one in origins if [one.partition(b"://")[2]] != hosts]
        if self._hosts is not None and (
            len(hosts) != 1 or _host(hosts[0]) not in self._hosts
        ):
            return Refusal(HTTPStatus.FORBIDDEN, "this server has another name")
        if origins:
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

    def client(self, begun: bytes, most: bool) -> Client:
        """Return who has opened a connection, as far as it has begun.

        Args:
            begun: The first bytes that were sent.
            most: Whether no more of a request's head will be looked at.
        """
        if not _BEGIN.match(begun):
            return Client.STRANGER
        if self._begins_public and self._begins_public.match(begun):
            return Client.UNKNOWN
        if not self._pages and not most and b"\r\n\r\n" not in begun:
            return Client.UNKNOWN
        if not self._token:
            return Client.KNOWN
        found = (_IN_PATH if self._pages else _IN_HEADER).search(begun)
        given = b"" if found is None else found[1]
        known = self.is_token(unquote_to_bytes(given) if self._pages else given)
        return Client.KNOWN if known else Client.STRANGER

    def is_token(self, given: bytes) -> bool:
        """Return whether bytes are the token, compared in constant time."""
        return hmac.compare_digest(given.strip(), self._token)


def _values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _host(value: bytes) -> str:
    """Return the host of a Host header without its port, in lower case."""
    found = _HOST.fullmatch(value.decode("latin-1").strip().lower())
    return "" if found is None else found[1] or found[2]
