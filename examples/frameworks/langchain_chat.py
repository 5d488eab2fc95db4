"""An agent that sends the conversation to a chat model of LangChain.

Install: pip install langchain-openai
Run it: cd examples && aq-gym run --env aq/Mastermind-v0 --out runs/langchain \
    --agent frameworks.langchain_chat:ChatAgent --agent-arg model=gpt-4o-mini
"""

import os
from typing import Any

import gymnasium as gym
from langchain_openai import ChatOpenAI


class ChatAgent:
    """Sends the whole conversation and plays the answer.

    Args:
        env: The environment.
        model: The model's name.
        base_url: The endpoint; None for OpenAI's.
    """

    may_change = ("base_url",)

    def __init__(
        self, env: gym.Env[str, str], model: str, base_url: str | None = None
    ) -> None:
        self._env = env
        key = os.environ.get("OPENAI_API_KEY", "none")
        self._model = ChatOpenAI(model=model, base_url=base_url, api_key=key)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        system = self._env.get_wrapper_attr("task_prompt")().system
        self._messages: list[Any] = [("system", system)]

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the model's answer."""
        self._messages.append(("user", observation))
        answer = self._model.invoke(self._messages)
        self._messages.append(answer)
        tokens = (answer.usage_metadata or {}).get("total_tokens", 0)
        self._env.get_wrapper_attr("annotate")(tokens=tokens)
        return str(answer.text)
