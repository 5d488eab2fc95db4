"""OpenRLHF: an agent for ``--train.agent_func_path``.

The file that the flag names has the name ``AgentExecutor``:

    from openrlhf_agent import agent_executor
    AgentExecutor = agent_executor(AutoTokenizer.from_pretrained(MODEL))

The label of a row is the record of its task as JSON. OpenRLHF tokenizes the texts
between completions itself.
"""

import json
from typing import Any

import torch
from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor

from aq_gym.integrations.shared import begin_episode, number_metrics
from aq_gym.integrations.tokens import TokenEpisode, Tokenizer


def agent_executor(
    tokenizer: Tokenizer, context: int = 8192, max_tokens: int = 512, **how: Any
) -> type[MultiTurnAgentExecutor]:
    """Return the executor that OpenRLHF makes for each worker.

    Args:
        tokenizer: The tokenizer, with its chat template.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.
        **how: Further arguments of ``aq_gym.Episode``.
    """
    limits: dict[str, Any] = {"context": context, "max_tokens": max_tokens}

    class Agent(AgentInstanceBase):
        """Plays the task in a row's label."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self._shown = 0

        async def reset(self, states: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
            """Begin the episode; the prompt of the row is not used."""
            episode = begin_episode(json.loads(states["label"]), **limits, **how)
            self._tokens = TokenEpisode(episode, tokenizer, **limits)
            return {"observation": self._new_text()}

        async def step(
            self, state_dict: dict[str, Any], **kwargs: Any
        ) -> dict[str, Any]:
            """Play a completion; the reward is the rise of the progress."""
            text = state_dict["action_text"]
            ids = tokenizer.encode(text, add_special_tokens=False)
            self._shown += len(ids)
            self._tokens.play(ids)
            metrics = number_metrics(self._tokens.episode)
            return {
                "rewards": torch.tensor(self._tokens.rewards[-1]),
                "scores": torch.tensor(metrics["progress_rate"]),
                "environment_feedback": self._new_text(),
                "done": self._tokens.over,
                "extra_logs": {k: torch.tensor(v) for k, v in metrics.items()},
            }

        def _new_text(self) -> str:
            ids = self._tokens.request[self._shown :]
            self._shown += len(ids)
            return tokenizer.decode(ids, skip_special_tokens=False)

    class Executor(MultiTurnAgentExecutor):
        """Runs an agent for each prompt."""

        def __init__(self) -> None:
            super().__init__(Agent)

    return Executor
