"""The endpoint of a model: its errors, requests over HTTP, retries."""

from __future__ import annotations

import random
import re
import ssl
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3 import exceptions

from aq_gym.models.completion import AnsweredError
from aq_gym.support.redaction import keep_secret, redact

LONGEST_WAIT = 120.0
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 8.0
_SHOWN = 300
_LARGEST_BODY = 16 * 2**20
_PART = 2**16
# The number of connections kept, more than a large run has requests in flight.
_KEPT_CONNECTIONS = 1024
_HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
# Errors that mean that the host cannot be reached, so other requests would fail too.
_UNREACHABLE = (
    exceptions.ConnectTimeoutError,
    exceptions.NewConnectionError,
    exceptions.ProxyError,
    exceptions.SSLError,
)
# Phrases with which endpoints say that a request does not fit into the context.
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|size|window|limit)|(?:prompt|input)\b.{0,40}"
    r"(?:too long|too large|exceed)|too many tokens|exceed.{0,40}\btokens",
    re.IGNORECASE | re.DOTALL,
)
_TOO_LARGE = 413
# Excludes messages about rate limits, which mention tokens too.
_MAY_BE_TOO_LONG = (400, 422, 500)
_RETRIED = frozenset({408, 409, 429})
# The status codes for a wrong key, no credit, no access, a wrong path, an unknown
# model, or a redirect.
_REDIRECTS = range(300, 400)
_LASTING = frozenset({401, 402, 403, 404, *_REDIRECTS})
_NO_CREDIT = re.compile(
    r"insufficient.{0,3}(?:quota|balance|credit|funds)|credit balance|out of credits",
    re.IGNORECASE,
)
# Some endpoints use these words for a quota per minute, so they are retried first.
_QUOTA = re.compile(r"exceeded your current quota|billing", re.IGNORECASE)
_MODEL = re.compile(
    r"(?:unknown|invalid|no such) model\b"
    r"|\bmodel\b.{0,120}(?:not found|not exist|not available|not supported)",
    re.IGNORECASE | re.DOTALL,
)
_MODERATED = re.compile(r"moderation|flagged", re.IGNORECASE)

_T = TypeVar("_T")


class EndpointError(Exception):
    """Raised if a call to an endpoint failed, after all retries.

    Attributes:
        stops_run: Whether other calls would fail too, because the key is wrong, the
            model is unknown, the quota is exhausted or the host cannot be reached.
    """

    stops_run = False


class EndpointConnectionError(EndpointError):
    """Raised if there was no connection, or it was dropped.

    Args:
        message: The message.
        stops_run: Whether the host could not be reached.
    """

    def __init__(self, message: str, stops_run: bool = False) -> None:
        super().__init__(message)
        self.stops_run = stops_run


class EndpointTimeoutError(EndpointError):
    """Raised if the answer was not complete in time."""


