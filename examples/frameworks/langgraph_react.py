"""A ReAct agent of LangGraph, which acts by calling a tool.

Install: pip install langchain langchain-openai
Run it: cd examples && aq-gym run --env aq/Mastermind-v0 --out runs/react \
    --agent frameworks.langgraph_react:ReactAgent --agent-arg model=gpt-4o-mini
"""

import os
from typing import Any
from uuid import uuid4

from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

from aq_gym.agents import AgentView


@tool
def act(action: str) -> str:
    """Take an action in the environment, and read what it answers."""
    raise NotImplementedError("the environment answers between two steps")


class ReactAgent:
    """A ReAct agent, which is interrupted where its tool would act.

    Args:
        env: The environment.
        model: The model's name.
        base_url: The endpoint; None for OpenAI's.
    """

    may_change = ("base_url",)

    def __init__(self, env: AgentView, model: str, base_url: str | None = None) -> None:
        self._env = env
        key = os.environ.get("OPENAI_API_KEY", "none")
        chat = ChatOpenAI(model=model, base_url=base_url, api_key=key)
        self._graph: Any = create_agent(
            chat,
            [act],
            system_prompt=env.get_wrapper_attr("task_prompt")().system,
            checkpointer=InMemorySaver(),
            interrupt_before=["tools"],
        )

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._config = {"configurable": {"thread_id": str(uuid4())}}
        self._calls: list[Any] = []

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Give the tool's result, and return the next call's action."""
        asked: dict[str, Any] | None = {"messages": [("user", observation)]}
        if self._calls:
            # Of parallel calls, the first is carried out.
            results = [observation, *["Not carried out."] * (len(self._calls) - 1)]
            messages = [
                ToolMessage(text, tool_call_id=call["id"])
                for text, call in zip(results, self._calls, strict=True)
            ]
            update = {"messages": messages}
            self._graph.update_state(self._config, update, as_node="tools")
            asked = None
        last = self._graph.invoke(asked, self._config)["messages"][-1]
        tokens = (last.usage_metadata or {}).get("total_tokens", 0)
        self._env.get_wrapper_attr("annotate")(tokens=tokens)
        self._calls = last.tool_calls
        return str(
            self._calls[0]["args"].get("action", "") if self._calls else last.text
        )
