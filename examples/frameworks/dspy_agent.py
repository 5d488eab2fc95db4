"""A program of DSPy, which thinks and names its next action.

Install: pip install dspy
Run it: cd examples && aq-gym run --env aq/Mastermind-v0 --out runs/dspy \
    --agent frameworks.dspy_agent:Thinker --agent-arg model=openai/gpt-4o-mini
"""

import os
from typing import Any

import dspy

from aq_gym.agents import AgentView


class NextAction(dspy.Signature):  # type: ignore[misc]
    """Choose the next action in a text environment."""

    task: str = dspy.InputField()
    history: str = dspy.InputField(desc="earlier actions and what followed")
    observation: str = dspy.InputField()
    action: str = dspy.OutputField(desc="the next action alone")


class Thinker:
    """Plays ``dspy.ChainOfThought``.

    Args:
        env: The environment.
        model: The model's name, as DSPy takes it: ``openai/NAME``.
        base_url: The endpoint; None for the provider's.
    """

    may_change = ("base_url",)

    def __init__(self, env: AgentView, model: str, base_url: str | None = None) -> None:
        self._env = env
        key = os.environ.get("OPENAI_API_KEY", "none")
        # A cached answer would be that of another episode.
        self._lm = dspy.LM(model, api_base=base_url, api_key=key, cache=False)
        self._program = dspy.ChainOfThought(NextAction)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._task = self._env.get_wrapper_attr("task_prompt")().system
        self._history: list[str] = []

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the program's action."""
        history = "\n\n".join(self._history) or "none"
        with dspy.context(lm=self._lm, track_usage=True):
            found = self._program(
                task=self._task, history=history, observation=observation
            )
        used = (found.get_lm_usage() or {}).values()
        tokens = sum(one.get("total_tokens") or 0 for one in used)
        self._env.get_wrapper_attr("annotate")(tokens=tokens)
        self._history.append(f"{observation}\nYour action: {found.action}")
        return str(found.action)
