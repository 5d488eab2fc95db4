"""Play an environment by tool calls: its tools, and the action in a call."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from aq_gym.core.text import normalize
from aq_gym.models.messages import FunctionCall, ToolCall, sendable
from aq_gym.tools import Call, Toolbox, Unreadable, read_calls

_HELP = "check valid actions"
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


def act(world: object, action: str) -> None:  # noqa: D417 (no parameter of the tool)
    """Act in the environment.

    Args:
        action: The action, as the instructions describe it.
    """


def check_valid_actions(world: object) -> None:
    """List what can be done now, or the form of the actions. It takes a step."""


class NativeCalls:
    """The tools of an environment, for models that act by calling functions.

    An environment without tools gets ``act(action)`` and ``check_valid_actions()``.

    Args:
        env: The environment, after its reset.

    Attributes:
        tools: The tools.
        schemas: The tools as chat completions take them.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        own = env.get_wrapper_attr("tools") if env.has_wrapper_attr("tools") else None
        self._own = own if isinstance(own, Toolbox) else None
        self.tools = self._own or Toolbox([act, check_valid_actions])
        self.schemas = [one.openai() for one in self.tools]

    def action(self, calls: Sequence[ToolCall]) -> str:
        """Return the action in a completion's calls.

        It is the text in a call of ``act``, and calls of the environment's own tools as
        JSON. A call that cannot be read is an action that the environment explains.

        Args:
            calls: The calls, at least one.
        """
        if self._own is not None:
            texts = list(map(_text, calls))
            return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        function = calls[0]["function"]
        if function["name"] == "check_valid_actions":
            return _HELP
        found = _loads(function["arguments"])
        said = found.get("action") if isinstance(found, dict) else None
        if function["name"] == "act" and isinstance(said, str):
            return said
        return _text(calls[0])

    def call(self, action: str, call_id: str) -> ToolCall | None:
        """Return the call that is an action.

        Returns:
            The call; None if the action is not a single call of the environment's own
            tools.
        """
        if self._own is None:
            if normalize(action) == _HELP:
                return make_call(call_id, "check_valid_actions", "{}")
            return make_call(call_id, "act", json.dumps({"action": action}))
        read = read_calls(action)
        call = None if isinstance(read, Unreadable) or len(read) != 1 else read[0]
        if not isinstance(call, Call):
            return None
        tool = self._own.find(call.name)
        if tool is None:
            return None
        names = [parameter.name for parameter in tool.parameters]
        positional = dict(zip(names, call.positional, strict=False))
        arguments = {**positional, **call.arguments}
        return make_call(call_id, tool.name, json.dumps(arguments))


def make_call(call_id: str, name: str, arguments: str) -> ToolCall:
    """Return a tool call that can be sent."""
    function: FunctionCall = {"name": name, "arguments": sendable(arguments)}
    return {"id": sendable(call_id), "type": "function", "function": function}


def repeatable(calls: Sequence[ToolCall], used: set[str]) -> list[ToolCall]:
    """Return calls that an endpoint accepts as part of a conversation.

    Each has a unique id, a name of allowed characters, and a JSON object as arguments.
    Arguments of another form become the argument ``unreadable``.

    Args:
        calls: The calls of a completion.
        used: The ids used in the conversation; the ids of these calls are added.
    """
    made = []
    for call in calls:
        call_id, function = call["id"], call["function"]
        number = len(used)
        while not call_id or call_id in used:
            call_id, number = f"call_{number}", number + 1
        used.add(call_id)
        name = _NO_NAME.sub("_", function["name"])[:_LONGEST_NAME] or "unknown"
        arguments = function["arguments"] or "{}"
        if not isinstance(_loads(arguments), dict):
            arguments = json.dumps({"unreadable": arguments})
        made.append(make_call(call_id, name, arguments))
    return made


def _text(call: ToolCall) -> str:
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    found = _loads(arguments or "{}")
    shown = arguments if found is None else found
    return json.dumps({"name": name, "arguments": shown}, ensure_ascii=False)


def _loads(text: str) -> Any:
    """Return the value of a JSON text, None for any other text."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return value
