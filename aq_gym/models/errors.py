"""The errors of a call to an endpoint."""

from __future__ import annotations


class EndpointError(Exception):
    """Raised if a call to an endpoint failed, after all retries.

    Attributes:
        stops_run: Whether other calls would fail too: the key is wrong, the model is
            unknown, the quota is exhausted or the host cannot be reached.
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
