"""The client of language models: messages, requests, answers and errors."""

from aq_gym.models.client import ChatClient
from aq_gym.models.completion import Completion
from aq_gym.models.errors import (
    ContextTooLongError,
    EndpointConnectionError,
    EndpointError,
    EndpointStatusError,
    EndpointTimeoutError,
    MalformedAnswerError,
)
from aq_gym.models.messages import Message, ToolCall, message

__all__ = [
    "ChatClient",
    "Completion",
    "ContextTooLongError",
    "EndpointConnectionError",
    "EndpointError",
    "EndpointStatusError",
    "EndpointTimeoutError",
    "MalformedAnswerError",
    "Message",
    "ToolCall",
    "message",
]
