"""The client of chat completions: see ``aq_gym.models``."""

from aq_gym.models import ChatClient, Completion, Message, message

__all__ = ["ChatClient", "Completion", "Message", "message"]
