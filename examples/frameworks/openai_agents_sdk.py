"""An agent of OpenAI's Agents SDK, which acts by calling a tool.

Install: pip install openai-agents
Run it: cd examples && aq-gym run --env aq/Mastermind-v0 --out runs/sdk \
    --agent frameworks.openai_agents_sdk:ToolAgent --agent-arg model=gpt-4o-mini
"""

import asyncio
import os
from typing import Any

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from aq_gym.agents import AgentView

set_tracing_disabled(True)


@function_tool
def act(action: str) -> str:
    """Take an action in the environment, and read what it answers.

    Args:
        action: The action.
    """
    return action


class ToolAgent:
    """Runs the SDK's agent until its first tool call, which is the action.

    Args:
        env: The environment.
        model: The model's name.
        base_url: The endpoint; None for OpenAI's.
    """

    may_change = ("base_url",)

    def __init__(self, env: AgentView, model: str, base_url: str | None = None) -> None:
        self._env = env
        self._model, self._base_url = model, base_url

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._instructions = self._env.get_wrapper_attr("task_prompt")().system
        self._items: list[Any] = []

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Give the call's result, and return the next call's action."""
        if self._items and self._items[-1].get("type") == "function_call_output":
            self._items[-1]["output"] = observation
        else:
            self._items.append({"role": "user", "content": observation})
        result = asyncio.run(self._run())
        self._items = result.to_input_list()
        usage = result.context_wrapper.usage
        self._env.get_wrapper_attr("annotate")(tokens=usage.total_tokens)
        return str(result.final_output)

    async def _run(self) -> Any:
        # The client belongs to one event loop.
        key = os.environ.get("OPENAI_API_KEY", "none")
        async with AsyncOpenAI(base_url=self._base_url, api_key=key) as client:
            agent = Agent(
                name="player",
                instructions=self._instructions,
                model=OpenAIChatCompletionsModel(self._model, client),
                model_settings=ModelSettings(parallel_tool_calls=False),
                tools=[act],
                tool_use_behavior="stop_on_first_tool",
            )
            return await Runner.run(agent, self._items)
