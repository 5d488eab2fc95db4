"""The client of language models: messages, requests, answers and errors."""

from collections.abc import Mapping

from aq_gym.models.anthropic import AnthropicClient
from aq_gym.models.client import ChatClient, ModelClient
from aq_gym.models.completion import Completion
from aq_gym.models.endpoint import (
    ContextTooLongError,
    EndpointConnectionError,
    EndpointError,
    EndpointStatusError,
    EndpointTimeoutError,
    MalformedAnswerError,
)
from aq_gym.models.messages import Message, ToolCall, message
from aq_gym.models.responses import ResponsesClient

__all__ = [
    "AnthropicClient",
    "ChatClient",
    "Completion",
    "ContextTooLongError",
    "EndpointConnectionError",
    "EndpointError",
    "EndpointStatusError",
    "EndpointTimeoutError",
    "MalformedAnswerError",
    "Message",
    "ModelClient",
    "ResponsesClient",
    "ToolCall",
    "message",
]

# The clients by the names of their APIs, as in the arguments of agents and judges.
CLIENTS: Mapping[str, type[ModelClient]] = {
    "chat": ChatClient,
    "responses": ResponsesClient,
    "messages": AnthropicClient,
}
