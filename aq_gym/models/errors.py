"""The errors of a call to an endpoint."""

from __future__ import annotations

__all__ = [
    "ContextTooLongError",
    "EndpointConnectionError",
    "EndpointError",
    "EndpointStatusError",
    "EndpointTimeoutError",
    "MalformedAnswerError",
]


class EndpointError(Exception):
    """Raised if a call to an endpoint failed, after all retries."""


class EndpointConnectionError(EndpointError):
    """Raised if there was no connection, or it was dropped."""


class EndpointTimeoutError(EndpointError):
    """Raised if the answer was not complete in time."""


class EndpointStatusError(EndpointError):
    """Raised if the endpoint answered with an HTTP error.

    Args:
        message: The message.
        status: The status code.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class MalformedAnswerError(EndpointError):
    """Raised if the answer of an endpoint is not a completion."""


class ContextTooLongError(EndpointError):
    """Raised if the conversation does not fit into the model's context."""
