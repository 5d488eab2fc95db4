"""HTTP/1.1 client for one server, with connections shared by threads.

``http.client`` alone takes a thirtieth of the processor time of httpx with 256 requests
in flight, and processor time bounds the number of episodes that one process can play.
"""

from __future__ import annotations

import io
import ssl
import time
import weakref
from base64 import b64encode
from collections import deque
from collections.abc import Mapping
from functools import lru_cache, partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

_LARGEST_BODY = 16 * 2**20


class Response(NamedTuple):
    """The response to a request.

    Attributes:
        status: The status code.
        headers: The headers; names in lower case.
        body: The body.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class UnreachableError(OSError):
    """Raised if no connection could be made; the cause is chained."""


class OversizedError(Exception):
    """Raised if a response is longer than 16 MiB."""


class Connections:
    """Keep-alive connections to the server of a URL; any thread may use them.

    Proxies are those of the environment (``HTTPS_PROXY``, ``NO_PROXY``).

    Args:
        url: The URL: its scheme, host, port and path count.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port
        self._prefix = parts.path.rstrip("/")
        self._proxy = None
        if not proxy_bypass(self._host):
            proxy = getproxies().get(parts.scheme)
            self._proxy = urlsplit(proxy) if proxy else None
        if self._proxy and not self._secure:
            self._prefix = f"http://{parts.netloc.rpartition('@')[2]}{self._prefix}"
        self._idle: deque[HTTPConnection] = deque()
        weakref.finalize(self, _close_all, self._idle)

    def post(
        self, path: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Response:
        """Send a request and return its response.

        Raises:
            UnreachableError: If no connection can be made.
            TimeoutError: If the response is not complete in time.
            OSError: If the connection fails.
            http.client.HTTPException: If the response is not HTTP.
            OversizedError: If the response is too long.
        """
        deadline = time.monotonic() + timeout
        target = f"{self._prefix}{path}"
        headers = {**headers, **self._proxy_headers()} if self._proxy else headers
        try:
            kept = self._idle.pop()
        except IndexError:
            return self._exchange(self._new(timeout), target, body, headers, deadline)
        try:
            return self._exchange(kept, target, body, headers, deadline)
        except TimeoutError:
            raise
        except (OSError, HTTPException):
            # The server had closed the idle connection.
            left = max(deadline - time.monotonic(), 0.001)
            return self._exchange(self._new(left), target, body, headers, deadline)

    def _exchange(
        self,
        connection: HTTPConnection,
        target: str,
        body: bytes,
        headers: Mapping[str, str],
        deadline: float,
    ) -> Response:
        """Send a request on a connection, and keep the connection if possible."""
        response = None
        try:
            if connection.sock is None:
                _connect(connection)
            connection.sock.settimeout(max(deadline - time.monotonic(), 0.001))
            # Declared as a class, but only called.
            connection.response_class = partial(_timed_response, deadline)  # type: ignore[assignment]
            connection.request("POST", target, body, dict(headers))
            response = connection.getresponse()
            content = b""
            if (response.length or 0) <= _LARGEST_BODY:
                content = response.read(_LARGEST_BODY + 1)
            if len(content) > _LARGEST_BODY or (response.length or 0) > _LARGEST_BODY:
                raise OversizedError(f"the response exceeds {_LARGEST_BODY} bytes")
        except BaseException:
            if response is not None:
                response.close()
            connection.close()
            raise
        if response.isclosed() and not response.will_close:
            self._idle.append(connection)
        else:
            connection.close()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, names, content)

    def _new(self, timeout: float) -> HTTPConnection:
        host, port = self._host, self._port
        if self._proxy:
            host, port = self._proxy.hostname or "", self._proxy.port
        if not self._secure:
            return HTTPConnection(host, port, timeout=timeout)
        connection = HTTPSConnection(
            host, port, timeout=timeout, context=_tls_context()
        )
        if self._proxy:
            connection.set_tunnel(self._host, self._port, self._proxy_headers())
        return connection

    def _proxy_headers(self) -> dict[str, str]:
        if not self._proxy or not self._proxy.username:
            return {}
        login = f"{unquote(self._proxy.username)}:{unquote(self._proxy.password or '')}"
        return {"Proxy-Authorization": f"Basic {b64encode(login.encode()).decode()}"}


def _connect(connection: HTTPConnection) -> None:
    try:
        connection.connect()
    except (OSError, HTTPException) as error:
        raise UnreachableError(str(error)) from error


def _close_all(connections: deque[HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a deadline.

    A socket's own timeout is of each read, so that a server which sends a byte now and
    then could hold a request forever.
    """

    def __init__(self, sock: Any, deadline: float) -> None:
        self._socket, self._deadline = sock, deadline
        # Keeps the socket open after the connection is closed, as http.client expects.
        self._raw = sock.makefile("rb", 0)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._raw.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the response was not complete in time")
        self._socket.settimeout(left)
        return int(self._raw.readinto(buffer) or 0)


class _TimedSocket:
    """The part of a socket that ``HTTPResponse`` uses."""

    def __init__(self, sock: Any, deadline: float) -> None:
        self._socket, self._deadline = sock, deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return a file that reads until the deadline."""
        return io.BufferedReader(_TimedReader(self._socket, self._deadline), 65536)


def _timed_response(deadline: float, sock: Any, *args: Any, **kwargs: Any) -> Any:
    # Of a socket it uses makefile() alone.
    return HTTPResponse(_TimedSocket(sock, deadline), *args, **kwargs)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    # Loading the certificates takes tens of milliseconds.
    return ssl.create_default_context()