class EndpointStatusError(EndpointError):
    """Raised if the endpoint answered with an HTTP error.

    Args:
        message: The message.
        status: The status code.
        stops_run: Whether other calls would fail too.
    """

    def __init__(self, message: str, status: int, stops_run: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.stops_run = stops_run


class MalformedAnswerError(EndpointError):
    """Raised if the answer of an endpoint is not a completion."""


class ContextTooLongError(EndpointError):
    """Raised if the conversation does not fit into the model's context."""


class _PassingError(Exception):
    """Raised if an attempt failed and another one may succeed.

    Args:
        failure: The error to raise if this was the last attempt.
        asked: The seconds that the endpoint asks to wait; None if it does not ask.
    """

    def __init__(self, failure: EndpointError, asked: float | None = None) -> None:
        super().__init__(failure)
        self.failure, self.asked = failure, asked


class _Response(NamedTuple):
    """A response; the names of its headers may have any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Endpoint:
    """An endpoint, shared by all agents of the process that use it.

    Connections are kept, and any thread may use them. Proxies are read from the
    environment (``HTTPS_PROXY``, ``NO_PROXY``).

    Args:
        url: Its base URL, such as http://localhost:8000/v1. A login in it is sent if
            there is no key; its query is sent with each request.

    Attributes:
        url: The base URL without login and query.
        wants_completion_tokens: The models that refuse ``max_tokens`` and take
            ``max_completion_tokens`` instead.
    """

    def __init__(self, url: str) -> None:
        self.url = without_login(url)
        self.wants_completion_tokens: set[str] = set()
        self._login: dict[str, str] = {}
        parts = urlsplit(url)
        proxy, headers = _proxy(parts)
        self._pool = _manager(parts, proxy, headers).connection_from_host(
            parts.hostname, parts.port, parts.scheme
        )
        self._path = parts.path.rstrip("/")
        self._query = f"?{parts.query}" if parts.query else ""
        for name, value in parse_qsl(parts.query):
            if name != "api-version":
                keep_secret(value)
        if proxy and parts.scheme == "http":
            # The proxy is asked for the whole address, and https is tunnelled.
            self._path = self.url.rstrip("/")
            self._login = headers
        if parts.username is not None:
            password = unquote(parts.password or "")
            keep_secret(password)
            login = f"{unquote(parts.username)}:{password}"
            header = _login_header("Authorization", login)
            self._login = {**self._login, **header}
            keep_secret(header["Authorization"].partition(" ")[2])

    def post(
        self,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        timeout: float,
        max_retries: int,
        read: Callable[[bytes], _T],
    ) -> tuple[_T, int]:
        """Send a request; return the answer as read, and the number of retries.

        Rate limits, timeouts, dropped connections, 5xx answers and answers that cannot
        be read are retried after a delay, which doubles from 0.5 to 8 seconds, or is
        that of Retry-After.

        Args:
            path: The path below the base URL.
            body: The request, as JSON.
            headers: Its headers, with the key. A login in the URL is added if there is
                no ``Authorization``.
            timeout: Seconds for each attempt, until the last byte of its answer.
            max_retries: The number of retries.
            read: Reads the body of an answer with status 200. An
                :class:`AnsweredError` is treated as its status, another ValueError as
                an answer that cannot be read.

        Raises:
            ContextTooLongError: If the endpoint reports that the conversation is too
                long.
            MalformedAnswerError: If no answer can be read, or one exceeds 16 MiB.
            EndpointError: If all attempts failed, or Retry-After asks for more than
                120 seconds.
        """
        headers = {**_HEADERS, **self._login, **headers}
        for retries, delay in enumerate(_delays(max_retries)):
            try:
                response = self._exchange(path, body, headers, timeout)
                return self._read(response, read), retries
            except _PassingError as passing:
                if delay is None:
                    raise passing.failure from passing.__cause__
                time.sleep(self._wait(passing, delay))
        raise AssertionError("the last delay is None")

    def _exchange(
        self, path: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> _Response:
        """Send a request once.

        Raises:
            _PassingError: If there is no complete response in time.
            MalformedAnswerError: If the response exceeds 16 MiB.
        """
        deadline = time.monotonic() + timeout
        late = f"no complete answer within {timeout:g} s"
        content = bytearray()
        try:
            with self._pool.urlopen(
                "POST",
                f"{self._path}{path}{self._query}",
                body=body,
                headers=headers,
                timeout=timeout,
                retries=False,
                assert_same_host=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            ) as response:
                # urllib3's timeout is for a single read only.
                while part := response.read1(_PART):
                    content += part
                    if len(content) > _LARGEST_BODY:
                        raise MalformedAnswerError(
                            self.located(f"the response exceeds {_LARGEST_BODY} bytes")
                        )
                    if time.monotonic() > deadline:
                        raise _PassingError(EndpointTimeoutError(self.located(late)))
                return _Response(response.status, response.headers, bytes(content))
        except _UNREACHABLE as error:
            what = self.located(f"no connection: {_cause(error)}")
            failure = EndpointConnectionError(what, stops_run=True)
            raise _PassingError(failure) from error
        except exceptions.TimeoutError as error:
            raise _PassingError(EndpointTimeoutError(self.located(late))) from error
        except exceptions.HTTPError as error:
            what = self.located(f"the connection broke: {_cause(error)}")
            raise _PassingError(EndpointConnectionError(what)) from error

    def _read(self, response: _Response, read: Callable[[bytes], _T]) -> _T:
        """Return the value that a response contains.

        Raises:
            _PassingError: If another attempt may succeed.
            EndpointError: If no other attempt would succeed.
        """
        if response.status == 200:
            try:
                return read(response.body)
            except AnsweredError as error:
                text = str(error).encode()
                response = response._replace(status=error.status, body=text)
            except (ValueError, RecursionError) as error:
                failure = MalformedAnswerError(self.located(str(error)))
                raise _PassingError(failure) from error
        refusal = self._refusal(response)
        passing = response.status in _RETRIED or response.status >= 500
        if passing and not _NO_CREDIT.search(str(refusal)):
            raise _PassingError(refusal, _retry_after(response.headers))
        raise refusal

    def _refusal(self, response: _Response) -> EndpointError:
        # Redacted before it is cut: a key cut in half would not be recognized.
        text = redact(response.body.decode(errors="replace"))
        if response.status in _REDIRECTS:
            target = redact(response.headers.get("location", "elsewhere"))
            text = f"a redirect to {without_login(target):.{_SHOWN}} is not followed"
        message = self.located(f"status {response.status}: {text:.{_SHOWN}}")
        if says_too_long(response.status, text):
            return ContextTooLongError(message)
        return EndpointStatusError(
            message, response.status, stops_run=_is_lasting(response.status, text)
        )

    def _wait(self, passing: _PassingError, delay: float) -> float:
        """Return the seconds until the next attempt.

        Raises:
            EndpointError: If the endpoint asks for more than 120.
        """
        asked = passing.asked
        if asked is None:
            return delay
        if asked <= LONGEST_WAIT:
            return asked
        status = getattr(passing.failure, "status", 0)
        why = (
            f"it asks to wait for {asked:.0f} s, which is more than {LONGEST_WAIT:g} s"
        )
        raise EndpointStatusError(self.located(f"status {status}: {why}"), status)

    def located(self, message: str) -> str:
        """Return an error message with the endpoint's address, without secrets."""
        return redact(f"{message} [{self.url}]")


def _proxy(parts: SplitResult) -> tuple[str, dict[str, str]]:
    """Return the proxy for an address, "" for none, and the headers for its login."""
    found = getproxies().get(parts.scheme, "")
    if not found or proxy_bypass(parts.hostname or ""):
        return "", {}
    proxy = urlsplit(found if "://" in found else f"http://{found}")
    if proxy.scheme not in ("http", "https"):
        raise ValueError(
            f"{parts.scheme}_proxy names a proxy of the type {proxy.scheme!r}: only "
            "http and https can be used"
        )
    login = {}
    if proxy.username:
        pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
        login = _login_header("Proxy-Authorization", pair)
    return proxy.geturl(), login


def _manager(
    parts: SplitResult, proxy: str, headers: dict[str, str]
) -> urllib3.PoolManager:
    options: dict[str, Any] = {"maxsize": _KEPT_CONNECTIONS}
    if parts.scheme == "https":
        # Made once, because otherwise the certificates are loaded for each connection.
        options["ssl_context"] = ssl.create_default_context()
    if not proxy:
        return urllib3.PoolManager(**options)
    return urllib3.ProxyManager(proxy, proxy_headers=headers, **options)


def _login_header(name: str, login: str) -> dict[str, str]:
    return {name: f"Basic {b64encode(login.encode()).decode()}"}


def _cause(error: Exception) -> str:
    """Return the original error behind an error of urllib3."""
    inner = (one for one in error.args if isinstance(one, Exception))
    cause = error.__cause__ or next(inner, error)
    return f"{type(cause).__name__}: {cause}"


def check_address(url: str | None) -> None:
    """Check the address of an endpoint.

    Args:
        url: The address; None or "" for the default one.

    Raises:
        ValueError: If it is not an http:// or https:// address.
    """
    if not url:
        return
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        # Other characters cannot be sent.
        fits = fits and (parts.path + parts.query).isascii()
        fits = fits and url.isprintable() and " " not in url
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"base_url={without_login(url)!r} must be the address of an endpoint, such "
            "as http://localhost:8000/v1"
        )


