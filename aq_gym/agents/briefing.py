"""The messages that a model gets before an episode: instructions and an example."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents.chat import Message, message
from aq_gym.core.prompt import Example, Prompt

__all__ = ["Prompting", "example_messages", "system_prompt", "task_prompt"]

Prompting = Literal["act", "react", "memory", "chat"]

_FORMATS = {
    "act": "Answer with your next action alone, on one line.",
    "react": (
        "Answer with two lines. The first begins with 'Thought:' and says briefly what "
        "you know and want to do. The second begins with 'Action:' and is your next "
        "action."
    ),
}
_FORMATS["memory"] = _FORMATS["act"]
_FORMATS["chat"] = (
    "You may think before you answer. End with your next action, on a line of its own."
)
_GENERIC = (
    "You act in an environment that answers each of your actions in text. Do what its "
    "first message asks, in as few actions as you can."
)
_EXAMPLE = "First an example, which shows how it is done on another task.\n\n"


def task_prompt(env: gym.Env[Any, Any]) -> Prompt:
    """Return an environment's own prompt, or a general one."""
    if env.has_wrapper_attr("task_prompt"):
        # Another package may use the name for something else.
        found = env.get_wrapper_attr("task_prompt")
        prompt = found() if callable(found) else found
        if isinstance(prompt, Prompt) and prompt.system:
            return prompt
    return Prompt(_GENERIC)


def system_prompt(prompt: Prompt, prompting: Prompting) -> str:
    """Return the system prompt: the task, and the form of the answers."""
    return f"{prompt.system}\n\n{_FORMATS[prompting]}"


def example_messages(example: Example, prompting: Prompting) -> list[Message]:
    """Return an example as messages; the first and the last are the user's."""
    first = example.observation
    if example.goal not in first:
        first = f"{example.goal}\n\n{first}"
    messages = [message("user", f"{_EXAMPLE}{first}")]
    for turn in example.turns:
        said = turn.action
        if prompting == "react":
            said = f"Thought: {turn.thought}\nAction: {turn.action}"
        messages.append(message("assistant", said))
        messages.append(message("user", turn.observation))
    return messages
