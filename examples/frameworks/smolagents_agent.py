"""An agent of smolagents, which acts by calling a tool, one step at a time.

Install: pip install "smolagents[openai]"
Run it: cd examples && aq-gym run --env aq/Mastermind-v0 --out runs/smolagents \
    --agent frameworks.smolagents_agent:ToolAgent --agent-arg model=gpt-4o-mini
"""

import os
from typing import Any

import gymnasium as gym
from smolagents import (
    ActionStep,
    AgentParsingError,
    OpenAIModel,
    TaskStep,
    Timing,
    ToolCallingAgent,
    tool,
)
from smolagents.memory import SystemPromptStep


@tool
def act(action: str) -> str:
    """Take an action in the environment, and read what it answers.

    Args:
        action: The action.
    """
    return action


class ToolAgent:
    """Runs steps of a ``ToolCallingAgent``, whose tool gives the action back.

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
        api = OpenAIModel(model, api_base=base_url, api_key=key)
        self._agent = ToolCallingAgent([act], api, verbosity_level=0)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        system = self._env.get_wrapper_attr("task_prompt")().system
        memory = self._agent.memory
        memory.reset()
        memory.system_prompt = SystemPromptStep(self._agent.system_prompt)
        memory.steps.append(TaskStep(task=f"{system}\n\n{observation}"))
        self._step: ActionStep | None = None

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Give the call's result, and return the next call's action."""
        steps = self._agent.memory.steps
        if self._step is not None:
            self._step.observations = observation
        self._step = ActionStep(step_number=len(steps), timing=Timing(start_time=0.0))
        steps.append(self._step)
        try:
            output = self._agent.step(self._step)
        except AgentParsingError:
            # An answer without a call; the model is shown the reply to it.
            action = str(self._step.model_output)
        else:
            final = output.is_final_answer
            action = str(output.output if final else self._step.observations)
        if self._step.token_usage is not None:
            tokens = self._step.token_usage.total_tokens
            self._env.get_wrapper_attr("annotate")(tokens=tokens)
        return action