def without_login(url: str) -> str:
    """Return an address without user:password@ and query, which may contain a key."""
    scheme, slashes, rest = url.partition("?")[0].rpartition("://")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"


@lru_cache(maxsize=64)
def endpoint_at(url: str) -> Endpoint:
    """Return the endpoint of this process for a URL."""
    return Endpoint(url)


def says_too_long(status: int, text: str) -> bool:
    """Return whether an answer reports that the conversation is too long."""
    if status == _TOO_LARGE:
        return True
    return status in _MAY_BE_TOO_LONG and _TOO_LONG.search(text) is not None


def _is_lasting(status: int, text: str) -> bool:
    """Return whether the error is permanent and would affect other requests too."""
    if status in _LASTING:
        return not (status == 403 and _MODERATED.search(text))
    if status >= 500:
        return False
    words = (_NO_CREDIT, _QUOTA) if status == 429 else (_NO_CREDIT, _QUOTA, _MODEL)
    return any(one.search(text) for one in words)


def _delays(max_retries: int) -> Iterator[float | None]:
    """Yield the delay after each attempt, None after the last one."""
    for attempt in range(max_retries):
        longest = min(_FIRST_DELAY * 2**attempt, _LONGEST_DELAY)
        # Random, so that many episodes do not retry at the same moment.
        yield longest * random.uniform(0.75, 1.0)
    yield None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, or None."""
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text)) if float(text) == float(text) else None
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
