"""The tools of a session's environment, as OpenEnv's answers in MCP list them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from aq_gym.agents.native_calls import NativeCalls, make_call
from aq_gym.integrations.blocking import in_thread
from aq_gym.integrations.openenv.json_values import sendable
from aq_gym.integrations.openenv.models import TextAction, TextObservation


class SessionTools:
    """The object that OpenEnv's server treats as the client of an MCP server.

    Args:
        calls: Returns the tools of the running episode.
        step: Takes a step.
    """

    def __init__(
        self,
        calls: Callable[[], NativeCalls],
        step: Callable[[TextAction], TextObservation],
    ) -> None:
        self._calls = calls
        self._step = step

    def is_connected(self) -> bool:
        """Return True: there is nothing to connect to."""
        return True

    async def list_tools(self) -> list[dict[str, Any]]:
        """Return the environment's tools, or ``act`` and ``check_valid_actions``."""
        return [sendable(one.mcp()) for one in self._calls().tools]

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Take a step.

        Args:
            name: The name of a tool; any text.
            arguments: Its arguments.

        Returns:
            The result in MCP's form: the observation, an error if the action was
            invalid.
        """
        call = make_call("", str(name), json.dumps(arguments))
        action = TextAction(text=self._calls().action([call]))
        observation = await in_thread(self._step, action)
        valid = observation.metadata.get("action_valid", True)
        content = [{"type": "text", "text": observation.text}]
        return {"content": content, "isError": not valid}
